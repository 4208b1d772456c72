/* SPDX-License-Identifier: BSD-3-Clause
 * Pipelines among the members, as the samples show them: in which nobody computes before the member
 * before has sent. Each tile is waited for by all that come behind, so that an iteration takes
 * longer than the slowest member computes, the more members there are and the fewer tiles: the
 * skew, which no message explains (MHETA, Nakazawa 2005, 5.3.3). */
#ifndef XMPI_DECIDE_PREDICT_PIPELINES_H
#define XMPI_DECIDE_PREDICT_PIPELINES_H

#include "decide/predict/predictor.h"

/* Those of the last interval: ways on which all members had tiles, where each iteration begins
 * anew, since all meet in it, or what goes one way comes back. In others an iteration begins before
 * the one before has come to the end, and there is no skew. */
xmpi_pipelines_t xmpi_pipelines_find(const xmpi_situation_t *at);

/* Adds them to PROGRAM, whose only section has the other computation. */
void xmpi_pipelines_add(const xmpi_pipelines_t *pipelines, xmpi_mheta_program_t *program);

/* Seconds by which an iteration of MODEL with these blocks takes longer than the member that would
 * be done last if nobody waited. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_pipelines_skew(const xmpi_mheta_t *model, const xmpi_block_t *blocks,
                                  double *seconds);

#endif
