/* SPDX-License-Identifier: BSD-3-Clause
 * Two equal members with 1 ms per iteration and nothing to adapt, in turns with the plain program
 * (programs/idle.c). The threshold keeps the noise of a busy machine from becoming a reason to
 * rebalance; all else is as by default. */
#ifndef XMPI_BENCH_IDLE_H
#define XMPI_BENCH_IDLE_H

#include "bench/measure.h"

enum { IDLE_LIMIT = 240 };

static inline void idle_build(const char *dir)
{
    free(measure_run(dir, IDLE_LIMIT,
                     measure_text("'%s/bin/mpicc' -O2 -I'%s/runtime' -I'%s/runtime/include' "
                                  "'%s/tests/bench/programs/idle.c' '%s/lib/libxmpi.a' -lpapi "
                                  "-lsde -lcjson -lglpk -lhwloc -lm -o idle",
                                  build_dir(), source_dir(), source_dir(), source_dir(),
                                  build_dir())));
}

/* Runs PAIRS of blocks with further SETTINGS: adds the seconds per iteration of the plain ones, and
 * how many times longer the adaptive ones take. */
static inline void idle_run(const char *dir, const char *settings, int pairs, series_t *plain,
                            series_t *ratio)
{
    int found = 0;
    char *output = measure_run(dir, IDLE_LIMIT,
                               measure_text("XMPI_IMBALANCE=1 %s '%s/bin/mpiexec' -n 2 ./idle %d",
                                            settings, build_dir(), pairs));
    for (const char *at = strstr(output, "block "); at != NULL; at = strstr(at + 1, "block ")) {
        double seconds[2];
        if (sscanf(at, "block %lf %lf", &seconds[0], &seconds[1]) != 2)
            measure_fail("not a pair of blocks: %.100s", at);
        series_add(plain, seconds[0]);
        series_add(ratio, seconds[1] / seconds[0]);
        found++;
    }
    if (found != pairs)
        measure_fail("%d pairs of blocks, not %d", found, pairs);
    free(output);
}

#endif
