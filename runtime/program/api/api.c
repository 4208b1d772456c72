/* SPDX-License-Identifier: BSD-3-Clause
 * The public functions of xmpi.h. */
#include "act/world/world.h"
#include "program/context.h"
#include "base/export.h"
#include "xmpi.h"

XMPI_EXPORT int XMPI_Get_version(int *version)
{
    if (version == NULL)
        return MPI_ERR_ARG;
    *version = XMPI_VERSION_NUM;
    return MPI_SUCCESS;
}

XMPI_EXPORT int XMPI_Get_wsize(int rank, int64_t *count, int64_t *displ)
{
    const xmpi_layout_t *layout = xmpi_world.state == XMPI_STATE_JOINING
                                      ? &xmpi_context.next /* to which it will belong */
                                      : &xmpi_context.shared.layout;
    if (count == NULL || displ == NULL)
        return MPI_ERR_ARG;
    if (layout->domain == 0 || rank < 0 || rank >= layout->members)
        return MPI_ERR_RANK;
    *count = layout->member[rank].block.count;
    *displ = layout->member[rank].block.displ;
    return MPI_SUCCESS;
}
