/* SPDX-License-Identifier: BSD-3-Clause
 * The workload model of Lublin and Feitelson 2003. */
#include "simulate/workload/lublin.h"

#include <math.h>
#include <stdbool.h>

#include "decide/planning/draw.h"

/* --- its parameters ----------------------------------------------------------------------------
 */

/* A gamma distribution: alpha is its shape, beta its scale. */
typedef struct {
    double alpha, beta;
} gamma_t;

/* Of the jobs: so many are serial, so many have a power of two. The binary logarithm of the sizes
 * of the others is uniform in two pieces, the first from SIZE_LOW to the machine's less SIZE_BEND,
 * with the probability SIZE_FIRST. */
static const double serial = 0.244, power_of_two = 0.576;
static const double size_low = 0.8, size_bend = 2.5, size_first = 0.86;

/* The natural logarithm of their seconds: of the first with probability p_slope * size + p_base. */
static const gamma_t short_ones = {4.2, 0.94}, long_ones = {312, 0.03};
static const double p_slope = -0.0054, p_base = 0.78;
static const double seconds_most = 12; /* e^12: two days */

/* The natural logarithm of the seconds from one to the next, in a half hour with as many jobs as
 * the mean one; how many come in each half hour of a day that begins at the eleventh. */
static const gamma_t arrivals = {10.2303 * 1.0225, 0.4871}, cycle = {8.1737, 3.9631};
static const double arrivals_most = 13; /* e^13: five days */
enum { BUCKETS = 48, DAY_BEGINS = 11 };
static const double bucket_seconds = 1800;

/* --- distributions -----------------------------------------------------------------------------
 */

/* From 0, never 1. */
static double uniform(uint64_t *state)
{
    return (double)(xmpi_random_next(state) >> 11) / 9007199254740992.0;
}

/* Box & Muller 1958. */
static double normal(uint64_t *state)
{
    double radius = sqrt(-2 * log(1 - uniform(state)));
    return radius * cos(2 * 3.14159265358979323846 * uniform(state));
}

/* Marsaglia & Tsang 2000; alpha is 1 at least. */
static double gamma_drawn(uint64_t *state, gamma_t g)
{
    double d = g.alpha - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = normal(state), v = 1 + c * x;
        if (v <= 0)
            continue;
        v = v * v * v;
        if (log(1 - uniform(state)) < 0.5 * x * x + d - d * v + d * log(v))
            return d * v * g.beta;
    }
}

static double gamma_density(gamma_t g, double x)
{
    return exp((g.alpha - 1) * log(x) - x / g.beta - lgamma(g.alpha) - g.alpha * log(g.beta));
}

/* The probability of FROM to TO, by Simpson's rule. */
static double gamma_between(gamma_t g, double from, double to)
{
    enum { PIECES = 16 };
    double step = (to - from) / PIECES, sum = 0;
    for (int i = 0; i <= PIECES; i++)
        sum += (i == 0 || i == PIECES ? 1 : 2 + 2 * (i % 2)) * gamma_density(g, from + i * step);
    return sum * step / 3;
}

/* --- jobs --------------------------------------------------------------------------------------
 */

static int size_drawn(uint64_t *state, int pes)
{
    double high = log2(pes), bend = fmax(size_low, high - size_bend), kind = uniform(state);
    bool first = uniform(state) <= size_first;
    double at = uniform(state);
    if (kind <= serial || pes == 1)
        return 1;
    double size = first ? size_low + at * (bend - size_low) : bend + at * (high - bend);
    if (kind <= serial + power_of_two)
        size = floor(size + 0.5);
    int rounded = (int)(pow(2, size) + 0.5);
    return rounded < pes ? rounded : pes;
}

static double seconds_drawn(uint64_t *state, int size)
{
    double logarithm, p = p_slope * size + p_base;
    do
        logarithm = gamma_drawn(state, uniform(state) <= p ? short_ones : long_ones);
    while (logarithm > seconds_most);
    return fmax(1, floor(exp(logarithm)));
}

/* The way through the days: each half hour takes as many points as jobs come in it. */
typedef struct {
    double weight[BUCKETS]; /* the mean is 1 */
    int bucket;
    double points, begun; /* that are left in the bucket; seconds at which it began */
} clock_of_day_t;

static void clock_make(clock_of_day_t *clock)
{
    double sum = 0;
    *clock = (clock_of_day_t){.bucket = 0};
    for (int i = DAY_BEGINS; i < BUCKETS + DAY_BEGINS; i++) {
        double weight = gamma_between(cycle, i - 0.5, i + 0.5);
        clock->weight[(i - 1) % BUCKETS] = weight;
        sum += weight;
    }
    for (int i = 0; i < BUCKETS; i++)
        clock->weight[i] *= BUCKETS / sum;
}

/* When the next one comes. */
static double next_arrival(clock_of_day_t *clock, uint64_t *state)
{
    double logarithm;
    do
        logarithm = gamma_drawn(state, arrivals);
    while (logarithm > arrivals_most);
    clock->points += exp(logarithm) / bucket_seconds;
    while (clock->points > clock->weight[clock->bucket]) {
        clock->points -= clock->weight[clock->bucket];
        clock->bucket = (clock->bucket + 1) % BUCKETS;
        clock->begun += bucket_seconds;
    }
    return floor(clock->begun + bucket_seconds * clock->points / clock->weight[clock->bucket]);
}

xmpi_status_t sim_lublin(sim_jobs_t *jobs, int count, int pes, uint64_t seed)
{
    uint64_t state = seed ^ 0x6c75626c696eu;
    clock_of_day_t clock;
    clock_make(&clock);
    for (int i = 0; i < count; i++) {
        sim_job_t *job = sim_jobs_add(jobs);
        if (job == NULL)
            return XMPI_ERR_MEMORY;
        job->number = i + 1;
        job->submitted = next_arrival(&clock, &state);
        job->pes = size_drawn(&state, pes);
        job->seconds = seconds_drawn(&state, job->pes);
    }
    return XMPI_OK;
}
