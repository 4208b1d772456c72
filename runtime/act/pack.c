/* SPDX-License-Identifier: BSD-3-Clause
 * Packing of plain data into one message, and back. */
#define _POSIX_C_SOURCE 200809L
#include "act/pack.h"

#include <stdlib.h>
#include <string.h>

static int make_room(xmpi_pack_t *pack, size_t size)
{
    if (pack->status != XMPI_OK)
        return 0;
    if (pack->size + size <= pack->room)
        return 1;
    size_t room = 2 * (pack->size + size) + 256;
    char *data = realloc(pack->data, room);
    if (data == NULL) {
        pack->status = XMPI_ERR_MEMORY;
        return 0;
    }
    pack->data = data;
    pack->room = room;
    return 1;
}

void xmpi_pack_put(xmpi_pack_t *pack, const void *data, size_t size)
{
    if (size == 0 || !make_room(pack, size))
        return;
    memcpy(pack->data + pack->size, data, size);
    pack->size += size;
}

void xmpi_pack_put_text(xmpi_pack_t *pack, const char *text)
{
    xmpi_pack_put(pack, text, strlen(text) + 1);
}

const void *xmpi_pack_view(xmpi_pack_t *pack, size_t size)
{
    if (pack->status != XMPI_OK || size > pack->size - pack->at) {
        if (pack->status == XMPI_OK)
            pack->status = XMPI_ERR_INTERNAL;
        return NULL;
    }
    pack->at += size;
    return pack->data + pack->at - size;
}

const char *xmpi_pack_view_text(xmpi_pack_t *pack)
{
    const char *from = pack->data + pack->at;
    size_t length = pack->status == XMPI_OK ? strnlen(from, pack->size - pack->at) : 0;
    return xmpi_pack_view(pack, length + 1);
}

void xmpi_pack_get(xmpi_pack_t *pack, void *data, size_t size)
{
    const void *from = xmpi_pack_view(pack, size);
    if (from == NULL)
        memset(data, 0, size);
    else
        memcpy(data, from, size);
}

void xmpi_pack_put_array(xmpi_pack_t *pack, const void *array, int n, size_t size)
{
    xmpi_pack_put(pack, &n, sizeof n);
    xmpi_pack_put(pack, array, (size_t)n * size);
}

void *xmpi_pack_get_array(xmpi_pack_t *pack, int *n, size_t size)
{
    xmpi_pack_get(pack, n, sizeof *n);
    const void *from = xmpi_pack_view(pack, (size_t)*n * size);
    void *array = calloc((size_t)*n + 1, size);
    if (array == NULL)
        pack->status = XMPI_ERR_MEMORY;
    else if (from != NULL)
        memcpy(array, from, (size_t)*n * size);
    return array;
}

void xmpi_pack_free(xmpi_pack_t *pack)
{
    free(pack->data);
    memset(pack, 0, sizeof *pack);
}
