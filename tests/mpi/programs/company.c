/* SPDX-License-Identifier: BSD-3-Clause
 * An iterative program that says of how many processes it is, and sums up over its world; with ASK
 * it asks for its parent, as spawned programs do. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, rows = 60;
    MPI_Init(&argc, &argv);
#ifdef ASK
    MPI_Comm parent;
    MPI_Comm_get_parent(&parent);
#endif
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rows * rank / size, count = rows * (rank + 1) / size - first;
    double *u = calloc((size_t)count, sizeof *u);
    double all = 0;
#pragma xmpi loop
    for (int it = 0; it < 30; it++) {
        double sum = 0;
        int now = 0;
        for (int i = 0; i < count; i++) {
            u[i] += first + i;
            sum += u[i];
        }
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(&(int){1}, &now, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0)
            printf("%d\n", now);
    }
    if (rank == 0)
        printf("sum %g\n", all);
    free(u);
    MPI_Finalize();
    return 0;
}
