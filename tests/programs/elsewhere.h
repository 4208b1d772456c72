/* SPDX-License-Identifier: BSD-3-Clause
 * Programs of several files in a folder of their own, and whether their members change. */
#ifndef XMPI_TESTS_ELSEWHERE_H
#define XMPI_TESTS_ELSEWHERE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "support/command.h"

enum { SECONDS = 120 };

static char *scratch;

static inline command_t sh(const char *line)
{
    command_t command = command_shell(scratch, SECONDS, "%s", line);
    if (command.status != 0)
        print_error("%s: status %d\n%s%s\n", line, command.status, command.out, command.err);
    assert_int_equal(command.status, 0);
    return command;
}

static inline void write_scratch(const char *name, const char *text)
{
    char *path = NULL;
    assert_true(asprintf(&path, "%s/%s", scratch, name) >= 0);
    write_file(path, text);
    free(path);
}

static inline command_t run(int processes, const char *environment)
{
    char *line = NULL;
    assert_true(asprintf(&line, "%s '%s/bin/mpiexec' -n %d ./program", environment, build_dir(),
                         processes) >= 0);
    command_t command = sh(line);
    free(line);
    return command;
}

static const char *const environments[] = {
    "XMPI_POLICY=random XMPI_SEED=1 XMPI_INTERVAL=2 XMPI_BACKEND=spawn XMPI_MAX=5 "
    "XMPI_TRACE=trace",
    "XMPI_POLICY=random XMPI_SEED=2 XMPI_INTERVAL=2 XMPI_BACKEND=pool XMPI_ACTIVE=3 "
    "XMPI_TRACE=trace"};

/* CHANGES: whether members are to come and go; else a line is to say WHY not. */
static inline void expect_result(const char *wanted, bool changes, const char *why)
{
    for (int i = 0; i < 2; i++) {
        command_t command = run(i == 0 ? 3 : 5, environments[i]);
        assert_string_equal(command.out, wanted);
        bool said = strstr(command.err, why) != NULL;
        command_free(&command);
        assert_true(said != changes);
        command = sh("grep -c '\"event\":\"reconfiguration\"' trace || true");
        assert_true((atoi(command.out) > 0) == changes);
        command_free(&command);
    }
}

/* An iteration calls weigh, of another file, for each row. */
static const char weighing_text[] =
    "#include <mpi.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "double weigh(double x, double *row);\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    int rank, size, n = 40;\n"
    "    MPI_Init(&argc, &argv);\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
    "    int first = n * rank / size, count = n * (rank + 1) / size - first;\n"
    "    double *x = malloc(count * sizeof *x);\n"
    "    for (int i = 0; i < count; i++)\n"
    "        x[i] = (first + i) % 5;\n"
    "#pragma xmpi loop\n"
    "    for (int step = 0; step < 30; step++)\n"
    "        for (int i = 0; i < count; i++)\n"
    "            x[i] = 0.5 * x[i] + weigh(x[i], &x[i]);\n"
    "    long own = 0, all;\n"
    "    for (int i = 0; i < count; i++)\n"
    "        own += (long)(x[i] * 1e6) * (first + i);\n"
    "    MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);\n"
    "    if (rank == 0)\n"
    "        printf(\"result %ld\\n\", all);\n"
    "    free(x);\n"
    "    MPI_Finalize();\n"
    "    return 0;\n"
    "}\n";

#endif
