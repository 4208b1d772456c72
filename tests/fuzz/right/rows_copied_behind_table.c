/* SPDX-License-Identifier: BSD-3-Clause
 * What a table of row pointers leads to is filled by a message and a copy of bytes: the table stays
 * what it was. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 3 };

struct cell {
    double x;
    int tag;
};

int main(int argc, char **argv)
{
    int rank, size, n = 29;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *block = calloc((size_t)count * COLUMNS, sizeof *block), t = 0, total = 0;
    double **u = malloc((size_t)count * sizeof *u);
    struct cell *cells = calloc((size_t)count * COLUMNS, sizeof *cells);
    struct cell **c = malloc((size_t)count * sizeof *c);
    for (int i = 0; i < count; i++)
        u[i] = block + i * COLUMNS;
    for (int i = 0; i < count; i++)
        c[i] = cells + i * COLUMNS;
    {
        double *all = calloc((size_t)n * COLUMNS, sizeof *all);
        struct cell *more = calloc((size_t)n * COLUMNS, sizeof *more);
        if (rank == 0)
            for (int i = 0; i < n * COLUMNS; i++)
                all[i] = 1 + 0.1 * (i * 7 % 11);
        MPI_Bcast(all, n * COLUMNS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        for (int i = 0; i < n * COLUMNS; i++)
            more[i].x = 0.5 * all[i];
        memcpy(&u[0][0], all + displ * COLUMNS, (size_t)count * COLUMNS * sizeof *all);
        memcpy(c[0], more + displ * COLUMNS, (size_t)count * COLUMNS * sizeof *more);
        free(all);
        free(more);
    }
#pragma xmpi loop
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < count; i++)
            for (int j = 0; j < COLUMNS; j++) {
                u[i][j] = 0.9 * u[i][j] + 0.01 * c[i][j].x + 0.01 * ((displ + i + k) % 5);
                c[i][j].x = 0.8 * c[i][j].x + 0.1;
                c[i][j].tag++;
            }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < COLUMNS; j++)
            t += (1 + (displ + i) % 5) * (u[i][j] + c[i][j].x) + c[i][j].tag;
    MPI_Reduce(&t, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", total);
    MPI_Finalize();
    return 0;
}
