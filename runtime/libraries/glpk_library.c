/* SPDX-License-Identifier: BSD-3-Clause
 * GLPK: loaded when a policy first needs it. */
#include "libraries/glpk_library.h"

#include <stddef.h>

#include "decide/configurations/glpk.h"
#include "base/process/library.h"

#ifdef XMPI_HAS_GLPK

static xmpi_glpk_t functions;

static const char *const names[] = {XMPI_GLPK_CALLS(XMPI_LIBRARY_NAME) NULL};

static xmpi_library_t library = {.file = "libglpk.so.40",
                                 .package = "libglpk40",
                                 .purpose = "the policy amp",
                                 .name = names,
                                 .function = &functions};

const xmpi_glpk_t *xmpi_glpk(xmpi_error_t *error)
{
    return xmpi_library_load(&library, error) == XMPI_OK ? &functions : NULL;
}

#else

const xmpi_glpk_t *xmpi_glpk(xmpi_error_t *error)
{
    xmpi_error_set(error, XMPI_ERR_INPUT,
                   "the policy amp: needs GLPK, without which this XMPI was built: install the "
                   "package libglpk-dev and build it again");
    return NULL;
}

#endif
