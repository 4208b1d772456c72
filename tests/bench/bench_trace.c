/* SPDX-License-Identifier: BSD-3-Clause
 * Measures what a trace costs: a run with one against the same run without. */
#define _GNU_SOURCE
#include "bench/callgrind.h"
#include "bench/idle.h"

enum { MEMBERS = 2, PAIRS = 100, TURNS = 2 };

#define TRACED "XMPI_TRACE=trace"

static void in_instructions(const char *dir)
{
    if (!callgrind_is_there("trace.instructions_percent"))
        return;
    callgrind_build(dir, "xmpicc");
    double without = callgrind_slope(dir, "xmpicc", "");
    double with = callgrind_slope(dir, "xmpicc", TRACED);
    measure_figure("trace.instructions_percent", 100 * (with / without - 1), "percent");
}

/* The difference of what a run with a trace, and one without, take more than the plain program. */
static void in_wall_time(const char *dir)
{
    series_t plain = {0}, with = {0}, without = {0};
    idle_build(dir);
    for (int i = 0; i < TURNS; i++) {
        idle_run(dir, "", PAIRS, &plain, &without);
        idle_run(dir, TRACED, PAIRS, &plain, &with);
    }
    measure_figure("trace.wall_percent", 100 * (series_median(&with) - series_median(&without)),
                   "percent");
    measure_figure("trace.wall_error_percent",
                   100 * hypot(series_error(&with), series_error(&without)), "percent");
    series_free(&plain);
    series_free(&with);
    series_free(&without);
}

/* What a run writes for each member of an interval. */
static void in_bytes(const char *dir)
{
    double intervals = 0;
    cJSON *events = trace_events(dir, "trace"), *event;
    cJSON_ArrayForEach(event, events) intervals += trace_is(event, "event", "interval");
    char *path = measure_text("%s/trace", dir), *text = read_file(path, NULL);
    if (intervals == 0 || text == NULL)
        measure_fail("%s: a trace without intervals", path);
    measure_figure("trace.bytes_per_member", (double)strlen(text) / intervals / MEMBERS, "B");
    free(text);
    free(path);
    cJSON_Delete(events);
}

int main(void)
{
    char *dir = measure_begin("trace");
    in_instructions(dir);
    in_wall_time(dir);
    in_bytes(dir);
    free(dir);
    return 0;
}
