/* SPDX-License-Identifier: BSD-3-Clause
 * Measures migration after Cores et al. (2016), figure 3, on the emulated cluster, with 64
 * processes on four nodes of 16: neighbours of a grid, and all who talk to all. Minutes, and so not
 * part of `make bench`: make bench-migrate. Of the five changes of each program: the longest time
 * in which one was decided on (the bar is 0.1 s), in which processes were got and in which programs
 * moved, and what the latter is over copying the same bytes in memory.
 *
 * Beside it the black line of figure 4, which leaves the redistribution out: a program whose rows
 * can be divided shrinks and grows with the nodes (jacobi, with a pool of processes), and all that
 * this takes counts. Arguments choose parts: halo, transpose, shrink. */
#define _GNU_SOURCE
#include <stdbool.h>

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

/* What the changes in the trace came to; the migrations are CHANGES in all, where nodes are lost
 * and come in several steps AT_LEAST as many. */
static void measure_trace(const char *program, bool at_least)
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
    if (changes < CHANGES || (changes > CHANGES && !at_least))
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
    measure_trace(program, false);
}

static void measure_halo(void)
{
    measure("halo");
}

static void measure_transpose(void)
{
    measure("transpose");
}

/* --- shrinking and growing ----------------------------------------------------------------------
 */

/* At each event there is a member on each core that is left, before the next one. */
static const char shrinking[] = SCENARIO_WORDS
    "nodes() { grep '\"outcome\":\"done\"' t | tail -n 1 | sed 's/.*\"layout\"//' | "
    "grep -o '\"node\":\"[a-z]\"' | cut -d'\"' -f4 | sort | uniq -c | "
    "awk '{ printf \"%s\", $1 $2 }'; }\n"
    "are_on() { await \"[ \\\"\\$(nodes)\\\" = $1 ]\"; }\n"
    "cores=16; rm -f t; there_are 'a b c d e f'\n"
    "XMPI_POLICY=smp XMPI_MAX=64 XMPI_ACTIVE=64 XMPI_INTERVAL=5 XMPI_TRACE=t XMPI_BACKEND=pool "
    "XMPI_WAIT=sleep XMPI_CONTROL=off $S/tests/cluster/run -m machines -n 96 -- ./jacobi -t 0 "
    "-i 100000000 system >out 2>&1 & job=$!\n"
    "trap 'kill $job' EXIT\n"
    "await \"grep -q '\\\"interval\\\"' t 2>/dev/null\"\n"
    "there_are 'b c d e' 'a f'; are_on 16b16c16d16e\n"
    "there_are 'c d e' 'a b f'; are_on 16c16d16e\n"
    "there_are 'd e' 'a b c f'; are_on 16d16e\n"
    "there_are e 'a b c d f'; are_on 16e\n"
    "there_are 'a b c f' 'd e'; are_on 16a16b16c16f\n";

static void measure_shrink(void)
{
    free(measure_run(dir, LIMIT,
                     measure_text("for cc in mpicc xmpicc; do make -s -C '%s/examples/jacobi' "
                                  "CC=\"'%s/bin/$cc'\" BUILD=\"$PWD/$cc\"; done; "
                                  "cp xmpicc/jacobi . && mpicc/generate -n 2000 system",
                                  source_dir(), build_dir())));
    free(measure_run(dir, LIMIT, measure_text("S='%s'\n%s", source_dir(), shrinking)));
    measure_trace("shrink", true);
}

static const struct {
    const char *name;
    void (*measure)(void);
} parts[] = {{"halo", measure_halo}, {"transpose", measure_transpose}, {"shrink", measure_shrink}};

int main(int argc, char **argv)
{
    dir = measure_begin("migrate");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        bool wanted = argc < 2;
        for (int k = 1; k < argc; k++)
            wanted = wanted || strcmp(argv[k], parts[i].name) == 0;
        if (wanted)
            parts[i].measure();
    }
    free(dir);
    return 0;
}
