/* SPDX-License-Identifier: BSD-3-Clause
 * Measures what it takes to move whole programs on a node, small and large, with what is large
 * going ahead and without, against sending the same bytes by MPI; and what a program that can move
 * loses while it does not. What a program stands still is measured by itself, from one side of the
 * point to the other (programs/carries.c). */
#define _GNU_SOURCE
#include "bench/measure.h"

enum { LIMIT = 200, SMALL = 1, LARGE = 256, WHOLE = 1024, PAIRS = 17 };

static void build(const char *dir, const char *compiler, const char *flags, const char *output)
{
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/bin/%s' -O2 %s '%s/tests/bench/programs/carries.c' -o %s",
                                  build_dir(), compiler, flags, source_dir(), output)));
}

/* Why no process has moved, as the trace says. */
static void fail_by_trace(const char *dir)
{
    cJSON *events = trace_events(dir, "trace");
    const cJSON *event, *why = NULL;
    cJSON_ArrayForEach(event, events)
    {
        if (trace_is(event, "event", "reconfiguration"))
            why = cJSON_GetObjectItem(event, "reason");
    }
    measure_fail("no process has moved: %s; see %s/trace",
                 why != NULL ? cJSON_GetStringValue(why) : "no move was tried", dir);
}

/* Seconds that one process stands still when it goes to an idle place, with MIB of memory of which
 * it writes WRITTEN parts in a thousand in each of STEPS of some milliseconds; the median. */
static double move_seconds(const char *dir, const char *settings, int mib, int steps, int written)
{
    double all, still = 0;
    int moves = 0;
    char *text = measure_run(
        dir, LIMIT,
        measure_text("%s XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_ACTIVE=1 XMPI_TRACE=trace %s "
                     "'%s/bin/mpiexec' -n 2 ./carries %d %d 0 %d 20",
                     settings, measure_priority(), build_dir(), mib, steps, written));
    if (sscanf(text, "%lf %lf %d", &all, &still, &moves) != 3 || moves == 0)
        fail_by_trace(dir);
    free(text);
    return still;
}

/* The median of FIELD of the moves in the trace of the last run. */
static double in_trace(const char *dir, const char *field)
{
    series_t series = {0};
    cJSON *events = trace_events(dir, "trace");
    const cJSON *event;
    cJSON_ArrayForEach(event, events)
    {
        if (trace_is_done(event))
            series_add(&series, trace_number(event, field));
    }
    double median = series_median(&series);
    series_free(&series);
    cJSON_Delete(events);
    return median;
}

/* Seconds to send WRITTEN parts in a thousand of MIB by MPI, to memory that is there and to memory
 * that is not. */
static void bare_seconds(const char *dir, int mib, int written, double seconds[2])
{
    char *text = measure_run(dir, LIMIT,
                             measure_text("%s '%s/bin/mpiexec' -n 2 ./carries.plain %d 20 0 %d 0",
                                          measure_priority(), build_dir(), mib, written));
    if (sscanf(text, "%lf %lf", &seconds[0], &seconds[1]) != 2)
        measure_fail("no seconds: %.100s", text);
    free(text);
}

/* Percent that a program with MIB of memory, PIECES in each step, which writes WRITTEN parts in a
 * thousand of it, takes longer in the arena than the plain one. They run in turns, either one first:
 * where memory comes to lie decides more than is to be measured. */
static double idle_percent(const char *dir, const char *name, int mib, int pieces, int written)
{
    series_t series = {0};
    for (int i = 0; i < PAIRS; i++) {
        double seconds[2];
        for (int turn = 0; turn < 2; turn++) {
            int k = turn ^ (i & 1);
            char *text = measure_run(
                dir, LIMIT,
                measure_text("XMPI_POLICY=balance %s '%s/bin/mpiexec' -n 1 ./%s %d 200 %d %d 0",
                             measure_priority(), build_dir(), k == 0 ? "carries.plain" : "carries",
                             mib, pieces, written));
            seconds[k] = atof(text);
            free(text);
        }
        series_add(&series, 100 * (seconds[1] / seconds[0] - 1));
    }
    double median = series_median(&series);
    char *error = measure_text("%s.error", name);
    measure_figure(name, median, "%");
    measure_figure(error, series_error(&series), "%");
    free(error);
    series_free(&series);
    return median;
}

static void measure_ahead(const char *dir)
{
    double bare[2];
    double still = move_seconds(dir, "", WHOLE, 300, 10);
    bare_seconds(dir, WHOLE, 10, bare);
    measure_figure("image.precopy.ms", 1e3 * still, "ms");
    measure_figure("image.precopy.last.ms", 1e3 * in_trace(dir, "redistribution"), "ms");
    measure_figure("image.precopy.processes.ms", 1e3 * in_trace(dir, "processes"), "ms");
    measure_figure("image.precopy.bare.ms", 1e3 * bare[0], "ms");
    measure_figure("image.precopy.over_bare", still / bare[0], "");
}

static void measure_at_once(const char *dir)
{
    double bare[2];
    double still = move_seconds(dir, "XMPI_MOVE_BACKGROUND=0", LARGE, 30, 0);
    bare_seconds(dir, LARGE, 1000, bare);
    measure_figure("image.large.ms", 1e3 * still, "ms");
    measure_figure("image.large.bare.ms", 1e3 * bare[1], "ms");
    measure_figure("image.share_of_bare", bare[1] / still, "");
}

int main(void)
{
    char *dir = measure_begin("image");
    measure_use_memory(6);
    build(dir, "xmpicc", "", "carries");
    build(dir, "mpicc", "-DPLAIN", "carries.plain");
    measure_figure("image.small.ms", 1e3 * move_seconds(dir, "", SMALL, 50, 0), "ms");
    measure_at_once(dir);
    measure_ahead(dir);
    double allocates = idle_percent(dir, "image.idle.allocates_percent", SMALL, 20000, 0);
    double computes = idle_percent(dir, "image.idle.computes_percent", WHOLE, 0, 995);
    measure_figure("image.idle_percent", allocates > computes ? allocates : computes, "%");
    free(dir);
    return 0;
}
