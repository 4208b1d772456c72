/* SPDX-License-Identifier: BSD-3-Clause
 * Fit: the density and the speeds that explain the times of blocks best. */
#include "decide/density/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The speeds follow half of what is left unexplained, and are drawn back to where they began by
 * this share: what layouts do not tell stays as it was. */
static const double step = 0.5, pull = 0.05;

/* No row weighs nothing. */
static const double least_weight = 1e-9;

/* What is known from before is believed where it explains as much, up to this. */
static const double as_good = 1e-4;

/* Rounds: as many as OPERATIONS allow, but no fewer or more than these. */
enum { LEAST_ROUNDS = 8, MOST_ROUNDS = 100, OPERATIONS = 1000000 };

typedef struct {
    int n; /* blocks of all layouts, by layout, each by rank */
    const xmpi_seen_t *of;
    const xmpi_seen_block_t *seen;
    xmpi_density_parts_t parts;
    double *length;    /* rows of a part, or what they weigh by what is known from before */
    int *first, *last; /* part of a block, and the part behind its last */
    int *slot;         /* of the PE of a block */
    int slots;
    double *speed, *begun, *left; /* by slot: now, at the begin, what is unexplained */
} fit_t;

/* --- what there is -----------------------------------------------------------------------------
 */

static int by_row(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return (one > other) - (one < other);
}

static int find_row(const xmpi_density_parts_t *parts, int64_t row)
{
    const int64_t *at = bsearch(&row, parts->border, (size_t)parts->parts + 1, sizeof row, by_row);
    return at != NULL ? (int)(at - parts->border) : 0;
}

/* Whatever is known from before, no rows weigh nothing. */
static double length_of(const fit_t *fit, int64_t begin, int64_t end, int64_t domain)
{
    const xmpi_block_t rows = {.count = end - begin, .displ = begin};
    if (fit->of->before == NULL)
        return (double)rows.count;
    double share = xmpi_profile_share(fit->of->before, domain, &rows);
    return (double)domain * fmax(share, least_weight * (double)rows.count);
}

/* All borders that there have been, each once. */
static void set_borders(fit_t *fit)
{
    xmpi_density_parts_t *parts = &fit->parts;
    int n = 0;
    for (int i = 0; i < fit->n; i++) {
        parts->border[n++] = fit->seen[i].block.displ;
        parts->border[n++] = fit->seen[i].block.displ + fit->seen[i].block.count;
    }
    qsort(parts->border, (size_t)n, sizeof *parts->border, by_row);
    int kept = 1;
    for (int i = 1; i < n; i++)
        if (parts->border[i] != parts->border[kept - 1])
            parts->border[kept++] = parts->border[i];
    parts->parts = kept - 1;
    for (int k = 0; k < parts->parts; k++)
        fit->length[k] =
            length_of(fit, parts->border[k], parts->border[k + 1], parts->border[parts->parts]);
}

/* Members without a PE are told apart by their rank. */
static int name_of(const fit_t *fit, int i)
{
    return fit->seen[i].pe >= 0 ? fit->seen[i].pe : -1 - i % fit->of->members;
}

typedef struct {
    int name, index;
} named_t;

static int by_name(const void *a, const void *b)
{
    const named_t *one = a, *other = b;
    return (one->name > other->name) - (one->name < other->name);
}

static xmpi_status_t set_slots(fit_t *fit)
{
    named_t *named = calloc((size_t)fit->n, sizeof *named);
    if (named == NULL)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < fit->n; i++)
        named[i] = (named_t){name_of(fit, i), i};
    qsort(named, (size_t)fit->n, sizeof *named, by_name);
    for (int i = 0; i < fit->n; i++) {
        fit->slots += i == 0 || named[i].name != named[i - 1].name;
        fit->slot[named[i].index] = fit->slots - 1;
    }
    free(named);
    return XMPI_OK;
}

static void fit_free(fit_t *fit)
{
    xmpi_density_parts_free(&fit->parts);
    free(fit->length);
    free(fit->first);
    free(fit->last);
    free(fit->slot);
    free(fit->speed);
    free(fit->begun);
    free(fit->left);
}

static xmpi_status_t fit_make(const xmpi_seen_t *of, fit_t *fit)
{
    size_t n = (size_t)of->layouts * (size_t)of->members;
    *fit = (fit_t){.n = (int)n,
                   .of = of,
                   .seen = of->block,
                   .parts = {.border = calloc(2 * n + 1, sizeof(int64_t)),
                             .weight = calloc(2 * n + 1, sizeof(double))},
                   .length = calloc(2 * n + 1, sizeof(double)),
                   .first = calloc(n + 1, sizeof(int)),
                   .last = calloc(n + 1, sizeof(int)),
                   .slot = calloc(n + 1, sizeof(int)),
                   .speed = calloc(n + 1, sizeof(double)),
                   .begun = calloc(n + 1, sizeof(double)),
                   .left = calloc(n + 1, sizeof(double))};
    if (fit->parts.border == NULL || fit->parts.weight == NULL || fit->length == NULL ||
        fit->first == NULL || fit->last == NULL || fit->slot == NULL || fit->speed == NULL ||
        fit->begun == NULL || fit->left == NULL || set_slots(fit) != XMPI_OK) {
        fit_free(fit);
        return XMPI_ERR_MEMORY;
    }
    set_borders(fit);
    for (int i = 0; i < fit->n; i++) {
        fit->first[i] = find_row(&fit->parts, fit->seen[i].block.displ);
        fit->last[i] = find_row(&fit->parts, fit->seen[i].block.displ + fit->seen[i].block.count);
    }
    return XMPI_OK;
}

/* --- fitting -----------------------------------------------------------------------------------
 */

/* What the density says of a block, and what was seen of it. */
static double said(const fit_t *fit, int i)
{
    double sum = 0;
    for (int k = fit->first[i]; k < fit->last[i]; k++)
        sum += fit->parts.weight[k] * fit->length[k];
    return sum;
}

static double was_seen(const fit_t *fit, int i)
{
    return fit->of->counted ? fit->seen[i].work : fit->seen[i].seconds * fit->speed[fit->slot[i]];
}

static void fit_density(fit_t *fit)
{
    for (int i = 0; i < fit->n; i++) {
        double by = said(fit, i), factor = by > 0 ? was_seen(fit, i) / by : 1;
        for (int k = fit->first[i]; k < fit->last[i]; k++)
            fit->parts.weight[k] = fmax(least_weight, fit->parts.weight[k] * factor);
    }
}

/* The logarithm of what remains, the speeds as they are. */
static double unexplained(const fit_t *fit, int i)
{
    double by = said(fit, i), seen = was_seen(fit, i);
    return by > 0 && seen > 0 && !fit->seen[i].empty ? log(by / seen) : 0;
}

/* Only their ratios matter: the mean of their logarithms stays 0. */
static void fit_speeds(fit_t *fit)
{
    double mean = 0;
    memset(fit->left, 0, (size_t)fit->slots * sizeof *fit->left);
    for (int i = 0; i < fit->n; i++)
        fit->left[fit->slot[i]] += unexplained(fit, i) / fit->of->layouts;
    for (int s = 0; s < fit->slots; s++) {
        double drawn = pull * log(fit->speed[s] / fit->begun[s]);
        fit->left[s] = log(fit->speed[s]) + step * fit->left[s] - drawn;
        mean += fit->left[s] / fit->slots;
    }
    for (int s = 0; s < fit->slots; s++)
        fit->speed[s] = exp(fit->left[s] - mean);
}

static int rounds_of(const fit_t *fit)
{
    double each = (double)fit->of->layouts * fit->parts.parts + fit->n;
    double rounds = OPERATIONS / each;
    return rounds < LEAST_ROUNDS ? LEAST_ROUNDS : rounds > MOST_ROUNDS ? MOST_ROUNDS : (int)rounds;
}

/* Ends with the density, so that the newest layout is explained whole. FITTED: so are the
 * speeds. The root of the mean square of what remains of all. */
static double fit_from(fit_t *fit, bool fitted)
{
    double sum = 0;
    memcpy(fit->begun, fit->speed, (size_t)fit->slots * sizeof *fit->begun);
    for (int k = 0; k < fit->parts.parts; k++)
        fit->parts.weight[k] = 1;
    for (int round = rounds_of(fit); round > 0; round--) {
        fit_density(fit);
        if (fitted && round > 1)
            fit_speeds(fit);
    }
    for (int i = 0; i < fit->n; i++)
        sum += unexplained(fit, i) * unexplained(fit, i);
    return sqrt(sum / fit->n);
}

/* Whether rows may be alike, or as they are known from before, and speeds be what differs: of one
 * layout of rows that nobody knows it cannot be told, and rows without work are not like others. */
static bool may_be_as_known(const xmpi_seen_t *seen)
{
    for (int i = 0; i < seen->members; i++)
        if (seen->block[i].empty)
            return false;
    return !seen->counted && (seen->layouts > 1 || seen->before != NULL);
}

/* Speeds that explain the oldest layout if all rows are so; others stay as they are. */
static void begin_by_rows(fit_t *fit)
{
    double mean = 0;
    int n = fit->of->members;
    for (int i = 0; i < n; i++) {
        const xmpi_seen_block_t *seen = &fit->seen[i];
        double rows = 0;
        for (int k = fit->first[i]; k < fit->last[i]; k++)
            rows += fit->length[k];
        fit->speed[fit->slot[i]] = rows / seen->seconds;
        mean += log(fit->speed[fit->slot[i]]) / n;
    }
    for (int s = 0; s < fit->slots; s++)
        fit->speed[s] /= exp(mean);
}

static void begin_alike(fit_t *fit)
{
    for (int s = 0; s < fit->slots; s++)
        fit->speed[s] = 1;
}

/* The density that explains most. Speeds that need not be fitted are believed where they leave
 * little more than those that are: with as many borders nearly any speeds explain the times, by
 * densities that nothing has. BEST: room for its weights. */
static void fit_best(fit_t *fit, double *best)
{
    enum { ALIKE, ALIKE_FITTED, AS_KNOWN, AS_KNOWN_FITTED, WAYS };
    const xmpi_seen_t *seen = fit->of;
    double least = INFINITY;
    for (int way = 0; way < WAYS; way++) {
        bool fitted = way == ALIKE_FITTED || way == AS_KNOWN_FITTED, known = way >= AS_KNOWN;
        if ((fitted && (seen->counted || seen->layouts < 2)) || (known && !may_be_as_known(seen)))
            continue;
        begin_alike(fit);
        if (known)
            begin_by_rows(fit);
        double left = fit_from(fit, fitted);
        left = fitted ? left : fmax(0, left / 2 - (known && seen->before != NULL ? as_good : 0));
        if (left < least || (left <= least && known && seen->before != NULL)) {
            least = left;
            memcpy(best, fit->parts.weight, (size_t)fit->parts.parts * sizeof *best);
        }
    }
    memcpy(fit->parts.weight, best, (size_t)fit->parts.parts * sizeof *best);
}

/* --- jumps -------------------------------------------------------------------------------------
 */

/* Neighbours that differ by so many times have a jump between them, not a slope. */
static const double jumps = 3;

/* The first row of part K, counted in its own, that has the density behind it; 0: there is no jump
 * within. All of it stays what it is, whatever the row. */
static int64_t jump_in(const xmpi_density_parts_t *parts, int k)
{
    if (k == 0 || k == parts->parts - 1)
        return 0;
    double before = parts->weight[k - 1], own = parts->weight[k], behind = parts->weight[k + 1];
    double least = fmin(before, behind), most = fmax(before, behind);
    if (own <= least || own >= most || most < jumps * least)
        return 0;
    int64_t rows = parts->border[k + 1] - parts->border[k];
    return (int64_t)((double)rows * (behind - own) / (behind - before));
}

/* Divides parts whose density is between those of their neighbours, as where it jumps in them: a
 * border that is sought there would come nearer by small steps only. */
static xmpi_status_t split(xmpi_density_parts_t *parts)
{
    size_t most = 2 * (size_t)parts->parts;
    xmpi_density_parts_t finer = {0, calloc(most + 1, sizeof(int64_t)),
                                  calloc(most + 1, sizeof(double))};
    if (finer.border == NULL || finer.weight == NULL) {
        xmpi_density_parts_free(&finer);
        return XMPI_ERR_MEMORY;
    }
    for (int k = 0; k < parts->parts; k++) {
        int64_t rows = parts->border[k + 1] - parts->border[k], jump = jump_in(parts, k);
        double work = parts->weight[k] * (double)rows;
        if (jump > 0) {
            finer.border[finer.parts] = parts->border[k];
            finer.weight[finer.parts++] = parts->weight[k - 1];
            work -= parts->weight[k - 1] * (double)jump;
        }
        finer.border[finer.parts] = parts->border[k] + jump;
        finer.weight[finer.parts++] = work / (double)(rows - jump);
    }
    finer.border[finer.parts] = parts->border[parts->parts];
    xmpi_density_parts_free(parts);
    *parts = finer;
    return XMPI_OK;
}

xmpi_status_t xmpi_density_fit(const xmpi_seen_t *seen, xmpi_density_parts_t *parts)
{
    fit_t fit;
    xmpi_status_t status = fit_make(seen, &fit);
    if (status != XMPI_OK)
        return status;
    double *best = calloc((size_t)fit.parts.parts + 1, sizeof *best);
    if (best == NULL) {
        fit_free(&fit);
        return XMPI_ERR_MEMORY;
    }
    fit_best(&fit, best);
    free(best);
    if (seen->before == NULL)
        status = split(&fit.parts);
    if (status == XMPI_OK) {
        *parts = fit.parts;
        fit.parts = (xmpi_density_parts_t){0};
    }
    fit_free(&fit);
    return status;
}

void xmpi_density_parts_free(xmpi_density_parts_t *parts)
{
    free(parts->border);
    free(parts->weight);
    *parts = (xmpi_density_parts_t){0};
}
