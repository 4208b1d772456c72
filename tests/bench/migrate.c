/* SPDX-License-Identifier: BSD-3-Clause
 * Measures migration after Cores et al. (2016), figure 3, on the emulated cluster, with 64
 * processes on four nodes of 16: neighbours of a grid, and all who talk to all. Minutes, and so not
 * part of `make bench`: make bench-migrate. Of the five changes of each program: the longest time
 * in which one was decided on (the bar is 0.1 s), in which processes were got and in which programs
 * moved, and what the latter is over copying the same bytes in memory. */
#define _GNU_SOURCE
#include "bench/measure.h"
#include "cluster/scenario.h"

enum { LIMIT = 600, CHANGES = 5 };

static char *dir;

/* Seconds in which as many bytes are copied once. */
static double bare_copy(double bytes)
{
    size_t size = (size_t)bytes;
    char *from = malloc(size + 1), *to = malloc(size + 1);
    if (from == NULL || to == NULL)
        measure_fail("there is not enough memory");
    memset(from, 1, size);
    memset(to, 2, size);
    double start = measure_clock();
    memcpy(to, from, size);
    double seconds = measure_clock() - start;
    if (to[size / 2] != 1)
        measure_fail("nothing was copied");
    free(from);
    free(to);
    return seconds;
}

static void figure(const char *program, const char *what, double value, const char *unit)
{
    char *name = measure_text("migrate.%s.%s", program, what);
    measure_figure(name, value, unit);
    free(name);
}

static void measure_trace(const char *program)
{
    double scheduling = 0, processes = 0, moving = 0, all = 0, over = 0;
    int changes = 0;
    cJSON *events = trace_events(dir, "t");
    for (const cJSON *event = events->child; event != NULL; event = event->next) {
        if (trace_is(event, "event", "plan"))
            scheduling = fmax(scheduling, trace_number(event, "scheduling"));
        if (!trace_is_done(event))
            continue;
        double redistribution = trace_number(event, "redistribution");
        processes = fmax(processes, trace_number(event, "processes"));
        moving = fmax(moving, redistribution);
        all = fmax(all, trace_number(event, "seconds"));
        over = fmax(over, redistribution / bare_copy(trace_number(event, "bytes")));
        changes++;
    }
    cJSON_Delete(events);
    if (changes != CHANGES)
        measure_fail("%s: %d changes, not %d", program, changes, CHANGES);
    figure(program, "scheduling.s", scheduling, "s");
    figure(program, "processes.s", processes, "s");
    figure(program, "moving.s", moving, "s");
    figure(program, "moving_over_copy", over, "ratio");
    figure(program, "change.s", all, "s");
}

/* The lines that a program prints behind its number of steps are those of the plain one. */
static void measure(const char *program)
{
    free(measure_run(dir, LIMIT,
                     measure_text("flags=$(sed -n 's,^// flags: ,,p' '%s/tests/movable/%s.c'); "
                                  "'%s/bin/xmpicc' -O2 '%s/tests/movable/%s.c' -o %s $flags && "
                                  "'%s/bin/mpicc' -O2 -DPLAIN '%s/tests/movable/%s.c' -o %s.plain "
                                  "$flags",
                                  source_dir(), program, build_dir(), source_dir(), program,
                                  program, build_dir(), source_dir(), program, program)));
    free(measure_run(
        dir, LIMIT,
        measure_text("S='%s' program=%s cores=16\n%s", source_dir(), program, scenario)));
    free(measure_run(dir, LIMIT,
                     measure_text("steps=$(sed -n 's/^steps //p' out); '%s/bin/mpiexec' -n 64 "
                                  "./%s.plain $steps >expected; grep -v ^steps out | diff - "
                                  "expected",
                                  build_dir(), program)));
    measure_trace(program);
}

int main(void)
{
    dir = measure_begin("migrate");
    measure("halo");
    measure("transpose");
    free(dir);
    return 0;
}
