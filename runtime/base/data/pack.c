/* SPDX-License-Identifier: BSD-3-Clause
 * Packing of plain data into one message, and back. */
#define _POSIX_C_SOURCE 200809L
#include "base/data/pack.h"

#include <stdbool.h>
#include <stdint.h>
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

/* --- runs of zeros ------------------------------------------------------------------------------
 */

/* So many bytes as they are, behind so many zeros. */
typedef struct {
    uint32_t zeros, bytes;
} run_t;

static size_t count_zeros(const char *data, size_t size)
{
    size_t n = 0;
    while (n < size && data[n] == 0)
        n++;
    return n;
}

/* Up to zeros that are worth a run of their own. */
static size_t count_bytes(const char *data, size_t size)
{
    size_t n = 0;
    while (n < size) {
        size_t zeros = count_zeros(data + n, size - n);
        if (zeros > 2 * sizeof(run_t) || n + zeros == size)
            return n;
        n += zeros + 1;
    }
    return n;
}

void xmpi_pack_put_sparse(xmpi_pack_t *pack, const void *data, size_t size)
{
    const char *from = data;
    for (size_t at = 0; at < size;) {
        run_t run = {.zeros = (uint32_t)count_zeros(from + at, size - at)};
        run.bytes = (uint32_t)count_bytes(from + at + run.zeros, size - at - run.zeros);
        xmpi_pack_put(pack, &run, sizeof run);
        xmpi_pack_put(pack, from + at + run.zeros, run.bytes);
        at += (size_t)run.zeros + run.bytes;
    }
}

void xmpi_pack_get_sparse(xmpi_pack_t *pack, void *data, size_t size)
{
    char *to = data;
    memset(data, 0, size);
    for (size_t at = 0; at < size && pack->status == XMPI_OK;) {
        run_t run;
        xmpi_pack_get(pack, &run, sizeof run);
        size_t length = (size_t)run.zeros + run.bytes;
        if (length == 0 || length > size - at)
            pack->status = XMPI_ERR_INTERNAL;
        else
            xmpi_pack_get(pack, to + at + run.zeros, run.bytes);
        at += length;
    }
}

/* --- arrays -------------------------------------------------------------------------------------
 */

void xmpi_pack_put_array(xmpi_pack_t *pack, const void *array, int n, size_t size)
{
    xmpi_pack_put(pack, &n, sizeof n);
    xmpi_pack_put(pack, array, (size_t)n * size);
}

void *xmpi_pack_get_array(xmpi_pack_t *pack, int *n, size_t size)
{
    xmpi_pack_get(pack, n, sizeof *n);
    bool fits = *n >= 0 && (size_t)*n <= (pack->size - pack->at) / size;
    if (!fits && pack->status == XMPI_OK)
        pack->status = XMPI_ERR_INTERNAL;
    if (pack->status != XMPI_OK)
        *n = 0;
    const void *from = xmpi_pack_view(pack, (size_t)*n * size);
    void *array = calloc((size_t)*n + 1, size);
    if (array != NULL && from != NULL)
        memcpy(array, from, (size_t)*n * size);
    if (array == NULL) {
        pack->status = XMPI_ERR_MEMORY;
        *n = 0;
    }
    return array;
}

void xmpi_pack_free(xmpi_pack_t *pack)
{
    free(pack->data);
    memset(pack, 0, sizeof *pack);
}
