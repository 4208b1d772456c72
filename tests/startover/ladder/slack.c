/* SPDX-License-Identifier: BSD-3-Clause
 * Memory for the largest block and some more, on all ranks alike. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int most = n / size + 1, first = (int)((long)n * rank / size), last = (int)((long)n * (rank + 1) / size) - 1;
    double *u = malloc((most + 4) * sizeof(double)), *w = malloc((most + 4) * sizeof(double)), norm = 0;
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int i = first; i <= last; i++)
        u[i - first + 1] = cos(0.1 * i);
    if (rank == 0)
        u[0] = 1;
    if (rank == size - 1)
        u[last - first + 2] = -1;
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        int count = last - first + 1;
        MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, up, 0, &u[count + 1], 1, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[count], 1, MPI_DOUBLE, down, 1, &u[0], 1, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double own = 0;
        for (int i = 1; i <= count; i++) {
            w[i] = (u[i - 1] + u[i] + u[i + 1]) / 3;
            own += (w[i] - u[i]) * (w[i] - u[i]);
        }
        for (int i = 1; i <= count; i++)
            u[i] = w[i];
        MPI_Allreduce(&own, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0 && k % 10 == 9)
            printf("%d: %.6g\n", k, norm);
    }
    tell(u + 1, last - first + 1);
    MPI_Finalize();
    return 0;
}
