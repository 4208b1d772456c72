/* SPDX-License-Identifier: BSD-3-Clause
 * Measures what it takes to add and to remove processes, against bare MPI in the same run: growing
 * by 8 and shrinking by one with new processes, waking 8 spares, and what parked processes use. */
#define _GNU_SOURCE
#include "bench/measure.h"

enum { JOINERS = 8, MEMBERS = 2, ROUNDS = 3, CYCLES = 3, WAKES = 12, LIMIT = 60, WATCH = 4 };

static void build(const char *dir)
{
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/bin/mpicc' -O2 '%s/tests/bench/programs/bare.c' -o bare",
                                  build_dir(), source_dir())));
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/bin/mpicc' -O2 -I'%s/include' "
                                  "'%s/tests/bench/programs/steady.c' -o steady -L'%s/lib' -lxmpi "
                                  "-Wl,-rpath,'%s/lib'",
                                  build_dir(), build_dir(), source_dir(), build_dir(),
                                  build_dir())));
}

/* CYCLES times: all joiners come at once, and leave LEAVING at a time; one action an iteration. How
 * many iterations that takes. */
static int write_schedule(const char *dir, int cycles, int leaving)
{
    char *text = NULL;
    size_t length;
    int at = 0;
    FILE *file = open_memstream(&text, &length);
    if (file == NULL)
        measure_fail("there is not enough memory");
    for (int i = 0; i < cycles; i++) {
        fprintf(file, "spawn %d any %d\n", JOINERS, ++at);
        for (int left = JOINERS; left > 0; left -= leaving)
            fprintf(file, "remove %d any %d\n", leaving, ++at);
    }
    fclose(file);
    measure_write(dir, "schedule", text);
    free(text);
    return at + 2;
}

/* The costs of the reconfigurations of a kind, all of which must have been done. */
static void read_costs(const char *dir, const char *kind, int expected, series_t *seconds)
{
    int found = 0;
    const cJSON *event;
    cJSON *events = trace_events(dir, "trace");
    cJSON_ArrayForEach(event, events)
    {
        if (!trace_is_done(event) || !trace_is(event, "kind", kind))
            continue;
        series_add(seconds, trace_number(event, "seconds"));
        found++;
    }
    cJSON_Delete(events);
    if (found != expected)
        measure_fail("%d times \"%s\" in %s/trace, not %d", found, kind, dir, expected);
}

static char *run_steady(const char *dir, int processes, const char *settings, int iterations,
                        int watch)
{
    return measure_run(dir, LIMIT,
                       measure_text("rm -f trace; XMPI_POLICY=schedule XMPI_SCHEDULE=schedule "
                                    "XMPI_INTERVAL=1 XMPI_IMBALANCE=1 XMPI_TRACE=trace %s "
                                    "exec '%s/bin/mpiexec' -n %d ./steady %d %d",
                                    settings, build_dir(), processes, iterations, watch));
}

static void measure_bare(const char *dir, const char *settings, series_t *grow, series_t *shrink)
{
    char *output = measure_run(dir, LIMIT,
                               measure_text("%s exec '%s/bin/mpiexec' -n %d ./bare %d", settings,
                                            build_dir(), MEMBERS, CYCLES));
    if (series_add_lines(grow, output, "grow ") != CYCLES ||
        series_add_lines(shrink, output, "shrink ") != CYCLES * JOINERS)
        measure_fail("not every step of the bare program is in its output:\n%s", output);
    free(output);
}

static void measure_spawn(const char *dir, const char *strategy, series_t *grow, series_t *shrink)
{
    char *settings = measure_text("XMPI_BACKEND=spawn XMPI_MAX=%d XMPI_STRATEGY=%s",
                                  MEMBERS + JOINERS, strategy);
    int iterations = write_schedule(dir, CYCLES, 1);
    free(run_steady(dir, MEMBERS, settings, iterations, 0));
    read_costs(dir, "grow", CYCLES, grow);
    read_costs(dir, "shrink", CYCLES * JOINERS, shrink);
    free(settings);
}

/* The first growth of a run starts the spawners, too. To be asked before the series is sorted. */
static double first(const series_t *grow)
{
    series_t firsts = {0};
    for (int i = 0; i < grow->n; i += CYCLES)
        series_add(&firsts, grow->value[i]);
    double median = series_median(&firsts);
    series_free(&firsts);
    return median;
}

static void figures_of_shrinking(series_t *shrink, series_t *bare)
{
    double shrunk = series_median(shrink), bare_shrunk = series_median(bare);
    measure_figure("shrink1.ms", 1e3 * shrunk, "ms");
    measure_figure("shrink1.bare.ms", 1e3 * bare_shrunk, "ms");
    measure_figure("shrink1.over_bare", shrunk / bare_shrunk, "ratio");
}

/* All in turns: the strategies, bare MPI, and bare MPI whose processes start as quickly as XMPI's
 * do, without looking at the devices of the node (program/api/lifecycle.c). */
static void spawn_against_bare(const char *dir)
{
    static const char *const strategies[] = {"auto", "serial", "group"};
    static const char *const names[] = {"grow8", "grow8.serial", "grow8.group"};
    series_t grow[3] = {{0}}, shrink[3] = {{0}}, bare_grow[2] = {{0}}, bare_shrink[2] = {{0}};
    for (int i = 0; i < ROUNDS; i++) {
        measure_bare(dir, "", &bare_grow[0], &bare_shrink[0]);
        measure_bare(dir, "HWLOC_COMPONENTS=-linux:0x18,-pci,-x86", &bare_grow[1], &bare_shrink[1]);
        for (int k = 0; k < 3; k++)
            measure_spawn(dir, strategies[k], &grow[k], &shrink[k]);
    }
    measure_figure("grow8.first.ms", 1e3 * first(&grow[0]), "ms");
    double bare = series_median(&bare_grow[0]), quick = series_median(&bare_grow[1]);
    measure_figure("grow8.bare.ms", 1e3 * bare, "ms");
    measure_figure("grow8.bare_without_devices.ms", 1e3 * quick, "ms");
    for (int k = 0; k < 3; k++) {
        char *ms = measure_text("%s.ms", names[k]), *ratio = measure_text("%s.over_bare", names[k]);
        char *like = measure_text("%s.over_bare_without_devices", names[k]);
        double grown = series_median(&grow[k]);
        measure_figure(ms, 1e3 * grown, "ms");
        measure_figure(ratio, grown / bare, "ratio");
        measure_figure(like, grown / quick, "ratio");
        free(ms);
        free(ratio);
        free(like);
    }
    figures_of_shrinking(&shrink[0], &bare_shrink[0]);
    for (int k = 0; k < 3; k++) {
        series_free(&grow[k]);
        series_free(&shrink[k]);
    }
    for (int k = 0; k < 2; k++) {
        series_free(&bare_grow[k]);
        series_free(&bare_shrink[k]);
    }
}

/* How long members stand still when the processes are got in the background. */
static void background(const char *dir)
{
    series_t grow = {0};
    for (int i = 0; i < ROUNDS; i++) {
        measure_write(dir, "schedule", "spawn 8 any 1\n");
        char *settings =
            measure_text("XMPI_BACKEND=spawn XMPI_MAX=%d XMPI_BACKGROUND=1", MEMBERS + JOINERS);
        free(run_steady(dir, MEMBERS, settings, 200, 0));
        read_costs(dir, "grow", 1, &grow);
        free(settings);
    }
    measure_figure("grow8.background.ms", 1e3 * series_median(&grow), "ms");
    series_free(&grow);
}

static double parked_percent(const char *output)
{
    int parked;
    double percent;
    const char *line = strstr(output, "parked ");
    if (line == NULL || sscanf(line, "parked %d %lf", &parked, &percent) != 2)
        measure_fail("the program has not said what parked processes use, but\n%s", output);
    if (parked != JOINERS)
        measure_fail("%d parked processes have been found, not %d", parked, JOINERS);
    return percent;
}

static void pool(const char *dir)
{
    series_t wake = {0};
    char *settings = measure_text("XMPI_BACKEND=pool XMPI_ACTIVE=%d", MEMBERS);
    int iterations = write_schedule(dir, WAKES, JOINERS);
    char *output = run_steady(dir, MEMBERS + JOINERS, settings, iterations, WATCH);
    read_costs(dir, "grow", WAKES, &wake);
    measure_figure("wake8.ms", 1e3 * series_median(&wake), "ms");
    measure_figure("parked.cpu_percent", parked_percent(output), "percent");
    series_free(&wake);
    free(settings);
    free(output);
}

int main(void)
{
    char *dir = measure_begin("process");
    build(dir);
    spawn_against_bare(dir);
    background(dir);
    pool(dir);
    free(dir);
    return 0;
}
