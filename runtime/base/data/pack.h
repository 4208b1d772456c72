/* SPDX-License-Identifier: BSD-3-Clause
 * Packing of plain data into one message, and back. All processes run the same binary, so bytes are
 * taken as they are. */
#ifndef XMPI_BASE_DATA_PACK_H
#define XMPI_BASE_DATA_PACK_H

#include <stddef.h>

#include "base/status.h"

typedef struct {
    char *data; /* malloc */
    size_t size;
    size_t room;
    size_t at;            /* where reading goes on */
    xmpi_status_t status; /* the first failure; everything after it does nothing */
} xmpi_pack_t;

void xmpi_pack_put(xmpi_pack_t *pack, const void *data, size_t size);
void xmpi_pack_put_text(xmpi_pack_t *pack, const char *text);

/* Copies SIZE bytes out; zeros, and a status, when there are not so many. */
void xmpi_pack_get(xmpi_pack_t *pack, void *data, size_t size);

/* The same of data that are zeros for the most part, as texts in arrays of their greatest length:
 * runs of zeros become numbers. */
void xmpi_pack_put_sparse(xmpi_pack_t *pack, const void *data, size_t size);
void xmpi_pack_get_sparse(xmpi_pack_t *pack, void *data, size_t size);

/* Points to the next SIZE bytes inside the pack, NULL when there are not so many. */
const void *xmpi_pack_view(xmpi_pack_t *pack, size_t size);
const char *xmpi_pack_view_text(xmpi_pack_t *pack);

/* An array with its length in front: N elements of SIZE bytes; get allocates it. */
void xmpi_pack_put_array(xmpi_pack_t *pack, const void *array, int n, size_t size);
void *xmpi_pack_get_array(xmpi_pack_t *pack, int *n, size_t size);

void xmpi_pack_free(xmpi_pack_t *pack);

#endif
