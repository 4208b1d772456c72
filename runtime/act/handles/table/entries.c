/* SPDX-License-Identifier: BSD-3-Clause
 * Entries of the table of handles, in a pack. */
#define _POSIX_C_SOURCE 200809L
#include "act/handles/table/entries.h"

#include <stdlib.h>
#include <string.h>

void xmpi_entry_put(xmpi_pack_t *pack, xmpi_handle_kind_t kind, int handle,
                    const xmpi_handle_t *entry)
{
    (void)kind;
    xmpi_pack_put(pack, &handle, sizeof handle);
    xmpi_pack_put(pack, entry, sizeof *entry);
    xmpi_pack_put_text(pack, entry->call);
}

/* The names of calls are texts of the library of the process that has put them: here they are kept
 * once each. */
static const char *call_named(const char *name)
{
    static char **known; /* malloc */
    static int n;
    int i = 0;
    while (i < n && name != NULL && strcmp(known[i], name) != 0)
        i++;
    if (i < n || name == NULL)
        return name == NULL ? "" : known[i];
    char **more = realloc(known, (size_t)(n + 1) * sizeof *known), *copy = strdup(name);
    known = more != NULL ? more : known;
    if (more == NULL || copy == NULL) {
        free(copy);
        return "";
    }
    known[n++] = copy;
    return copy;
}

xmpi_handle_t *xmpi_entry_get(xmpi_pack_t *pack, xmpi_handle_kind_t kind, int *handle)
{
    xmpi_handle_t copy;
    xmpi_pack_get(pack, handle, sizeof *handle);
    xmpi_pack_get(pack, &copy, sizeof copy);
    copy.call = call_named(xmpi_pack_view_text(pack));
    copy.made = NULL;
    return pack->status == XMPI_OK ? xmpi_handle_claim(kind, *handle, &copy) : NULL;
}

xmpi_handle_t *xmpi_entry_skip(xmpi_pack_t *pack, xmpi_handle_kind_t kind)
{
    int handle = 0;
    xmpi_pack_get(pack, &handle, sizeof handle);
    xmpi_pack_view(pack, sizeof(xmpi_handle_t));
    xmpi_pack_view_text(pack);
    xmpi_handle_t *entry = xmpi_handle_at(kind, handle);
    if (entry == NULL && pack->status == XMPI_OK)
        pack->status = XMPI_ERR_INTERNAL;
    return entry;
}

int xmpi_entries(xmpi_handle_kind_t kind)
{
    int n = 0;
    uint32_t number = 0;
    while (xmpi_handle_next(kind, &number) != NULL)
        n++;
    return n;
}
