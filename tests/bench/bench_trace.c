/* SPDX-License-Identifier: BSD-3-Clause
 * Measures what a trace costs: a run with one against the same run without. */
#define _GNU_SOURCE
#include "bench/callgrind.h"
#include "bench/jacobi.h"

enum { ORDER = 300, ITERATIONS = 400, MEMBERS = 2, PAIRS = 40 };

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

/* How many times longer a run with a trace takes than one without, close to one another. */
static double compare_runs(const jacobi_t *jacobi, int plain_first)
{
    double before = plain_first ? jacobi_run(jacobi, "adaptive", "XMPI_IMBALANCE=1") : 0;
    double traced = jacobi_run(jacobi, "adaptive", "XMPI_IMBALANCE=1 " TRACED);
    double without = plain_first ? before : jacobi_run(jacobi, "adaptive", "XMPI_IMBALANCE=1");
    return traced / without;
}

/* Two equal members and 1 ms per iteration; nothing changes. */
static void in_wall_time(const char *dir)
{
    jacobi_t jacobi = {dir, ORDER, ITERATIONS, MEMBERS, "C1=1", 1e-3 * MEMBERS / ORDER / ORDER};
    series_t ratio = {0};
    jacobi_build(&jacobi);
    measure_write(dir, "machines", "n1:C1:1\nn2:C1:1\n");
    for (int i = 0; i < PAIRS; i++)
        series_add(&ratio, compare_runs(&jacobi, i % 2 == 0));
    measure_figure("trace.wall_percent", 100 * (series_median(&ratio) - 1), "percent");
    measure_figure("trace.wall_error_percent", 100 * series_error(&ratio), "percent");
    series_free(&ratio);
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
