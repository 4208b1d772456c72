/* SPDX-License-Identifier: BSD-3-Clause
 * GLPK, which processor configurations are found with: loaded when a policy first needs it. */
#ifndef XMPI_LIBRARIES_GLPK_LIBRARY_H
#define XMPI_LIBRARIES_GLPK_LIBRARY_H

#include "decide/configurations/configurations.h"
#include "base/status.h"

/* Its functions; NULL where it is not to be had here, and ERROR then says what to do. */
const xmpi_glpk_t *xmpi_glpk(xmpi_error_t *error);

#endif
