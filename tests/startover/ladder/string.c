/* SPDX-License-Identifier: BSD-3-Clause
 * A membrane that swings: three levels in one piece of memory, which take turns by the number of
 * the step, with two ghost rows on each side. */
#include "ladder.h"

enum { WIDE = 6 };

static void exchange(double *u, int count, int up, int down)
{
    MPI_Sendrecv(u + 2 * WIDE, 2 * WIDE, MPI_DOUBLE, up, 0, u + (count + 2) * WIDE, 2 * WIDE, MPI_DOUBLE, down, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(u + count * WIDE, 2 * WIDE, MPI_DOUBLE, down, 1, u, 2 * WIDE, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *memory = calloc((size_t)3 * (count + 4) * WIDE, sizeof(double)), *u[3], peak = 0;
    for (int l = 0; l < 3; l++)
        u[l] = memory + (size_t)l * (count + 4) * WIDE;
    for (int i = 2; i < count + 2; i++)
        for (int j = 1; j < WIDE - 1; j++)
            u[0][i * WIDE + j] = u[1][i * WIDE + j] = (first + i) * j % 9;
#pragma xmpi loop state(rows((u[0])[n][WIDE], (u[1])[n][WIDE], (u[2])[n][WIDE] from first, count at 2 halo 2), same(t, peak))
    for (int t = 0; t < 30; t++) {
        double *a = u[t % 3], *b = u[(t + 1) % 3], *c = u[(t + 2) % 3], top = 0, most;
        exchange(b, count, up, down);
        for (int i = 2; i < count + 2; i++)
            for (int j = 1; j < WIDE - 1; j++) {
                const double *v = b + i * WIDE + j;
                c[i * WIDE + j] = 2 * *v - a[i * WIDE + j] +
                                  0.05 * (v[-1] + v[1] + v[-WIDE] + v[WIDE] + v[-2 * WIDE] + v[2 * WIDE] - 6 * *v);
            }
        for (int i = 2 * WIDE; i < (count + 2) * WIDE; i++)
            top = fmax(top, fabs(c[i]));
        MPI_Allreduce(&top, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        peak = fmax(peak, most);
    }
    double *own = malloc((count + 1) * sizeof(double));
    for (int i = 0; i < count; i++)
        own[i] = u[1][(i + 2) * WIDE + 3] + peak;
    tell(own, count);
    MPI_Finalize();
    return 0;
}
