/* SPDX-License-Identifier: BSD-3-Clause
 * Storage for what one process will have behind a redistribution. */
#ifndef XMPI_ACT_MOVING_REDISTRIBUTE_STORAGE_H
#define XMPI_ACT_MOVING_REDISTRIBUTE_STORAGE_H

#include "act/moving/storage/redistribution.h"

/* Gets storage for array I behind the change, in memory or on disk, as MOVE[i] says of its keeping,
 * or in a better way that it says then. XMPI_ERR_MEMORY, XMPI_ERR_INPUT: there is none, and the
 * change is to be called off. */
xmpi_status_t xmpi_local_allocate(xmpi_local_t *local, int i);

#endif
