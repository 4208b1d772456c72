/* SPDX-License-Identifier: BSD-3-Clause
 * Measures the redistribution of a dense matrix between four members: against bare MPI with the
 * same messages, and a small shift against a full exchange. */
#define _GNU_SOURCE
#include "bench/measure.h"

enum { MEMBERS = 4, MEGABYTES = 1000, ROUNDS = 2, LIMIT = 200 };

/* With what libxmpi.a needs. */
static void build(const char *dir)
{
    free(measure_run(
        dir, LIMIT,
        measure_text("'%s/bin/mpicc' -O2 -I'%s/runtime' -I'%s/runtime/include' "
                     "'%s/tests/bench/programs/move.c' '%s/lib/libxmpi.a' -lpapi -lsde "
                     "-lcjson -lglpk -lhwloc -lm -o move",
                     build_dir(), source_dir(), source_dir(), source_dir(), build_dir())));
}

static double median_of(const char *output, const char *what, int expected)
{
    series_t series = {0};
    if (series_add_lines(&series, output, what) != expected)
        measure_fail("not %d times \"%s\" in\n%s", expected, what, output);
    double median = series_median(&series);
    series_free(&series);
    return median;
}

int main(void)
{
    char *dir = measure_begin("move");
    build(dir);
    char *output = measure_run(dir, LIMIT,
                               measure_text("exec '%s/bin/mpiexec' -n %d ./move %d %d", build_dir(),
                                            MEMBERS, MEGABYTES, ROUNDS));
    double bare = median_of(output, "bare ", ROUNDS * MEMBERS);
    double fresh = median_of(output, "fresh ", ROUNDS * MEMBERS);
    double full = median_of(output, "full ", ROUNDS * MEMBERS);
    double shift = median_of(output, "shift10 ", ROUNDS * 2);
    measure_figure("move.dense.gb_per_s", 1e-3 * MEGABYTES / full, "GB/s");
    measure_figure("move.dense.share_of_bare", bare / full, "ratio");
    measure_figure("move.dense.share_of_bare_fresh", fresh / full, "ratio");
    measure_figure("move.shift10.share_of_full", shift / full, "ratio");
    free(output);
    free(dir);
    return 0;
}
