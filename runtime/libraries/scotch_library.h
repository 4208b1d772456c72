/* SPDX-License-Identifier: BSD-3-Clause
 * Scotch, which processes are mapped with: loaded when a policy first needs it. */
#ifndef XMPI_LIBRARIES_SCOTCH_LIBRARY_H
#define XMPI_LIBRARIES_SCOTCH_LIBRARY_H

#include "base/status.h"
#include "decide/mapping/scotch.h"

/* Its functions; NULL where it is not to be had here, and ERROR then says what to do. */
const xmpi_scotch_t *xmpi_scotch(xmpi_error_t *error);

#endif
