/* SPDX-License-Identifier: BSD-3-Clause
 * What a program has of MPI, on its way to another process. */
#include <stdlib.h>

#include "act/handles/handles.h"
#include "act/handles/table/table.h"
#include "base/misuse.h"

enum { TAG_SIZE = 7101, TAG_BYTES };

static xmpi_status_t receive(MPI_Comm transit, int from)
{
    int64_t size = 0;
    xmpi_pack_t pack = {0};
    PMPI_Recv(&size, 1, MPI_INT64_T, from, TAG_SIZE, transit, MPI_STATUS_IGNORE);
    if (size == 0)
        return XMPI_ERR_INTERNAL; /* it could not be put together */
    pack.data = malloc((size_t)size);
    pack.size = pack.room = (size_t)size;
    if (pack.data == NULL)
        xmpi_misuse("no memory for what a program has of MPI, %lld bytes", (long long)size);
    PMPI_Recv(pack.data, (int)size, MPI_BYTE, from, TAG_BYTES, transit, MPI_STATUS_IGNORE);
    xmpi_status_t status = xmpi_handles_get(&pack);
    xmpi_pack_free(&pack);
    return status;
}

xmpi_status_t xmpi_handles_move(MPI_Comm transit, int to, int from)
{
    xmpi_pack_t pack = {0};
    int64_t size = 0;
    xmpi_status_t status = XMPI_OK;
    MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    if (!xmpi_handles.on)
        return status;
    xmpi_handles_detach();
    if (to >= 0) {
        xmpi_handles_put(&pack);
        size = pack.status == XMPI_OK && pack.size <= INT32_MAX ? (int64_t)pack.size : 0;
        PMPI_Isend(&size, 1, MPI_INT64_T, to, TAG_SIZE, transit, &request[0]);
        if (size > 0)
            PMPI_Isend(pack.data, (int)size, MPI_BYTE, to, TAG_BYTES, transit, &request[1]);
    }
    if (from >= 0)
        status = receive(transit, from);
    PMPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    xmpi_pack_free(&pack);
    return to >= 0 && size == 0 ? XMPI_ERR_INTERNAL : status;
}
