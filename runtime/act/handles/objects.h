/* SPDX-License-Identifier: BSD-3-Clause
 * What the program has made in its process alone: keyvals, error handlers, operations, infos and
 * datatypes. Who takes over makes the same; who stays keeps them. */
#ifndef XMPI_ACT_HANDLES_OBJECTS_H
#define XMPI_ACT_HANDLES_OBJECTS_H

#include "act/handles/table.h"
#include "base/pack.h"

/* How an entry begins in a pack: its handle, and what is known of it. */
void xmpi_entry_put(xmpi_pack_t *pack, xmpi_handle_kind_t kind, int handle,
                    const xmpi_handle_t *entry);

/* An entry under the same handle; NULL, and a status: there is none. */
xmpi_handle_t *xmpi_entry_get(xmpi_pack_t *pack, xmpi_handle_kind_t kind, int *handle);

/* The one that was put, which is still there; NULL, and a status: it is not. */
xmpi_handle_t *xmpi_entry_skip(xmpi_pack_t *pack, xmpi_handle_kind_t kind);

/* How many are in use. */
int xmpi_entries(xmpi_handle_kind_t kind);

void xmpi_info_put(xmpi_pack_t *pack, MPI_Info info);
MPI_Info xmpi_info_get(xmpi_pack_t *pack);

void xmpi_objects_put(xmpi_pack_t *pack);
void xmpi_objects_get(xmpi_pack_t *pack);

/* Frees them. */
void xmpi_objects_free(void);

/* The datatypes (types.c). */
void xmpi_types_put(xmpi_pack_t *pack);
void xmpi_types_get(xmpi_pack_t *pack);

#endif
