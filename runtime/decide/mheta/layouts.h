/* SPDX-License-Identifier: BSD-3-Clause
 * MHETA: divisions of the rows that the paper compares (6.2.1), of those that can be asked for. */
#ifndef XMPI_DECIDE_MHETA_LAYOUTS_H
#define XMPI_DECIDE_MHETA_LAYOUTS_H

#include "decide/mheta/mheta.h"

typedef enum {
    XMPI_MHETA_BEST, /* the shortest iteration, if nobody waited */
    XMPI_MHETA_BLK,  /* equal blocks */
    XMPI_MHETA_BAL,  /* computation is balanced, I/O is ignored */
    XMPI_MHETA_IC,   /* least I/O, load is ignored */
    XMPI_MHETA_ICBAL /* as many members as possible have all in memory; then balance */
} xmpi_mheta_layout_t;

/* One of them; every member gets a row, where there are enough. XMPI_ERR_INPUT where the rows do
 * not fit. */
xmpi_status_t xmpi_mheta_lay_out(const xmpi_mheta_t *model, xmpi_mheta_layout_t layout,
                                 int64_t domain, xmpi_block_t *blocks, xmpi_error_t *error);

#endif
