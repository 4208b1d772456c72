/* SPDX-License-Identifier: BSD-3-Clause
 * Weighing: the use of what is learnt of rows that nobody has weighed. */
#include "decide/leader/weigh.h"

#include "decide/plan/plan.h"

#include <stdlib.h>
#include <string.h>

/* Divides the work of all SAMPLES as rows weigh by PREFIX. All of it stays what it was, so that
 * speeds of processing elements without a member, which are known from before, or by what they do
 * of such work, go on to be comparable. Where nobody has counted any, a row of mean weight is one.
 */
static void set_work(const xmpi_layout_t *layout, const double *prefix, xmpi_sample_t *samples)
{
    double all = 0, iterations = (double)samples[0].iterations;
    for (int i = 0; i < layout->members; i++)
        all += samples[i].work;
    double each = all > 0 ? all / prefix[layout->domain] : iterations;
    for (int i = 0; i < layout->members; i++) {
        const xmpi_block_t *block = &layout->member[i].block;
        samples[i].work = each * (prefix[block->displ + block->count] - prefix[block->displ]);
    }
}

/* Where the counter has told the work itself, it is in the samples already. */
static xmpi_weighed_t weigh(const xmpi_density_t *density, const xmpi_layout_t *layout,
                            const xmpi_sample_t *samples)
{
    size_t size = (size_t)layout->members * sizeof *samples;
    xmpi_weighed_t weighed = {malloc(((size_t)layout->domain + 1) * sizeof *weighed.prefix),
                              malloc(size)};
    if (weighed.prefix == NULL || weighed.samples == NULL ||
        xmpi_density_prefix(density, layout->domain, weighed.prefix) != XMPI_OK) {
        xmpi_weighed_free(&weighed);
        return weighed;
    }
    memcpy(weighed.samples, samples, size);
    if (!density->counted)
        set_work(layout, weighed.prefix, weighed.samples);
    return weighed;
}

xmpi_weighed_t xmpi_weigh(const xmpi_density_t *density, xmpi_history_t *history,
                          const xmpi_layout_t *layout, const xmpi_sample_t *samples)
{
    xmpi_weighed_t weighed = {NULL, NULL};
    if (density->differs)
        weighed = weigh(density, layout, samples);
    if (weighed.prefix != NULL && !density->counted)
        xmpi_history_begin_anew(history);
    return weighed;
}

double *xmpi_weigh_by_profile(const xmpi_profile_t *profile, const xmpi_profile_origin_t *here,
                              int64_t domain)
{
    char why[XMPI_REASON_MAX];
    double before[XMPI_PROFILE_PARTS + 1];
    if (profile == NULL || !xmpi_profile_is_of(profile, here, why, sizeof why) ||
        !xmpi_profile_weights(profile, before))
        return NULL;
    double *prefix = malloc(((size_t)domain + 1) * sizeof *prefix);
    for (int64_t row = 0; row <= domain && prefix != NULL; row++) {
        const xmpi_block_t rows = {.count = row, .displ = 0};
        prefix[row] = (double)domain * xmpi_profile_share(before, domain, &rows);
    }
    return prefix;
}

void xmpi_weighed_free(xmpi_weighed_t *weighed)
{
    free(weighed->prefix);
    free(weighed->samples);
    *weighed = (xmpi_weighed_t){NULL, NULL};
}
