/* SPDX-License-Identifier: BSD-3-Clause
 * Measures how much of the possible saving is reached where rows differ in work and nobody has said
 * so: two members on two cores, in turns without a policy and with balance. The ideal is the work
 * of all rows divided by two. */
#define _GNU_SOURCE
#include "bench/measure.h"

enum { ROWS = 400, ROUNDS = 3, LIMIT = 120 };

typedef struct {
    const char *name;
    int begin, end, work, iterations;
} density_t;

static const density_t densities[] = {
    {"middle", 120, 180, 60, 1500},
    {"begin", 0, 40, 60, 2400},
    {"step", 0, 150, 8, 4500},
};

static double work_of(const density_t *density, int begin, int end)
{
    double work = 0;
    for (int row = begin; row < end; row++)
        work += row >= density->begin && row < density->end ? density->work : 1;
    return work;
}

/* Of the time with equal blocks, which the member with more work makes. */
static double ideal_share(const density_t *density)
{
    double first = work_of(density, 0, ROWS / 2), all = work_of(density, 0, ROWS);
    return all / 2 / (first > all / 2 ? first : all - first);
}

/* Seconds of the loop. */
static double run(const char *dir, const density_t *density, const char *policy)
{
    double sum, seconds;
    char *output =
        measure_run(dir, LIMIT,
                    measure_text("XMPI_POLICY=%s '%s/bin/mpiexec' -n 2 ./density %d %d %d %d %d",
                                 policy, build_dir(), ROWS, density->begin, density->end,
                                 density->work, density->iterations));
    if (sscanf(output, "density %lf %lf", &sum, &seconds) != 2)
        measure_fail("not what density prints: %.100s", output);
    free(output);
    return seconds;
}

static double share_of_possible(const char *dir, const density_t *density)
{
    series_t equal = {0}, balanced = {0};
    for (int i = 0; i < ROUNDS; i++) {
        series_add(&equal, run(dir, density, "off"));
        series_add(&balanced, run(dir, density, "balance"));
    }
    double without = series_median(&equal), with = series_median(&balanced);
    series_free(&equal);
    series_free(&balanced);
    return (without - with) / (without * (1 - ideal_share(density)));
}

int main(void)
{
    char *dir = measure_begin("balance_density");
    double least = 1;
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/bin/xmpicc' -O2 '%s/tests/bench/programs/density.c' "
                                  "-o density",
                                  build_dir(), source_dir())));
    for (size_t i = 0; i < sizeof densities / sizeof *densities; i++) {
        double share = share_of_possible(dir, &densities[i]);
        char *figure = measure_text("balance.density.%s.share_of_possible", densities[i].name);
        measure_figure(figure, share, "ratio");
        free(figure);
        least = share < least ? share : least;
    }
    measure_figure("balance.density.share_of_possible", least, "ratio");
    free(dir);
    return 0;
}
