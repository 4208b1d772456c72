/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdlib.h>

double most(double mine, MPI_Comm comm);

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = 100 * rank / size, count = 100 * (rank + 1) / size - first;
    double *u = calloc(count, sizeof *u), change = 0;
    for (int i = 0; i < count; i++)
        u[i] = first + i;
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        double mine = 0;
        for (int i = 0; i < count; i++) {
            u[i] *= 0.5;
            mine += u[i];
        }
        change = most(mine, MPI_COMM_WORLD);
        if (change < 1)
            break;
    }
    free(u);
    MPI_Finalize();
    return 0;
}
