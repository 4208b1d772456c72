/* SPDX-License-Identifier: BSD-3-Clause
 * Storage for what one process will have behind a redistribution. */
#ifndef XMPI_ACT_MOVING_REDISTRIBUTE_STORAGE_H
#define XMPI_ACT_MOVING_REDISTRIBUTE_STORAGE_H

#include "act/moving/storage/redistribution.h"

/* Whether the rows of an array that stay lie where they lie: in a slide in which the others have
 * places, too. */
bool xmpi_local_can_slide(const xmpi_local_t *local, const xmpi_array_t *array,
                          const xmpi_move_t *move);

/* Gets what MOVE[i] says of its keeping: storage for array I behind the change, in memory or on
 * disk. XMPI_ERR_MEMORY, XMPI_ERR_INPUT: there is none, and the change is to be called off. */
xmpi_status_t xmpi_local_allocate(xmpi_local_t *local, int i);

#endif
