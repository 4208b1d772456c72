/* SPDX-License-Identifier: BSD-3-Clause
 * A shared library (with -DLIBRARY) that a program gives memory to, and gets memory from: rank 1
 * has rows of its own there in the first half of the steps, the others only for a moment. It also
 * writes to and reads from files that the program has opened, and one of its own. */
// flags: -L. -llends -Wl,-rpath,.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 20000 };

double *lends_rows(int n);
void lends_reverse(double *row, int n);
double *lends_grown(double *row, int n);
void lends_end(double *row);
void lends_note(FILE *log, int step, double value);
unsigned long lends_read(FILE *log);

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

void lends_note(FILE *log, int step, double value)
{
    fseek(log, 0, SEEK_END);
    fprintf(log, "%d %.17g", step, value);
    fwrite(" written", 1, 8, log);
    putc('\n', log);
}

/* Through a file of the library's own. */
unsigned long lends_read(FILE *log)
{
    char *line = NULL;
    size_t room = 0;
    unsigned long sum = 0;
    FILE *copy = tmpfile();
    for (rewind(log); getline(&line, &room, log) > 0;)
        fputs(line, copy);
    rewind(copy);
    for (int c; (c = getc(copy)) != EOF;)
        sum = 31 * sum + (unsigned long)c;
    fclose(copy);
    free(line);
    return sum;
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
    char name[32];
    snprintf(name, sizeof name, "lends.%d", rank);
    FILE *log = fopen(name, "w+");
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
        lends_note(log, step, all);
    }
    say("lends", mix(sum, (double)lends_read(log)));
    fclose(log);
    free(row);
    MPI_Finalize();
    return 0;
}

#endif
