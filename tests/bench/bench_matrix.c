/* SPDX-License-Identifier: BSD-3-Clause
 * Measures how far the matrix of who sends how much to whom is from what sockets carry, and what it
 * costs to count that. */
#define _GNU_SOURCE
#include <math.h>

#include "bench/measure.h"

enum { LIMIT = 100, PROCESSES = 8, BYTES = 100000, SHORT = 10, LONG = 40 };

/* --- accuracy ------------------------------------------------------------------------------------
 */

/* The largest share that it is off, pair by pair, of these operations. (What is missing are
 * headers.) */
static void accuracy(const char *dir)
{
    static const char *const ways[] = {"send", "bcast", "allgather", "alltoall", "allreduce"};
    double worst = 0;
    int found = 0;
    char *output = measure_run(
        dir, LIMIT,
        measure_text(
            "'%s/bin/mpicc' -std=gnu11 -O2 -Wno-stringop-overflow -I'%s/runtime' "
            "-I'%s/runtime/include' '%s/tests/mpi/programs/matrix.c' '%s/lib/libxmpi.a' -lm -ldl "
            "-o matrix && cc -O2 -shared -fPIC '%s/tests/cluster/emulation/network.c' -o network.so -lm && "
            "for i in $(seq %d); do echo n$i:C:1; done >machines && "
            "EMU_PRELOAD=\"$PWD/network.so\" EMU_NETWORK=\"$PWD/shared\" "
            "'%s/tests/cluster/run' -m machines -n %d -- ./matrix %d",
            build_dir(), source_dir(), source_dir(), source_dir(), build_dir(), source_dir(),
            PROCESSES, source_dir(), PROCESSES, BYTES));
    for (char *line = strtok(output, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char what[32];
        double bytes, sockets, counted, off;
        if (sscanf(line, "%31s %lf %lf %lf %lf", what, &bytes, &sockets, &counted, &off) != 5)
            continue;
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            if (strcmp(what, ways[i]) == 0) {
                worst = fmax(worst, off / sockets);
                found++;
            }
    }
    if (found != sizeof ways / sizeof *ways)
        measure_fail("not all operations were measured, %d only", found);
    measure_figure("matrix.error_percent", 100 * worst, "percent");
    free(output);
}

/* --- cost ----------------------------------------------------------------------------------------
 */

typedef struct {
    double all, counting;
} instructions_t;

/* Of the first of the processes of himeno, which the library watches: its smallest grid, of which
 * each process has 8,192 points. */
static instructions_t count(const char *dir, int iterations)
{
    instructions_t n = {0, 0};
    char *output = measure_run(
        dir, LIMIT,
        measure_text(
            "rm -f counts; export LD_PRELOAD='%s/lib/libxmpi.so' XMPI_TRACE=\"$PWD/trace\"; "
            "'%s/bin/mpiexec' -n 1 valgrind --tool=callgrind "
            "--callgrind-out-file=counts ./himeno -i %d XS : -n %d ./himeno -i %d XS "
            ">out 2>err; unset LD_PRELOAD; sed -n 's/^totals: /all /p' counts; "
            "callgrind_annotate --inclusive=yes --threshold=100 counts | tr -d , | "
            "sed -nE 's/^ *([0-9]+) .*:xmpi_peers_(sent|moved|reduced|parts|neighbours|"
            "started).*/counting \\1/p'",
            build_dir(), build_dir(), iterations, PROCESSES - 1, iterations));
    for (char *line = strtok(output, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        double value;
        if (sscanf(line, "all %lf", &value) == 1)
            n.all = value;
        if (sscanf(line, "counting %lf", &value) == 1)
            n.counting += value;
    }
    if (n.all <= 0 || n.counting <= 0)
        measure_fail("callgrind has counted nothing; see %s/err", dir);
    free(output);
    return n;
}

static void cost(const char *dir)
{
    if (system("command -v valgrind >/dev/null") != 0) {
        fprintf(stderr, "matrix.instructions_percent is not measured: there is no valgrind\n");
        return;
    }
    free(measure_run(dir, LIMIT,
                     measure_text("make -s -C '%s/examples/himeno' CC='%s/bin/mpicc' "
                                  "BUILD=\"$PWD\"",
                                  source_dir(), build_dir())));
    instructions_t few = count(dir, SHORT), many = count(dir, LONG);
    measure_figure("matrix.instructions_percent",
                   100 * (many.counting - few.counting) / (many.all - few.all), "percent");
}

int main(void)
{
    char *dir = measure_begin("matrix");
    accuracy(dir);
    cost(dir);
    free(dir);
    return 0;
}
