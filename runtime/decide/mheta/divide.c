/* SPDX-License-Identifier: BSD-3-Clause
 * MHETA: the best division, exact where nobody waits, improved by moves where they do. */
#include "decide/mheta/divide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decide/mheta/layouts.h"
#include "decide/partition/partition.h"

/* --- moves --------------------------------------------------------------------------------------
 */

/* Among so many, rows are moved between all pairs, and all layouts are looked at; among more that
 * would take too long. */
enum { FEW = 8 };

typedef struct {
    const xmpi_mheta_t *model;
    int64_t domain;
    double *clock;
    xmpi_block_t *best, *tried;
    double seconds; /* of BEST */
} polish_t;

static int last_member(const polish_t *polish)
{
    int last = 0;
    for (int i = 1; i < polish->model->n; i++)
        if (polish->clock[i] > polish->clock[last])
            last = i;
    return last;
}

/* ROWS from member FROM to TO, kept where the iteration is shorter. */
static bool move(polish_t *polish, int from, int to, int64_t rows)
{
    int n = polish->model->n;
    if (from == to || polish->best[from].count <= rows)
        return false;
    memcpy(polish->tried, polish->best, (size_t)n * sizeof *polish->best);
    polish->tried[from].count -= rows;
    polish->tried[to].count += rows;
    xmpi_blocks_chain(n, polish->tried);
    double seconds = xmpi_mheta_iteration(polish->model, polish->tried, polish->clock, NULL);
    if (!(seconds < polish->seconds))
        return false;
    memcpy(polish->best, polish->tried, (size_t)n * sizeof *polish->best);
    polish->seconds = seconds;
    return true;
}

/* The iteration may end late for what another member does than the one that is last: in a pipeline
 * for those before. So any member may give. */
static bool move_any(polish_t *polish, int64_t rows)
{
    int n = polish->model->n;
    bool moved = false;
    for (int from = 0; from < n; from++)
        for (int to = 0; to < n; to++)
            moved |= move(polish, from, to, rows);
    return moved;
}

static bool move_last(polish_t *polish, int64_t rows)
{
    bool moved = false;
    xmpi_mheta_iteration(polish->model, polish->best, polish->clock, NULL);
    int from = last_member(polish);
    for (int to = 0; to < polish->model->n; to++)
        moved |= move(polish, from, to, rows);
    return moved;
}

/* Begins where the iteration is shortest: waiting can make any of the layouts better than the one
 * that is best without. */
static void begin(polish_t *polish)
{
    const xmpi_mheta_t *model = polish->model;
    xmpi_error_t error;
    polish->seconds = xmpi_mheta_iteration(model, polish->best, polish->clock, NULL);
    for (int layout = XMPI_MHETA_BLK;
         layout <= (model->n <= FEW ? XMPI_MHETA_ICBAL : XMPI_MHETA_IC); layout++) {
        if (xmpi_mheta_lay_out(model, (xmpi_mheta_layout_t)layout, polish->domain, polish->tried,
                               &error) != XMPI_OK)
            continue;
        double seconds = xmpi_mheta_iteration(model, polish->tried, polish->clock, NULL);
        if (!(seconds < polish->seconds))
            continue;
        memcpy(polish->best, polish->tried, (size_t)model->n * sizeof *polish->best);
        polish->seconds = seconds;
    }
}

static void polish_blocks(polish_t *polish)
{
    bool few = polish->model->n <= FEW;
    for (int64_t rows = polish->domain / polish->model->n / 2; rows > 0; rows /= 2)
        while (few ? move_any(polish, rows) : move_last(polish, rows))
            ;
}

xmpi_status_t xmpi_mheta_divide(const xmpi_mheta_t *model, int64_t domain, xmpi_block_t *blocks,
                                xmpi_error_t *error)
{
    size_t n = (size_t)model->n;
    xmpi_status_t status =
        xmpi_partition_costs(domain, model->n, xmpi_mheta_alone, model, blocks, error);
    if (status != XMPI_OK)
        return status;
    polish_t polish = {.model = model,
                       .domain = domain,
                       .clock = malloc(3 * n * sizeof *polish.clock),
                       .best = blocks,
                       .tried = malloc(n * sizeof *polish.tried)};
    if (polish.clock == NULL || polish.tried == NULL)
        status =
            xmpi_error_set(error, XMPI_ERR_MEMORY, "memory: no memory for %d members", model->n);
    if (status == XMPI_OK) {
        begin(&polish);
        polish_blocks(&polish);
    }
    free(polish.clock);
    free(polish.tried);
    return status;
}
