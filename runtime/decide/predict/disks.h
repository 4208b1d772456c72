/* SPDX-License-Identifier: BSD-3-Clause
 * Disks: what members wait for theirs, by what was seen of them and by what fits in the memory that
 * the machine file gives (decide/mheta/mheta.h).
 *
 * Rows that do not fit are on disk: an iteration goes through all of a member's, reads them, and
 * writes those of arrays that are not constant. Members of a node share its memory and its disk.
 * Of arrays that the runtime reads ahead only what computation does not hide is waited for. */
#ifndef XMPI_DECIDE_PREDICT_DISKS_H
#define XMPI_DECIDE_PREDICT_DISKS_H

#include "decide/predict/predictor.h"

/* Sets DISKS and row_io of PREDICTOR, which has all else. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_disks_make(xmpi_predictor_t *predictor);

/* What the places of a plan cost, where disks are known. */
typedef struct {
    const xmpi_predictor_t *predictor;
    const xmpi_plan_t *plan;
    xmpi_mheta_t model;
    xmpi_mheta_node_t *node; /* of each place, malloc */
} xmpi_disk_costs_t;

/* PLAN must outlive it; NULL: the members as they are. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_disk_costs_make(xmpi_disk_costs_t *costs, const xmpi_predictor_t *predictor,
                                   const xmpi_plan_t *plan);
void xmpi_disk_costs_free(xmpi_disk_costs_t *costs);

/* Seconds of I/O of place I in an iteration with ROWS rows. */
double xmpi_disk_seconds(const xmpi_disk_costs_t *costs, int i, int64_t rows);

/* The same and computation: an xmpi_block_cost_t (decide/partition/chain.h) of costs as CONTEXT. */
double xmpi_disk_cost(const void *context, int i, int64_t begin, int64_t end);

#endif
