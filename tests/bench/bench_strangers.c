/* SPDX-License-Identifier: BSD-3-Clause
 * What strangers cost a job: three that connect with every door and say nothing, and 1,000
 * connections a second, against the same job without. Members change all the time, as it is at
 * changes that doors are looked at. */
#define _GNU_SOURCE
#include "bench/measure.h"

#include "support/program.h"
#include "support/strangers.h"

enum { RUNS = 5, SILENT = 3, PER_SECOND = 1000, SECONDS = 120 };

/* Seconds of a run. */
static double run(const char *dir, const char *settings)
{
    double start = measure_clock();
    free(measure_run(dir, SECONDS,
                     measure_text("%s XMPI_POLICY=random XMPI_SEED=1 XMPI_INTERVAL=10 "
                                  "EVOLVE_PAUSE_MS=10 '%s'/bin/mpiexec -n 2 ./evolve 40 200",
                                  settings, build_dir())));
    return measure_clock() - start;
}

static double slowdown(const char *dir, const char *settings)
{
    series_t with = {0}, without = {0};
    char *path = measure_text("%s/evolve", dir);
    for (int i = 0; i < RUNS; i++) {
        series_add(&without, run(dir, settings));
        strangers_t strangers = strangers_start(path, SILENT, PER_SECOND);
        series_add(&with, run(dir, settings));
        if (strangers_stop(&strangers) < PER_SECOND / 4)
            measure_fail("%s: the strangers have hardly connected", settings);
    }
    double ratio = series_median(&with) / series_median(&without);
    series_free(&with);
    series_free(&without);
    free(path);
    return ratio;
}

int main(void)
{
    char *dir = measure_begin("strangers");
    if (program_build(dir, "evolve", "") != 0)
        measure_fail("the program cannot be built");
    double spawned = slowdown(dir, "XMPI_BACKEND=spawn XMPI_MAX=4");
    double pool = slowdown(dir, "XMPI_BACKEND=pool XMPI_ACTIVE=1");
    measure_figure("strangers.slowdown", spawned > pool ? spawned : pool, "times");
    free(dir);
    return 0;
}
