/* SPDX-License-Identifier: BSD-3-Clause
 * A shared library (with -DLIBRARY) that a program gives memory to, and gets memory from: rank 1
 * has rows of its own there in the first half of the steps, the others only for a moment. */
// flags: -L. -llends -Wl,-rpath,.
#include <stdlib.h>
#include <string.h>

enum { ROWS = 20000 };

double *lends_rows(int n);
void lends_reverse(double *row, int n);
double *lends_grown(double *row, int n);
void lends_end(double *row);

#ifdef LIBRARY

double *lends_rows(int n)
{
    return malloc((size_t)n * sizeof(double));
}

void lends_reverse(double *row, int n)
{
    double *other = calloc((size_t)n, sizeof *other);
    for (int i = 0; i < n; i++)
        other[i] = row[n - 1 - i];
    memcpy(row, other, (size_t)n * sizeof *row);
    free(other);
}

double *lends_grown(double *row, int n)
{
    return realloc(row, (size_t)n * sizeof *row);
}

void lends_end(double *row)
{
    free(row);
}

#else

#include "point.h"

/* Another row with what ROW has, which is freed; of the library's, or of the program's own, which
 * the library resizes. */
static double *replaced(double *row, int of_library)
{
    double *other = of_library ? lends_rows(ROWS) : malloc(sizeof *other);
    if (!of_library)
        other = lends_grown(other, ROWS);
    memcpy(other, row, ROWS * sizeof *other);
    if (of_library)
        free(row);
    else
        lends_end(row);
    return other;
}

int main(int argc, char **argv)
{
    int steps, rank, step;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    steps = atoi(argv[1]);
    double *row = calloc(ROWS, sizeof *row), all = 0;
    unsigned long sum = 0;
    for (step = 0; step < steps; step++) {
        XMPI_Point();
        if (step == 0 && rank == 1)
            row = replaced(row, 1);
        if (step == steps / 2 || (step % 5 == 0 && rank != 1))
            row = replaced(row, 0);
        row[step % ROWS] += rank + step;
        lends_reverse(row, ROWS);
        MPI_Allreduce(&row[ROWS - 1 - step % ROWS], &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum = mix(sum, all);
    }
    say("lends", sum);
    free(row);
    MPI_Finalize();
    return 0;
}

#endif
