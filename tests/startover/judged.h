/* SPDX-License-Identifier: BSD-3-Clause
 * Small programs with a loop whose state a clause names, or does not, and what is said of them. */
#ifndef XMPI_TESTS_JUDGED_H
#define XMPI_TESTS_JUDGED_H

#include "support/shell.h"

/* A program: what is outside of functions; what is in front of the loop, its clause, head and body;
 * and what follows it. All have n rows, of which each process has COUNT from FIRST. */
typedef struct {
    const char *outside, *before, *clause, *head, *body, *after;
    const char *said;  /* in the refusal; NULL: it is taken */
    const char *right; /* a clause that is taken; NULL: it is not asked */
} loop_t;

#define STEPS "for (int t = 0; t < n; t++)"
/* Of other files; and two arrays of rows. */
#define FOREIGN "void add(int m, const double *x, double *y); double *made(int m);"
#define TWO "double *x = calloc(count + 1, sizeof *x), *y = calloc(count + 1, sizeof *y);"

/* What is said of LOOP with CLAUSE, where it is not taken, or of one without, which is NULL;
 * malloc. */
static inline char *judge(const loop_t *loop, const char *clause)
{
    char *file = NULL, *text = NULL, *state = NULL;
    assert_true(clause == NULL || asprintf(&state, " state(%s)", clause) >= 0);
    assert_true(
        asprintf(&text,
                 "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                 "static double dot(const double *a, int n)\n{\n    double s = 0, all;\n"
                 "    for (int i = 0; i < n; i++)\n        s += a[i] * a[i];\n"
                 "    MPI_Allreduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n"
                 "    return all;\n}\n%s\nint main(int argc, char **argv)\n{\n"
                 "    int n = 40, rank, size, first, count;\n    MPI_Init(&argc, &argv);\n"
                 "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                 "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
                 "    first = n * rank / size, count = n * (rank + 1) / size - first;\n"
                 "    double *u = calloc((size_t)count + 2, sizeof *u);\n    %s\n"
                 "#pragma xmpi loop%s\n    %s\n        %s\n    %s\n"
                 "    printf(\"%%g\\n\", dot(u, count));\n    MPI_Finalize();\n    return 0;\n}\n",
                 loop->outside, loop->before, clause != NULL ? state : "", loop->head, loop->body,
                 loop->after) >= 0);
    free(state);
    assert_true(asprintf(&file, "%s/told.c", dir) >= 0);
    write_file(file, text);
    free(file);
    free(text);
    return sh("'%s/bin/xmpicc' --xmpi-apart -w -c told.c 2>&1 || echo refused", build_dir());
}

#endif
