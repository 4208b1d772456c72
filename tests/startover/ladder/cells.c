/* SPDX-License-Identifier: BSD-3-Clause
 * An array of structs of cells, sent as bytes. */
#include "ladder.h"

typedef struct {
    double height, speed;
    int kind;
} cell_t;

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = (int)((long)n * rank / size), count = (int)((long)n * (rank + 1) / size) - first;
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    cell_t *c = calloc((size_t)count + 2, sizeof *c);
    for (int i = 1; i <= count; i++)
        c[i] = (cell_t){.height = first + i, .speed = 0.1 * ((first + i) % 3), .kind = (first + i) % 2};
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        MPI_Sendrecv(&c[1], sizeof *c, MPI_BYTE, up, 0, &c[count + 1], sizeof *c, MPI_BYTE, down, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++) {
            c[i].speed += c[i].kind ? 0.01 : -0.01 * c[i + 1].speed;
            c[i].height += 0.1 * c[i].speed;
        }
    }
    double *mine = malloc(((size_t)count + 1) * sizeof *mine);
    for (int i = 0; i < count; i++)
        mine[i] = c[i + 1].height;
    tell(mine, count);
    MPI_Finalize();
    return 0;
}
