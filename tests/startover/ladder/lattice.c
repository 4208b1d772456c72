/* SPDX-License-Identifier: BSD-3-Clause
 * Lattice Boltzmann: an array of structs with arrays, streamed to both sides. */
#include "ladder.h"

typedef struct {
    double f[3];
} site_t;

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = (int)((long)n * rank / size), count = (int)((long)n * (rank + 1) / size) - first;
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    site_t *s = calloc(count + 2, sizeof(site_t)), *t = calloc(count + 2, sizeof(site_t));
    for (int i = 1; i <= count; i++)
        for (int q = 0; q < 3; q++)
            s[i].f[q] = 0.2 + 0.1 * q + 0.05 * ((first + i) % 4);
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        for (int i = 1; i <= count; i++) {
            double density = s[i].f[0] + s[i].f[1] + s[i].f[2];
            for (int q = 0; q < 3; q++)
                s[i].f[q] += 0.6 * (density / 3 - s[i].f[q]);
        }
        MPI_Sendrecv(&s[1], sizeof(site_t), MPI_BYTE, left, 0, &s[count + 1], sizeof(site_t), MPI_BYTE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&s[count], sizeof(site_t), MPI_BYTE, right, 1, &s[0], sizeof(site_t), MPI_BYTE, left, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++) {
            t[i].f[0] = s[i].f[0];
            t[i].f[1] = s[i - 1].f[1];
            t[i].f[2] = s[i + 1].f[2];
        }
        for (int i = 1; i <= count; i++)
            s[i] = t[i];
    }
    double *mine = malloc((count + 1) * sizeof *mine);
    for (int i = 0; i < count; i++)
        mine[i] = s[i + 1].f[0] + 2 * s[i + 1].f[1] + 3 * s[i + 1].f[2];
    tell(mine, count);
    MPI_Finalize();
    return 0;
}
