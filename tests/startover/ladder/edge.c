/* SPDX-License-Identifier: BSD-3-Clause
 * A row in front of the domain that iterations change: the one of whoever has the first row. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = calloc(count + 2, sizeof *u), *v = calloc(count + 2, sizeof *v), sum = 0, all = 0;
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int i = 1; i <= count; i++)
        u[i] = (first + i) % 7;
    u[0] = rank == 0 ? 3 : 0;
#pragma xmpi loop
    for (int it = 0; it < 20; it++) {
        double value = 0;
        int owner = ((it + 1) * size - 1) / n;
        if (owner == rank)
            value = u[1 + it - first];
        MPI_Bcast(&value, 1, MPI_DOUBLE, owner, MPI_COMM_WORLD);
        MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, up, 1, &u[count + 1], 1, MPI_DOUBLE, down, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[count], 1, MPI_DOUBLE, down, 2, &u[0], 1, MPI_DOUBLE, up, 2, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            v[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) + 0.01 * value;
        for (int i = 1; i <= count; i++)
            u[i] = v[i];
        if (rank == 0)
            u[0] *= 0.9;
    }
    for (int i = 1; i <= count; i++)
        sum += u[i] * ((first + i) % 5);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
