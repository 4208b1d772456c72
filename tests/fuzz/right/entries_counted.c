/* SPDX-License-Identifier: BSD-3-Clause
 * Compressed rows whose entries are counted before they are filled: where those of a row begin is
 * kept in front of the count in one matrix, and behind it in the other. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int entries(int row)
{
    return 1 + row % 3;
}

int main(int argc, char **argv)
{
    int rank, size, n = 29, many = 0, more = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    int *start = malloc((size_t)(count + 1) * sizeof *start);
    int *begin = malloc((size_t)(count + 1) * sizeof *begin);
    double *u = calloc((size_t)count, sizeof *u), sum = 0, all = 0;
    start[0] = 0;
    for (int i = 0; i < count; i++) {
        many += entries(displ + i);
        start[i + 1] = many;
        begin[i] = more;
        for (int j = 0; j < n; j += 4)
            if ((displ + i + j) % 3 == 0)
                more++;
    }
    begin[count] = more;
    double *value = malloc((size_t)start[count] * sizeof *value + 1);
    double *part = malloc((size_t)more * sizeof *part + 1);
    for (int i = 0; i < count; i++) {
        for (int e = start[i]; e < start[i + 1]; e++)
            value[e] = 0.01 * (displ + i);
        for (int e = begin[i]; e < begin[i + 1]; e++)
            part[e] = 0.02 * ((displ + i) % 4);
    }

#pragma xmpi loop
    for (int k = 0; k < 40; k++)
        for (int i = 0; i < count; i++) {
            double s = 0;
            for (int e = start[i]; e < start[i + 1]; e++)
                s += value[e];
            for (int e = begin[i]; e < begin[i + 1]; e++)
                s -= part[e] * u[i];
            u[i] += s / 4;
        }

    for (int i = 0; i < count; i++)
        sum += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}
