/* SPDX-License-Identifier: BSD-3-Clause
 * Scotch: loaded when a policy first needs it. */
#include "libraries/scotch_library.h"

#include <stddef.h>

#include "base/process/library.h"

static xmpi_scotch_t functions;

static const char *const names[] = {XMPI_SCOTCH_CALLS(XMPI_LIBRARY_NAME) NULL};

static xmpi_library_t library = {.file = "libscotch-7.0.so",
                                 .package = "libscotch-7.0",
                                 .purpose = "the policies map and migrate",
                                 .name = names,
                                 .function = &functions};

/* There are libraries of the same name whose numbers are longer. */
const xmpi_scotch_t *xmpi_scotch(xmpi_error_t *error)
{
    if (xmpi_library_load(&library, error) != XMPI_OK)
        return NULL;
    if (functions.SCOTCH_numSizeof() == (int)sizeof(SCOTCH_Num))
        return &functions;
    xmpi_error_set(error, XMPI_ERR_INPUT,
                   "the policies map and migrate: %s has numbers of %d bytes, not %d: install the "
                   "package %s",
                   library.file, functions.SCOTCH_numSizeof(), (int)sizeof(SCOTCH_Num),
                   library.package);
    return NULL;
}
