/* SPDX-License-Identifier: BSD-3-Clause
 * Measures process swapping after O. Sievert (2003), on the emulated cluster: some minutes, and so
 * not part of `make bench`: make bench-swap. Arguments choose parts: start (Figs 4.2-4.4), fish
 * (4.5), synthetic (4.6, 4.7), onoff (6.7 and 6.11, with real processes), jobs (6.13).
 *
 * Iterations are shorter than the paper's minutes, and so are the times for which loads last. */
#define _GNU_SOURCE
#include "bench/papers/swap.h"

/* --- what over-allocation costs ------------------------------------------------------------------
 */

enum { START_RUNS = 3 };

typedef struct {
    double init, barrier, finalize;
} start_t;

static double median_line(const char *output, const char *name)
{
    series_t found = {0};
    series_add_lines(&found, output, name);
    double median = series_median(&found);
    series_free(&found);
    return median;
}

static start_t start_with(int processes, const char *settings)
{
    char *output = measure_run(
        dir, LIMIT,
        measure_text("for i in $(seq %d); do env %s $(readlink -f '%s/bin/mpiexec') -n %d "
                     "./sleep 200 1; done",
                     START_RUNS, settings, build_dir(), processes));
    start_t start = {median_line(output, "init "), median_line(output, "barrier "),
                     median_line(output, "finalize ")};
    free(output);
    return start;
}

/* Of a line by least squares. */
static double slope(const double *x, const double *y, int n)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < n; i++) {
        sx += x[i];
        sy += y[i];
        sxx += x[i] * x[i];
        sxy += x[i] * y[i];
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static void measure_start(void)
{
    static const double processes[] = {2, 4, 8, 16};
    enum { SIZES = 4 };
    double init[SIZES], barrier[SIZES], finalize[SIZES];
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/bin/xmpicc' -O2 '%s/tests/bench/programs/sleep.c' -o sleep "
                                  "2>/dev/null",
                                  build_dir(), source_dir())));
    for (int i = 0; i < SIZES; i++) {
        start_t start = start_with((int)processes[i], "XMPI_POLICY=off");
        init[i] = start.init;
        barrier[i] = start.barrier;
        finalize[i] = start.finalize;
    }
    measure_figure("swap.init.ms_per_process", 1e3 * slope(processes, init, SIZES), "ms");
    measure_figure("swap.barrier.us_per_process", 1e6 * slope(processes, barrier, SIZES), "us");
    measure_figure("swap.finalize.ms_per_process", 1e3 * slope(processes, finalize, SIZES), "ms");
    start_t with = start_with(16, "XMPI_BACKEND=pool XMPI_ACTIVE=2");
    measure_figure("swap.spares.barrier_ratio", with.barrier / barrier[0], "");
}

/* --- swapping with one's own load subtracted
 * ------------------------------------------------------
 */

/* As in Fig. 4.5: two nodes that are much alike, one that is good and gets worse, one that gets
 * better. */
static const char fish_script[] = "0s n1 load=1\n4s n1 load=2\n6s n1 load=1\n11s n1 load=2\n"
                                  "13s n1 load=1\n"
                                  "0s n2 load=1\n5s n2 load=2\n7s n2 load=1\n14s n2 load=2\n"
                                  "16s n2 load=1\n"
                                  "0s n3\n12s n3 load=1\n18s n3 load=2\n"
                                  "0s n4 load=2\n9s n4 load=1\n13s n4\n";

static void measure_fish(void)
{
    static const setting_t setting = {"fish", "-n 2000 -i 200", .kappa = 1.4e-6, .nodes = 4,
                                      .active = 2};
    way_t ways[] = {
        {.name = "nop", .settings = "XMPI_POLICY=balance XMPI_IMBALANCE=1"},
        {.name = "greedy",
         .settings = "XMPI_POLICY=swap XMPI_SWAP=greedy XMPI_SWAPS=1 XMPI_IMBALANCE=1"}};
    build_fish();
    write_machines(setting.nodes);
    measure_write(dir, "script", fish_script);
    run_ways(&setting, ways, 2);
    measure_figure("swap.fish.swaps", ways[1].swaps, "");
    measure_figure("swap.fish.gain_percent", 100 * (1 - ways[1].seconds / ways[0].seconds), "%");
}

/* --- larger clusters -----------------------------------------------------------------------------
 */

/* Half of the nodes, heavily loaded, come and go slowly. */
static void measure_synthetic(void)
{
    static const struct {
        setting_t setting;
        int iterations;
        const char *name, *load;
    } cases[] = {
        {{"synthetic", "150 800 10 1000 1e6", 1e-3, 16, 8},
         150,
         "swap.synthetic.8of16",
         "onoff machines 60 5 2 4 0.2 0.2"},
        {{"synthetic", "150 4200 10 1000 1e6", 1e-3, 64, 42},
         150,
         "swap.synthetic.42of64",
         "onoff machines 60 5 2 4 0.05 0.2"},
    };
    build_synthetic();
    for (int i = 0; i < 2; i++) {
        way_t way = {.name = "greedy",
                     .settings = "XMPI_POLICY=swap XMPI_SWAP=greedy XMPI_IMBALANCE=1"};
        char *name = measure_text("%s.over_best", cases[i].name),
             *swaps = measure_text("%s.swaps", cases[i].name);
        write_machines(cases[i].setting.nodes);
        write_load(cases[i].load);
        run_ways(&cases[i].setting, &way, 1);
        double best = best_seconds(&cases[i].setting, cases[i].iterations, 0.1);
        measure_figure(name, way.seconds / best, "");
        measure_figure(swaps, way.swaps, "");
        free(name);
        free(swaps);
    }
}

/* --- techniques under loads that come and go -----------------------------------------------------
 */

/* Of 4 members on 16 nodes, 50 ms an iteration; by the name of what they do. NOP is a program that
 * decides on nothing, so that it, too, has spares. */
static const setting_t techniques = {"synthetic", "240 200 10 1000 1e6", 1e-3, 16, 4};
static const way_t technique[] = {
    {.name = "nop", .settings = "XMPI_POLICY=balance XMPI_IMBALANCE=1"},
    {.name = "greedy", .settings = "XMPI_POLICY=swap XMPI_SWAP=greedy XMPI_IMBALANCE=1"},
    {.name = "safe", .settings = "XMPI_POLICY=swap XMPI_SWAP=safe XMPI_IMBALANCE=1"},
    {.name = "friendly", .settings = "XMPI_POLICY=swap XMPI_SWAP=friendly XMPI_IMBALANCE=1"},
    {.name = "dlb", .settings = "XMPI_POLICY=balance"},
    {.name = "both", .settings = "XMPI_POLICY=swap"},
};

enum { NOP, GREEDY, SAFE, TECHNIQUES = sizeof technique / sizeof *technique };

/* ITERATION: seconds of one, unloaded. */
static void compare_on(const setting_t *setting, double iteration, const char *point,
                       const char *load, way_t *way)
{
    memcpy(way, technique, sizeof technique);
    write_machines(setting->nodes);
    write_load(load);
    run_ways(setting, way, TECHNIQUES);
    for (int i = 0; i < TECHNIQUES; i++) {
        char *name = measure_text("swap.%s.%s.seconds", point, way[i].name);
        measure_figure(name, way[i].seconds, "s");
        free(name);
    }
    printf("%s: swaps of greedy %d, safe %d; best %.1f s\n", point, way[GREEDY].swaps,
           way[SAFE].swaps, best_seconds(setting, 240, iteration));
}

static void compare(const char *point, const char *load, way_t *way)
{
    compare_on(&techniques, 0.05, point, load, way);
}

static double gain(const way_t *way, int technique_index)
{
    return 100 * (1 - way[technique_index].seconds / way[NOP].seconds);
}

/* The chain's steps are from longer than the run to as long as an iteration. */
static void measure_onoff(void)
{
    way_t quiet[TECHNIQUES], slow[TECHNIQUES], middle[TECHNIQUES], chaotic[TECHNIQUES];
    build_synthetic();
    compare("onoff.quiescent", "onoff machines 100 3 1 1000 0.25 0.25", quiet);
    compare("onoff.slow", "onoff machines 100 3 1 5 0.25 0.25", slow);
    compare("onoff.middle", "onoff machines 100 3 1 2 0.25 0.25", middle);
    compare("onoff.chaotic", "onoff machines 100 3 1 0.05 0.25 0.25", chaotic);
    measure_figure("swap.onoff.gain_percent", fmax(gain(slow, GREEDY), gain(middle, GREEDY)), "%");
    measure_figure("swap.safe.worst_percent", -fmin(gain(quiet, SAFE), gain(chaotic, SAFE)), "%");
}

/* 8 members with no spares, and with 75, 100 and 300 % of them; loads last for 13 s. */
static void measure_spares(void)
{
    static const int nodes[] = {8, 14, 16, 32};
    enum { POINTS = sizeof nodes / sizeof *nodes, WHOLE = 2 };
    way_t way[POINTS][TECHNIQUES];
    build_synthetic();
    for (int i = 0; i < POINTS; i++) {
        setting_t setting = {"synthetic", "240 400 10 1000 1e6", 2e-3, nodes[i], 8};
        char *point = measure_text("spares.%d", 100 * (nodes[i] - 8) / 8);
        compare_on(&setting, 0.1, point, "onoff machines 100 3 1 4 0.08 0.3", way[i]);
        free(point);
    }
    measure_figure("swap.spares.gain_percent", gain(way[WHOLE], GREEDY), "%");
}

/* 2 of 32, where a swap takes as long as two iterations. */
static void measure_large(void)
{
    static const setting_t setting = {"synthetic", "240 100 10 1000 1e8", 1e-3, 32, 2};
    static const char *const step[] = {"1000", "2", "0.5", "0.1"};
    enum { POINTS = sizeof step / sizeof *step };
    double worst[TECHNIQUES] = {0};
    build_synthetic();
    for (int i = 0; i < POINTS; i++) {
        way_t way[TECHNIQUES];
        char *point = measure_text("large.%s", step[i]);
        char *load = measure_text("onoff machines 100 3 1 %s 0.08 0.3", step[i]);
        compare_on(&setting, 0.05, point, load, way);
        for (int k = 0; k < TECHNIQUES; k++)
            worst[k] = fmax(worst[k], -gain(way, k));
        free(point);
        free(load);
    }
    measure_figure("swap.large.safe.worst_percent", worst[SAFE], "%");
    measure_figure("swap.large.greedy.worst_percent", worst[GREEDY], "%");
}

static void measure_jobs(void)
{
    way_t way[TECHNIQUES];
    build_synthetic();
    compare("jobs", "jobs machines 100 4 8 4 0.3", way);
    measure_figure("swap.jobs.gain_percent", gain(way, GREEDY), "%");
}

static const struct {
    const char *name;
    void (*measure)(void);
} parts[] = {
    {"start", measure_start}, {"fish", measure_fish},     {"synthetic", measure_synthetic},
    {"onoff", measure_onoff}, {"spares", measure_spares}, {"large", measure_large},
    {"jobs", measure_jobs},
};

int main(int argc, char **argv)
{
    dir = measure_begin("swap");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        int wanted = argc < 2;
        for (int k = 1; k < argc; k++)
            wanted |= strcmp(argv[k], parts[i].name) == 0;
        if (wanted)
            parts[i].measure();
    }
    free(dir);
    return 0;
}
