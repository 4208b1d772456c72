/* SPDX-License-Identifier: BSD-3-Clause
 * Pipelines among the members. */
#include "decide/predict/pipelines.h"

#include <math.h>
#include <stdlib.h>

#include "decide/communication/mpi_cost.h"

/* Less of the computation is not worth a pipeline. */
static const double least_share = 0.01;

/* In an iteration; 0: it is none. Where the end of one pipeline is the begin of the next the first
 * tile of that is not seen there. */
static double tiles_of(const xmpi_situation_t *at, int way)
{
    int64_t least = INT64_MAX, most = 0, iterations = at->samples[0].iterations;
    for (int i = 0; i < at->layout->members; i++) {
        int64_t number = at->samples[i].tiles[way].number;
        least = number < least ? number : least;
        most = number > most ? number : most;
    }
    return iterations > 0 && 2 * least >= most ? (double)most / (double)iterations : 0;
}

/* Of all computation. */
static double share_of(const xmpi_situation_t *at, int way)
{
    double tiles = 0, all = 0;
    for (int i = 0; i < at->layout->members; i++) {
        tiles += at->samples[i].tiles[way].seconds;
        all += at->samples[i].computation;
    }
    return all > 0 ? fmin(1, tiles / all) : 0;
}

/* Whether nobody leaves an iteration before all have come to the same place in it. */
static bool meet(const xmpi_situation_t *at)
{
    const xmpi_sample_t *sample = &at->samples[0];
    for (int i = 0; i < sample->observed_kinds; i++)
        if (xmpi_kind_meets((xmpi_kind_t)sample->observed[i].kind) && !sample->observed[i].posted &&
            sample->observed[i].members == at->layout->members &&
            sample->observed[i].calls >= sample->iterations)
            return true;
    return false;
}

xmpi_pipelines_t xmpi_pipelines_find(const xmpi_situation_t *at)
{
    xmpi_pipelines_t found = {.seen = 1};
    int ways = 0;
    for (int way = 0; way < 2 && at->layout->members > 1; way++) {
        double share = share_of(at, way), tiles = tiles_of(at, way);
        if (tiles < 1 || share < least_share)
            continue;
        found.tiles[way] = tiles;
        found.share[way] = share;
        ways++;
    }
    if (found.share[0] + found.share[1] > 1)
        found.share[1] = 1 - found.share[0];
    found.known = ways == 2 || (ways == 1 && meet(at));
    return found;
}

void xmpi_pipelines_add(const xmpi_pipelines_t *pipelines, xmpi_mheta_program_t *program)
{
    for (int way = 0; way < 2 && pipelines->known; way++) {
        if (!(pipelines->tiles[way] > 0))
            continue;
        program->stages++;
        program->section[program->sections++] = (xmpi_mheta_section_t){
            .stages = 1,
            .pattern = way == 0 ? XMPI_MHETA_PIPELINE : XMPI_MHETA_PIPELINE_BACK,
            .sent = -1,
            .tiles = (int)fmin(1e9, rint(pipelines->tiles[way]))};
    }
}

xmpi_status_t xmpi_pipelines_skew(const xmpi_mheta_t *model, const xmpi_block_t *blocks,
                                  double *seconds)
{
    double *clock = malloc(3 * (size_t)model->n * sizeof *clock), longest = 0;
    if (clock == NULL)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < model->n; i++)
        longest = fmax(longest, xmpi_mheta_alone(model, i, blocks[i].displ,
                                                 blocks[i].displ + blocks[i].count));
    *seconds = fmax(0, xmpi_mheta_iteration(model, blocks, clock, NULL) - longest);
    free(clock);
    return XMPI_OK;
}
