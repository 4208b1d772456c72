/* SPDX-License-Identifier: BSD-3-Clause
 * Measures the redistribution of a dense matrix between four members: against bare MPI with the
 * same messages, and a small shift against a full exchange. */
#define _GNU_SOURCE
#include "bench/measure.h"

enum { MEMBERS = 4, MEGABYTES = 1000, ROUNDS = 2, NONZEROS = 10000000, TIMES = 8, LIMIT = 200 };
enum { SHIFTS = 10 }; /* of a round, in programs/move.c */

/* With what libxmpi.a needs. */
static void build(const char *dir, const char *program)
{
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/bin/mpicc' -O2 -I'%s/runtime' -I'%s/runtime/include' "
                                  "'%s/tests/bench/programs/%s.c' '%s/lib/libxmpi.a' -lpapi -lsde "
                                  "-lcjson -lglpk -lhwloc -lm -o %s",
                                  build_dir(), source_dir(), source_dir(), source_dir(), program,
                                  build_dir(), program)));
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

/* Median seconds of what a run prints, and MiB. */
typedef struct {
    double bare, fresh, full, shift, peak;
} times_t;

static times_t measure(const char *dir, const char *strategy, int rounds)
{
    char *output = measure_run(dir, LIMIT,
                               measure_text("exec '%s/bin/mpiexec' -n %d ./move %d %d %s",
                                            build_dir(), MEMBERS, MEGABYTES, rounds, strategy));
    times_t times = {.bare = median_of(output, "bare ", rounds * MEMBERS),
                     .fresh = median_of(output, "fresh ", rounds * MEMBERS),
                     .full = median_of(output, "full ", rounds * MEMBERS),
                     .shift = median_of(output, "shift10 ", rounds * SHIFTS),
                     .peak = median_of(output, "peak ", rounds * MEMBERS)};
    free(output);
    return times;
}

static void measure_strategies(const char *dir)
{
    static const char *const name[] = {"p2p", "alltoallv", "rma"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        times_t times = measure(dir, name[i], 1);
        char *figure = measure_text("move.dense.%s.share_of_bare", name[i]);
        measure_figure(figure, times.bare / times.full, "ratio");
        free(figure);
    }
}

/* All three arrays, and pointers that have to be rebased. */
static void measure_csr(const char *dir)
{
    build(dir, "move_csr");
    char *output = measure_run(dir, LIMIT,
                               measure_text("exec '%s/bin/mpiexec' -n %d ./move_csr %d %d",
                                            build_dir(), MEMBERS, NONZEROS, TIMES));
    double bare = median_of(output, "bare ", TIMES), full = median_of(output, "full ", TIMES);
    measure_figure("move.csr.share_of_bare", bare / full, "ratio");
    free(output);
}

/* 32 vectors of 1,000 rows in all. */
static void measure_small(const char *dir)
{
    build(dir, "move_small");
    char *output = measure_run(dir, LIMIT,
                               measure_text("exec '%s/bin/mpiexec' -n %d ./move_small 32 1000 %d",
                                            build_dir(), MEMBERS, 10 * TIMES));
    double bare = median_of(output, "bare ", 10 * TIMES);
    double full = median_of(output, "full ", 10 * TIMES);
    measure_figure("move.small.share_of_bare", bare / full, "ratio");
    free(output);
}

/* A square matrix of ROWS rows to and fro, by the functions that a program calls. */
static void measure_by_hand(const char *dir, int rows, int moves, const char *name)
{
    char *output = measure_run(dir, LIMIT,
                               measure_text("exec '%s/bin/mpiexec' -n %d ./by_hand %d %d",
                                            build_dir(), MEMBERS, rows, moves));
    double bare = median_of(output, "bare ", moves), hand = median_of(output, "hand ", moves);
    char *ms = measure_text("%s.ms", name), *ratio = measure_text("%s.over_bare", name);
    measure_figure(ms, 1e3 * hand, "ms");
    measure_figure(ratio, hand / bare, "ratio");
    free(ratio);
    free(ms);
    free(output);
}

/* 0.72 MB, and 72 MB. */
static void measure_moves_by_hand(const char *dir)
{
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/bin/mpicc' -O2 -I'%s/include' '%s/tests/bench/programs/"
                                  "by_hand.c' -L'%s/lib' -lxmpi -Wl,-rpath,'%s/lib' -o by_hand",
                                  build_dir(), build_dir(), source_dir(), build_dir(),
                                  build_dir())));
    measure_by_hand(dir, 300, 400, "move.byhand");
    measure_by_hand(dir, 3000, 30, "move.byhand.large");
}

/* Two members that leave half of their processors to others. */
static void measure_background(const char *dir)
{
    build(dir, "move_background");
    char *output = measure_run(dir, LIMIT,
                               measure_text("exec '%s/bin/mpiexec' -n 2 ./move_background %d %d "
                                            "5000 10000",
                                            build_dir(), MEGABYTES / 2, TIMES));
    double move = median_of(output, "move ", TIMES), extra = median_of(output, "extra ", TIMES);
    double still = median_of(output, "still ", TIMES);
    measure_figure("move.background.hidden_share", 1 - extra / move, "ratio");
    measure_figure("move.background.still_share", still / move, "ratio");
    free(output);
}

int main(void)
{
    char *dir = measure_begin("move");
    measure_use_memory(6);
    build(dir, "move");
    times_t times = measure(dir, "auto", ROUNDS);
    measure_figure("move.dense.gb_per_s", 1e-3 * MEGABYTES / times.full, "GB/s");
    measure_figure("move.dense.share_of_bare", times.bare / times.full, "ratio");
    measure_figure("move.dense.share_of_bare_fresh", times.fresh / times.full, "ratio");
    measure_figure("move.shift10.share_of_full", times.shift / times.full, "ratio");
    measure_figure("move.shift10.share_of_bare", times.shift / times.bare, "ratio");
    measure_figure("move.peak_over_blocks.MiB", times.peak, "MiB");
    measure_strategies(dir);
    measure_csr(dir);
    measure_small(dir);
    measure_moves_by_hand(dir);
    measure_background(dir);
    free(dir);
    return 0;
}
