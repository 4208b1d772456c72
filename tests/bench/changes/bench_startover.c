/* SPDX-License-Identifier: BSD-3-Clause
 * What a change of a program that starts over costs, against the program's own start with as many
 * processes and the bare move of the rows: from 2 to 4 members and back, of parked processes. */
#define _GNU_SOURCE
#include "bench/measure.h"

enum { ROWS = 16384, FEW = 2, MANY = 4, CYCLES = 5, LIMIT = 240 };

static void build(const char *dir, const char *compiler, const char *output)
{
    free(
        measure_run(dir, LIMIT,
                    measure_text("'%s/bin/%s' -w -O2 '%s/tests/bench/programs/starts_over.c' -o %s",
                                 build_dir(), compiler, source_dir(), output)));
}

/* The median of what a run of the plain program prints. */
static double plain_seconds(const char *dir, int processes, const char *arguments, const char *what)
{
    series_t series = {0};
    for (int i = 0; i < CYCLES; i++) {
        char *output =
            measure_run(dir, LIMIT,
                        measure_text("%s '%s/bin/mpiexec' -n %d ./plain %d 1 %s",
                                     measure_priority(), build_dir(), processes, ROWS, arguments));
        if (series_add_lines(&series, output, what) != 1)
            measure_fail("not one \"%s\" in\n%s", what, output);
        free(output);
    }
    double median = series_median(&series);
    series_free(&series);
    return median;
}

static void write_schedule(const char *dir)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    for (int i = 0; i < CYCLES; i++)
        fprintf(file, "spawn %d any %d\nremove %d any %d\n", MANY - FEW, 4 * i + 2, MANY - FEW,
                4 * i + 4);
    fclose(file);
    measure_write(dir, "schedule", text);
    free(text);
}

/* The median seconds of changes of KIND, all of which must have been done. */
static double changes_of(const char *dir, const char *kind)
{
    series_t series = {0};
    const cJSON *event;
    cJSON *events = trace_events(dir, "trace");
    cJSON_ArrayForEach(event, events) if (trace_is_done(event) && trace_is(event, "kind", kind))
        series_add(&series, trace_number(event, "seconds"));
    cJSON_Delete(events);
    if (series.n != CYCLES)
        measure_fail("%d times \"%s\" in %s/trace, not %d", series.n, kind, dir, CYCLES);
    double median = series_median(&series);
    series_free(&series);
    return median;
}

int main(void)
{
    char *dir = measure_begin("startover");
    measure_use_memory(6);
    build(dir, "xmpicc", "changing");
    build(dir, "mpicc", "plain");
    write_schedule(dir);
    free(measure_run(dir, LIMIT,
                     measure_text("XMPI_POLICY=schedule XMPI_SCHEDULE=schedule XMPI_INTERVAL=1 "
                                  "XMPI_CHECK=off XMPI_BACKEND=pool XMPI_ACTIVE=%d "
                                  "XMPI_TRACE=trace %s '%s/bin/mpiexec' -n %d ./changing %d %d",
                                  FEW, measure_priority(), build_dir(), MANY, ROWS,
                                  4 * CYCLES + 3)));
    const double grow = changes_of(dir, "grow"), shrink = changes_of(dir, "shrink");
    const double bare_grow =
        plain_seconds(dir, MANY, "", "start ") + plain_seconds(dir, MANY, "2 4", "bare ");
    const double bare_shrink =
        plain_seconds(dir, FEW, "", "start ") + plain_seconds(dir, MANY, "4 2", "bare ");
    measure_figure("startover.grow.ms", 1e3 * grow, "ms");
    measure_figure("startover.grow.bare.ms", 1e3 * bare_grow, "ms");
    measure_figure("startover.shrink.ms", 1e3 * shrink, "ms");
    measure_figure("startover.shrink.bare.ms", 1e3 * bare_shrink, "ms");
    measure_figure("startover.over_bare", (grow + shrink) / (bare_grow + bare_shrink), "ratio");
    free(dir);
    return 0;
}
