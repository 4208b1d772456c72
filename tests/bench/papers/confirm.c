/* SPDX-License-Identifier: BSD-3-Clause
 * Confirms the simulator: a program runs for real on the emulated cluster, with each of four
 * techniques under the same loads, and is simulated; how far the simulated iterations are from the
 * real ones is the figure. A minute or two, and so not part of `make bench`: make bench-confirm. */
#define _GNU_SOURCE
#include "bench/papers/swap.h"

/* 3 members on 6 nodes, 100 rows each: 0.25 s an iteration where nobody shares the nodes. */
static const setting_t confirmed = {"synthetic", "100 300 10 1000 1e6", .kappa = 2.5e-3, .nodes = 6,
                                    .active = 3};

/* Two of the members' nodes are shared for a while, another for longer, and an idle one. */
static const char script[] = "0s n1\n0s n2\n0s n3\n0s n4\n0s n5\n0s n6\n"
                             "4s n2 load=1\n9s n4 load=1\n12s n3 load=2\n17s n2\n20s n1 load=1\n"
                             "24s n3\n26s n4\n28s n2 load=1\n34s n1\n45s n2\n";

/* Iterations that run twice for the check are not simulated, nor is it where a program begins that
 * looks for the fastest nodes, which are alike. */
#define CONFIRMED "XMPI_CHECK=off XMPI_START=order "

static const way_t real[] = {
    {.name = "nop", .settings = CONFIRMED "XMPI_POLICY=balance XMPI_IMBALANCE=1 XMPI_INTERVAL=4"},
    {.name = "swap",
     .settings = CONFIRMED "XMPI_POLICY=swap XMPI_SWAP=greedy XMPI_IMBALANCE=1 XMPI_INTERVAL=4"},
    {.name = "balance", .settings = CONFIRMED "XMPI_POLICY=balance XMPI_INTERVAL=4"},
    {.name = "both", .settings = CONFIRMED "XMPI_POLICY=swap XMPI_INTERVAL=4"},
};
enum { WAYS = sizeof real / sizeof *real };

/* When the program began, by the time of the script. */
static double began(const way_t *way)
{
    char *name = measure_text("trace.%s", way->name), *path = measure_text("%s/started", dir);
    cJSON *events = trace_events(dir, name);
    double at = trace_number(cJSON_GetArrayItem(events, 0), "began");
    char *started = read_file(path, NULL);
    if (started == NULL)
        measure_fail("%s cannot be read", path);
    at -= atof(started);
    cJSON_Delete(events);
    free(started);
    free(path);
    free(name);
    return at;
}

/* The same for the simulator: its nodes count from 0, and its time begins with the program. */
static void write_scenario(double later)
{
    measure_write(dir, "scenario",
                  "nodes 6\nactive 3\nstart order\nspeed 400\nwork 300\nrows 300\niterations 100\n"
                  "pattern ring\nbytes 1000\nstate 333333\n"
                  "network switched\nbandwidth 1e9\nlatency 1e-4\nwake 2e-3\nlook 5e-4\n"
                  "load file\nload.file loads\n"
                  "technique nop policy=balance imbalance=1 interval=4\n"
                  "technique swap policy=swap swap=greedy imbalance=1 interval=4\n"
                  "technique balance policy=balance interval=4\n"
                  "technique both policy=swap interval=4\n");
    free(measure_run(dir, LIMIT,
                     measure_text("awk '{ t = $1 - %g; $1 = (t > 0 ? t : 0) \"s\"; "
                                  "$2 = \"n\" substr($2, 2) - 1; if (NF < 3) $3 = \"load=0\"; "
                                  "print }' script >loads",
                                  later)));
}

static double simulated_seconds(const char *technique)
{
    char *text = measure_run(dir, LIMIT,
                             measure_text("'%s/bin/xmpi-simulate' -q -n 1 -t %s scenario | "
                                          "tail -n 1 | cut -d, -f3",
                                          build_dir(), technique));
    double seconds = atof(text);
    free(text);
    return seconds;
}

int main(void)
{
    way_t way[WAYS];
    double sum = 0;
    dir = measure_begin("confirm");
    memcpy(way, real, sizeof way);
    build_synthetic();
    write_machines(confirmed.nodes);
    measure_write(dir, "script", script);
    run_ways(&confirmed, way, WAYS);
    for (int i = 0; i < WAYS; i++) {
        write_scenario(began(&way[i]));
        double simulated = simulated_seconds(way[i].name);
        double error = 100 * (simulated / way[i].seconds - 1);
        char *name = measure_text("simulate.%s.error_percent", way[i].name);
        printf("%s: %.2f s, simulated %.2f s; changes %d\n", way[i].name, way[i].seconds, simulated,
               way[i].changes);
        measure_figure(name, error, "%");
        sum += fabs(error);
        free(name);
    }
    measure_figure("simulate.error_percent", sum / WAYS, "%");
    free(dir);
    return 0;
}
