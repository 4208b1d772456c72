/* SPDX-License-Identifier: BSD-3-Clause
 * The searches of the paper that the exact one is measured beside. */
#include "bench/decide/anchors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static void *must_alloc(size_t n, size_t size)
{
    void *memory = calloc(n, size);
    if (memory == NULL)
        abort();
    return memory;
}

static double seconds(const anchor_t *anchor, int i, int64_t rows)
{
    return anchor->seconds(anchor->context, i, rows);
}

static double longest(const anchor_t *anchor, const int64_t *count)
{
    double most = 0;
    for (int i = 0; i < anchor->n; i++)
        most = fmax(most, seconds(anchor, i, count[i]));
    return most;
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Ends at random, in order. */
static void random_counts(anchor_t *anchor, int64_t *count)
{
    for (int i = 0; i < anchor->n - 1; i++)
        count[i] = (int64_t)(uniform(&anchor->seed) * (double)(anchor->rows + 1));
    count[anchor->n - 1] = anchor->rows;
    qsort(count, (size_t)anchor->n, sizeof *count, ascending);
    for (int i = anchor->n - 1; i > 0; i--)
        count[i] -= count[i - 1];
}

/* The most rows that FROM can give to TO so that TO is not done later than FROM then; at least 1.
 */
static int64_t bisect(const anchor_t *anchor, const int64_t *count, int from, int to)
{
    int64_t inside = 1, outside = count[from] + 1;
    while (inside + 1 < outside) {
        int64_t rows = inside + (outside - inside) / 2;
        if (seconds(anchor, to, count[to] + rows) <= seconds(anchor, from, count[from] - rows))
            inside = rows;
        else
            outside = rows;
    }
    return inside;
}

static int last_of(const anchor_t *anchor, const int64_t *count)
{
    int last = 0;
    for (int i = 1; i < anchor->n; i++)
        if (seconds(anchor, i, count[i]) > seconds(anchor, last, count[last]))
            last = i;
    return last;
}

static int first_of(const anchor_t *anchor, const int64_t *count)
{
    int first = 0;
    for (int i = 1; i < anchor->n; i++)
        if (seconds(anchor, i, count[i]) < seconds(anchor, first, count[first]))
            first = i;
    return first;
}

/* Whether member TO would be done before LAST with a row more. */
static int improves(const anchor_t *anchor, const int64_t *count, int last, int to)
{
    return to != last && count[last] > 0 &&
           seconds(anchor, to, count[to] + 1) < seconds(anchor, last, count[last]);
}

typedef struct {
    double seconds;
    int member;
} done_t;

static int latest_first(const void *a, const void *b)
{
    const done_t *x = a, *y = b;
    return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

/* One pass from the member that is done first to the last; whether rows were moved. */
static int pass(const anchor_t *anchor, int64_t *count, done_t *done)
{
    for (int i = 0; i < anchor->n; i++)
        done[i] = (done_t){seconds(anchor, i, count[i]), i};
    qsort(done, (size_t)anchor->n, sizeof *done, latest_first);
    int last = done[0].member;
    for (int j = anchor->n - 1; j > 0; j--) {
        int to = done[j].member;
        if (!improves(anchor, count, last, to))
            continue;
        int64_t rows = bisect(anchor, count, last, to);
        count[last] -= rows;
        count[to] += rows;
        return 1;
    }
    return 0;
}

double anchor_gbs(anchor_t *anchor)
{
    int64_t *count = must_alloc((size_t)anchor->n, sizeof *count);
    done_t *done = must_alloc((size_t)anchor->n, sizeof *done);
    random_counts(anchor, count);
    while (pass(anchor, count, done))
        ;
    double found = longest(anchor, count);
    free(done);
    free(count);
    return found;
}

double anchor_gs(anchor_t *anchor)
{
    int64_t *count = must_alloc((size_t)anchor->n, sizeof *count);
    random_counts(anchor, count);
    for (;;) {
        int from = last_of(anchor, count), to = first_of(anchor, count);
        if (!improves(anchor, count, from, to))
            break;
        int64_t rows = bisect(anchor, count, from, to);
        count[from] -= rows;
        count[to] += rows;
    }
    double found = longest(anchor, count);
    free(count);
    return found;
}

/* --- the genetic algorithm ----------------------------------------------------------------------
 */

enum { POPULATION = 100, ELITE = 2 };

typedef struct {
    double seconds;
    int64_t *end;
} one_t;

static int best_first(const void *a, const void *b)
{
    const one_t *x = a, *y = b;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static void rate(const anchor_t *anchor, one_t *one)
{
    one->seconds = 0;
    for (int i = 0; i < anchor->n; i++) {
        int64_t begin = i == 0 ? 0 : one->end[i - 1];
        one->seconds = fmax(one->seconds, seconds(anchor, i, one->end[i] - begin));
    }
}

static int in_order(const anchor_t *anchor, const one_t *one)
{
    for (int i = 1; i < anchor->n; i++)
        if (one->end[i] < one->end[i - 1])
            return 0;
    return 1;
}

/* The better of two at random. */
static const one_t *parent(anchor_t *anchor, const one_t *all)
{
    const one_t *a = &all[(int)(uniform(&anchor->seed) * POPULATION)];
    const one_t *b = &all[(int)(uniform(&anchor->seed) * POPULATION)];
    return a->seconds < b->seconds ? a : b;
}

static void breed(anchor_t *anchor, const one_t *all, one_t *child)
{
    const one_t *mother = parent(anchor, all), *father = parent(anchor, all);
    int first = (int)(uniform(&anchor->seed) * anchor->n);
    int second = (int)(uniform(&anchor->seed) * anchor->n);
    for (int i = 0; i < anchor->n; i++) {
        int between = (i >= first && i < second) || (i >= second && i < first);
        child->end[i] = between ? father->end[i] : mother->end[i];
        if (i < anchor->n - 1 && uniform(&anchor->seed) < 0.05)
            child->end[i] = (int64_t)(uniform(&anchor->seed) * (double)(anchor->rows + 1));
    }
}

static void make_population(anchor_t *anchor, one_t *all)
{
    for (int k = 0; k < POPULATION; k++) {
        all[k].end = must_alloc((size_t)anchor->n, sizeof *all[k].end);
        random_counts(anchor, all[k].end);
        for (int i = 1; i < anchor->n; i++)
            all[k].end[i] += all[k].end[i - 1];
        rate(anchor, &all[k]);
    }
}

double anchor_ga(anchor_t *anchor)
{
    one_t all[POPULATION], next[POPULATION];
    int64_t left = anchor->evaluations - POPULATION;
    make_population(anchor, all);
    for (int k = 0; k < POPULATION; k++)
        next[k].end = must_alloc((size_t)anchor->n, sizeof *next[k].end);
    while (left > 0) {
        qsort(all, POPULATION, sizeof *all, best_first);
        for (int k = 0; k < POPULATION; k++) {
            if (k < ELITE || left <= 0) { /* (what is not bred any more stays) */
                memcpy(next[k].end, all[k].end, (size_t)anchor->n * sizeof *all[k].end);
                next[k].seconds = all[k].seconds;
                continue;
            }
            do
                breed(anchor, all, &next[k]);
            while (!in_order(anchor, &next[k]));
            rate(anchor, &next[k]);
            left--;
        }
        for (int k = 0; k < POPULATION; k++) {
            one_t old = all[k];
            all[k] = next[k];
            next[k] = old;
        }
    }
    qsort(all, POPULATION, sizeof *all, best_first);
    double found = all[0].seconds;
    for (int k = 0; k < POPULATION; k++) {
        free(all[k].end);
        free(next[k].end);
    }
    return found;
}

/* --- simulated annealing ------------------------------------------------------------------------
 */

enum { PATIENCE = 20 };

/* ROWS of member FROM to the others: who is done early gets more. */
static void share_out(anchor_t *anchor, int64_t *count, int from, int64_t rows)
{
    double sum = 0, last = seconds(anchor, from, count[from]);
    int64_t given = 0;
    for (int i = 0; i < anchor->n; i++)
        sum += i == from ? 0 : last - seconds(anchor, i, count[i]);
    count[from] -= rows;
    for (int i = 0; i < anchor->n && sum > 0; i++) {
        if (i == from)
            continue;
        int64_t part = (int64_t)((double)rows * fmax(0, last - seconds(anchor, i, count[i])) / sum);
        count[i] += part;
        given += part;
    }
    int to = (from + 1) % anchor->n;
    count[to] += rows - given;
}

double anchor_sa(anchor_t *anchor)
{
    size_t bytes = (size_t)anchor->n * sizeof(int64_t);
    int64_t *now = must_alloc(1, bytes), *tried = must_alloc(1, bytes);
    random_counts(anchor, now);
    double current = longest(anchor, now), best = current, temperature = current;
    int idle = 0;
    for (int64_t left = anchor->evaluations - 1; left > 0; left--) {
        int from = last_of(anchor, now);
        int64_t all = now[from];
        int64_t rows =
            idle < PATIENCE ? (int64_t)(uniform(&anchor->seed) * (double)(all + 1)) : all;
        memcpy(tried, now, bytes);
        share_out(anchor, tried, from, rows);
        double next = longest(anchor, tried);
        idle = next < best ? 0 : idle + 1;
        if (next <= current || uniform(&anchor->seed) < exp((current - next) / temperature)) {
            memcpy(now, tried, bytes);
            current = next;
        }
        if (idle > PATIENCE)
            idle = 0;
        if (next >= best)
            temperature *= 0.95;
        best = fmin(best, next);
    }
    free(now);
    free(tried);
    return best;
}
