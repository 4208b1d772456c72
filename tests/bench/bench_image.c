/* SPDX-License-Identifier: BSD-3-Clause
 * Measures what it takes to move whole programs of 1 and 256 MiB on a node, and what a program that
 * can move loses while it does not. */
#define _GNU_SOURCE
#include "bench/measure.h"

enum { LIMIT = 100, SMALL = 1, LARGE = 256, TIMES = 9 };

static void build(const char *dir, const char *compiler, const char *flags, const char *output)
{
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/bin/%s' -O2 %s '%s/tests/bench/programs/carries.c' -o %s",
                                  build_dir(), compiler, flags, source_dir(), output)));
}

/* The median of what the program stands still in a move to an idle process, with MIB of memory. */
static double move_seconds(const char *dir, int mib, int steps)
{
    series_t series = {0};
    free(measure_run(
        dir, LIMIT,
        measure_text("XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_ACTIVE=1 XMPI_TRACE=trace "
                     "'%s/bin/mpiexec' -n 2 ./carries %d %d 0",
                     build_dir(), mib, steps)));
    cJSON *events = trace_events(dir, "trace");
    const cJSON *event;
    cJSON_ArrayForEach(event, events)
    {
        if (trace_is_done(event))
            series_add(&series, trace_number(event, "seconds"));
    }
    if (series.n == 0)
        measure_fail("no process has moved; see %s/trace", dir);
    double median = series_median(&series);
    series_free(&series);
    cJSON_Delete(events);
    return median;
}

/* The least of several runs, in turn with those of the other program. */
static double idle_percent(const char *dir)
{
    double least[2] = {1e9, 1e9};
    for (int i = 0; i < TIMES; i++)
        for (int k = 0; k < 2; k++) {
            char *text = measure_run(
                dir, LIMIT,
                measure_text("XMPI_POLICY=balance '%s/bin/mpiexec' -n 1 ./%s 1 200 20000",
                             build_dir(), k == 0 ? "carries.plain" : "carries"));
            double seconds = atof(text);
            least[k] = seconds < least[k] ? seconds : least[k];
            free(text);
        }
    return 100 * (least[1] - least[0]) / least[0];
}

int main(void)
{
    char *dir = measure_begin("image");
    build(dir, "xmpicc", "", "carries");
    build(dir, "mpicc", "-DPLAIN", "carries.plain");
    measure_figure("image.small.ms", 1e3 * move_seconds(dir, SMALL, 200), "ms");
    measure_figure("image.large.ms", 1e3 * move_seconds(dir, LARGE, 30), "ms");
    measure_figure("image.idle_percent", idle_percent(dir), "%");
    free(dir);
    return 0;
}
