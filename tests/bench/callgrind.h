/* SPDX-License-Identifier: BSD-3-Clause
 * Costs in instructions, counted by callgrind: Jacobi of order 1000, about 1 ms per iteration on
 * one member, which waits for nobody, so that the counts are the same in every run but for what
 * depends on clocks. Time goes slower under callgrind: there are more intervals in a number of
 * iterations than there are otherwise, so that such a cost is an upper bound. */
#ifndef XMPI_BENCH_CALLGRIND_H
#define XMPI_BENCH_CALLGRIND_H

#include "bench/measure.h"

enum { CALLGRIND_LIMIT = 60, CALLGRIND_SHORT = 20, CALLGRIND_LONG = 60 };

/* False, and a line that FIGURE is not measured, where there is no valgrind. */
static inline int callgrind_is_there(const char *figure)
{
    if (system("command -v valgrind >/dev/null") == 0)
        return 1;
    fprintf(stderr, "%s is not measured: there is no valgrind\n", figure);
    return 0;
}

/* Builds real/COMPILER/jacobi in DIR, and the system "dense". */
static inline void callgrind_build(const char *dir, const char *compiler)
{
    free(measure_run(dir, CALLGRIND_LIMIT,
                     measure_text("make -s -C '%s/examples/jacobi' CC=\"'%s/bin/mpicc'\" "
                                  "BUILD=\"$PWD/tools\" \"$PWD/tools/generate\" && "
                                  "tools/generate -n 1000 dense && "
                                  "make -s -C '%s/examples/jacobi' CC=\"'%s/bin/%s'\" "
                                  "BUILD=\"$PWD/real/%s\" \"$PWD/real/%s/jacobi\"",
                                  source_dir(), build_dir(), source_dir(), build_dir(), compiler,
                                  compiler, compiler)));
}

/* Instructions of a run of real/COMPILER/jacobi with SETTINGS and ITERATIONS. */
static inline double callgrind_count(const char *dir, const char *compiler, const char *settings,
                                     int iterations)
{
    double count = 0;
    char *output = measure_run(
        dir, CALLGRIND_LIMIT,
        measure_text("%s '%s/bin/mpiexec' -n 1 valgrind --tool=callgrind "
                     "--callgrind-out-file=counts real/%s/jacobi -i %d -t 0 dense >out 2>err && "
                     "sed -n 's/^totals: //p' counts",
                     settings, build_dir(), compiler, iterations));
    if (sscanf(output, "%lf", &count) != 1 || count <= 0)
        measure_fail("callgrind has counted nothing; see %s/err", dir);
    free(output);
    return count;
}

/* Instructions of CALLGRIND_LONG - CALLGRIND_SHORT iterations, without start and end. */
static inline double callgrind_slope(const char *dir, const char *compiler, const char *settings)
{
    return callgrind_count(dir, compiler, settings, CALLGRIND_LONG) -
           callgrind_count(dir, compiler, settings, CALLGRIND_SHORT);
}

#endif
