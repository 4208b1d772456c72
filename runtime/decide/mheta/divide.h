/* SPDX-License-Identifier: BSD-3-Clause
 * MHETA: the best division of the rows. */
#ifndef XMPI_DECIDE_MHETA_DIVIDE_H
#define XMPI_DECIDE_MHETA_DIVIDE_H

#include "decide/mheta/mheta.h"

/* The division with the shortest iteration if nobody waited, which is exact; or one of the
 * layouts of layouts.h, where that is better with all waiting; and from there by moves of rows as
 * long as the iteration becomes shorter. XMPI_ERR_INPUT where the rows do not fit. */
xmpi_status_t xmpi_mheta_divide(const xmpi_mheta_t *model, int64_t domain, xmpi_block_t *blocks,
                                xmpi_error_t *error);

#endif
