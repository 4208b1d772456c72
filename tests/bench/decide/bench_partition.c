/* SPDX-License-Identifier: BSD-3-Clause
 * How long the exact division of weighted rows takes, given their prefix sums. */
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "decide/partition/partition.h"

enum { RUNS = 9 };

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* Processor time: the division waits for nothing, and other programs may run beside it. */
static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void *must_alloc(size_t n, size_t size)
{
    void *memory = calloc(n, size);
    if (memory == NULL) {
        fprintf(stderr, "bench_partition: no memory for %zu x %zu bytes\n", n, size);
        exit(1);
    }
    return memory;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Weights of a Pareto distribution (shape 1.5: infinite variance), a fifth of the rows empty. */
static void skewed_weights(int64_t domain, double *weights, uint64_t *seed)
{
    for (int64_t row = 0; row < domain; row++) {
        double u = uniform(seed);
        weights[row] = u < 0.2 ? 0 : floor(pow(1 - u, -1 / 1.5));
    }
}

/* Median of RUNS divisions, each of other rows among members of other speeds. */
static double median_ms(int64_t domain, int n, uint64_t seed)
{
    double *weights = must_alloc((size_t)domain, sizeof *weights);
    double *prefix = must_alloc((size_t)domain + 1, sizeof *prefix);
    double *speeds = must_alloc((size_t)n, sizeof *speeds);
    xmpi_block_t *blocks = must_alloc((size_t)n, sizeof *blocks);
    double ms[RUNS];
    for (int run = 0; run < RUNS; run++) {
        xmpi_error_t error;
        skewed_weights(domain, weights, &seed);
        xmpi_prefix_sums(domain, weights, prefix);
        for (int i = 0; i < n; i++)
            speeds[i] = exp(3 * uniform(&seed)); /* up to 20 times faster */
        double start = now_ms();
        if (xmpi_partition_weighted(domain, prefix, n, speeds, blocks, &error) != XMPI_OK) {
            fprintf(stderr, "bench_partition: %s\n", error.text);
            exit(1);
        }
        ms[run] = now_ms() - start;
    }
    qsort(ms, RUNS, sizeof *ms, ascending);
    free(blocks);
    free(speeds);
    free(prefix);
    free(weights);
    return ms[RUNS / 2];
}

int main(void)
{
    printf("figure\tpartition.128.ms\t%.3f\tms\n", median_ms(1000000, 128, 1));
    printf("figure\tpartition.10000.ms\t%.3f\tms\n", median_ms(10000000, 10000, 2));
    return 0;
}
