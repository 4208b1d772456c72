/* SPDX-License-Identifier: BSD-3-Clause
 * Measures how long processes are mapped on nodes by who talks to whom: 64 and 4,096 of a grid in
 * which neighbours talk, when half of the nodes are lost and when all are mapped anew; and how much
 * then goes between nodes, over what does when those who have to leave go in order: the worst of
 * 200 random matrices, of a grid, and of all who talk to all. */
#define _GNU_SOURCE
#include "bench/measure.h"
#include "decide/mapping/mapping.h"
#include "libraries/scotch_library.h"

enum { CORES = 16, RANKS_MAX = 4096, NODES_MAX = RANKS_MAX / CORES, ROUNDS = 11, MATRICES = 200 };

static int at[RANKS_MAX], to[RANKS_MAX];
static bool stays[RANKS_MAX];
static xmpi_mapped_node_t node[NODES_MAX];
static xmpi_mapping_t mapping = {.at = at, .stays = stays, .node = node};

static uint64_t state = 1;

static int below(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)n);
}

/* Bytes that one rank sends another. */
typedef int64_t bytes_t(int from, int to_rank);

static int side[3]; /* of the grid */

static int64_t neighbours(int from, int to_rank)
{
    int apart = 0;
    for (int k = 2; k >= 0; k--) {
        apart += abs(from % side[k] - to_rank % side[k]);
        from /= side[k];
        to_rank /= side[k];
    }
    return apart == 1 ? 100000 : 0;
}

static int64_t everybody(int from, int to_rank)
{
    return from != to_rank ? 1000 : 0;
}

static int density, magnitude;

static int64_t anybody(int from, int to_rank)
{
    bool talks = below(100) < density && from != to_rank;
    return talks ? 1 + below(1 << below(magnitude)) : 0;
}

static xmpi_traffic_t matrix(int ranks, bytes_t *bytes)
{
    xmpi_traffic_t traffic;
    xmpi_error_t error = {""};
    int32_t *rows = calloc((size_t)ranks, sizeof *rows);
    xmpi_talk_t *talk = calloc((size_t)ranks * (size_t)ranks, sizeof *talk);
    if (rows == NULL || talk == NULL)
        measure_fail("there is not enough memory");
    for (int i = 0, talks = 0; i < ranks; i++)
        for (int k = 0; k < ranks; k++) {
            int64_t sent = bytes(i, k);
            if (sent > 0) {
                talk[talks++] = (xmpi_talk_t){k, 1, sent};
                rows[i]++;
            }
        }
    if (xmpi_traffic_make(&traffic, ranks, rows, talk, NULL, &error) != XMPI_OK)
        measure_fail("%s", error.text);
    free(rows);
    free(talk);
    return traffic;
}

/* All nodes are there, with places for all; ranks are on them in order. */
static void prepare(const xmpi_traffic_t *traffic)
{
    mapping.ranks = traffic->ranks;
    mapping.traffic = traffic;
    mapping.nodes = (traffic->ranks + CORES - 1) / CORES;
    for (int i = 0; i < mapping.nodes; i++)
        node[i] = (xmpi_mapped_node_t){.cores = CORES, .free = RANKS_MAX};
    for (int i = 0; i < mapping.ranks; i++) {
        at[i] = i / CORES;
        stays[i] = false;
    }
}

static void lose_half(void)
{
    for (int i = 0; i < mapping.nodes; i += 2)
        node[i].cores = node[i].free = 0;
}

static void shuffle(void)
{
    for (int i = mapping.ranks - 1; i > 0; i--) {
        int k = below(i + 1), was = at[i];
        at[i] = at[k];
        at[k] = was;
    }
}

static double cpu_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Median milliseconds of the CPU. */
static double time_of(__typeof__(xmpi_mapping_migrate) *find)
{
    series_t series = {0};
    xmpi_mapped_t mapped;
    xmpi_error_t error = {""};
    for (int i = 0; i < ROUNDS; i++) {
        double start = cpu_clock();
        if (find(&mapping, to, &mapped, &error) != XMPI_OK)
            measure_fail("%s", error.text);
        series_add(&series, 1e3 * (cpu_clock() - start));
        if (mapped.moves == 0)
            measure_fail("nobody moves");
    }
    double median = series_median(&series);
    series_free(&series);
    return median;
}

static void grid(const char *name, int x, int y, int z)
{
    side[0] = x, side[1] = y, side[2] = z;
    xmpi_traffic_t traffic = matrix(x * y * z, neighbours);
    prepare(&traffic);
    lose_half();
    double most = time_of(xmpi_mapping_migrate);
    prepare(&traffic);
    shuffle();
    measure_figure(name, fmax(most, time_of(xmpi_mapping_regroup)), "ms");
    xmpi_traffic_free(&traffic);
}

/* --- how much goes between nodes ----------------------------------------------------------------
 */

static double between(const xmpi_traffic_t *traffic)
{
    xmpi_mapped_t mapped;
    xmpi_error_t error = {""};
    if (xmpi_mapping_migrate(&mapping, to, &mapped, &error) != XMPI_OK)
        measure_fail("%s", error.text);
    return (double)xmpi_traffic_total(traffic, to).bytes;
}

/* Over what goes between them when nothing is known of the traffic. */
static double over_in_order(const xmpi_traffic_t *traffic)
{
    double mapped = between(traffic);
    mapping.traffic = NULL;
    double in_order = between(traffic);
    return in_order > 0 ? mapped / in_order : 1;
}

static void measure_bytes(void)
{
    series_t series = {0};
    double worst = 0;
    for (int i = 0; i < MATRICES; i++) {
        density = 1 + below(100);
        magnitude = 1 + below(30);
        xmpi_traffic_t traffic = matrix(2 + below(126), anybody);
        prepare(&traffic);
        for (int k = 0; k < mapping.nodes; k++)
            node[k].cores = below(3) == 0 ? 0 : 1 + below(CORES);
        for (int k = 0; k < mapping.ranks; k++)
            at[k] = below(mapping.nodes);
        double over = over_in_order(&traffic);
        series_add(&series, over);
        worst = fmax(worst, over);
        xmpi_traffic_free(&traffic);
    }
    for (int all = 0; all < 2; all++) {
        side[0] = side[1] = side[2] = 4;
        xmpi_traffic_t traffic = matrix(64, all ? everybody : neighbours);
        prepare(&traffic);
        lose_half();
        worst = fmax(worst, over_in_order(&traffic));
        xmpi_traffic_free(&traffic);
    }
    measure_figure("map.bytes_over_inorder", worst, "ratio");
    measure_figure("map.bytes_over_inorder.median", series_median(&series), "ratio");
    series_free(&series);
}

int main(void)
{
    xmpi_error_t error = {""};
    mapping.scotch = xmpi_scotch(&error);
    if (mapping.scotch == NULL)
        measure_fail("%s", error.text);
    grid("map.64.ms", 4, 4, 4);
    grid("map.4096.ms", 16, 16, 16);
    measure_bytes();
    return 0;
}
