/* SPDX-License-Identifier: BSD-3-Clause
 * Entries of the table of handles, in a pack. */
#ifndef XMPI_ACT_HANDLES_TABLE_ENTRIES_H
#define XMPI_ACT_HANDLES_TABLE_ENTRIES_H

#include "act/handles/table/table.h"
#include "base/data/pack.h"

/* How an entry begins in a pack: its handle, and what is known of it. */
void xmpi_entry_put(xmpi_pack_t *pack, xmpi_handle_kind_t kind, int handle,
                    const xmpi_handle_t *entry);

/* An entry under the same handle; NULL, and a status: there is none. */
xmpi_handle_t *xmpi_entry_get(xmpi_pack_t *pack, xmpi_handle_kind_t kind, int *handle);

/* The one that was put, which is still there; NULL, and a status: it is not. */
xmpi_handle_t *xmpi_entry_skip(xmpi_pack_t *pack, xmpi_handle_kind_t kind);

/* How many are in use. */
int xmpi_entries(xmpi_handle_kind_t kind);

#endif
