/* SPDX-License-Identifier: BSD-3-Clause
 * What the program has made in its process alone, but for datatypes. */
#define _POSIX_C_SOURCE 200809L
#include "act/handles/table/entries.h"
#include "act/handles/objects.h"

#include <stdlib.h>
#include <string.h>

#include "act/handles/attributes.h"
#include "act/handles/functions.h"
#include "act/handles/types.h"

/* Those of KIND with what is put behind each by PUT. */
static void put_all(xmpi_pack_t *pack, xmpi_handle_kind_t kind,
                    void (*put)(xmpi_pack_t *pack, const xmpi_handle_t *entry))
{
    uint32_t number = 0;
    int n = xmpi_entries(kind);
    const xmpi_handle_t *entry;
    xmpi_pack_put(pack, &n, sizeof n);
    while ((entry = xmpi_handle_next(kind, &number)) != NULL) {
        xmpi_entry_put(pack, kind, xmpi_handle_null(kind) + (int)number, entry);
        put(pack, entry);
    }
}

/* MAKE returns what the MPI's call returns. */
static void get_all(xmpi_pack_t *pack, xmpi_handle_kind_t kind,
                    int (*make)(xmpi_pack_t *pack, xmpi_handle_t *entry))
{
    int n = 0, handle;
    xmpi_pack_get(pack, &n, sizeof n);
    for (int i = 0; i < n && pack->status == XMPI_OK; i++) {
        xmpi_handle_t *entry = xmpi_entry_get(pack, kind, &handle);
        if (entry != NULL && make(pack, entry) != MPI_SUCCESS && pack->status == XMPI_OK)
            pack->status = XMPI_ERR_INTERNAL;
    }
}

/* Room for what is known of an entry, with what the pack has of it; NULL: there is none. */
static void *get_made(xmpi_pack_t *pack, xmpi_handle_t *entry, size_t size)
{
    entry->made = malloc(size);
    if (entry->made == NULL)
        pack->status = XMPI_ERR_MEMORY;
    else
        xmpi_pack_get(pack, entry->made, size);
    return pack->status == XMPI_OK ? entry->made : NULL;
}

/* --- each kind ---------------------------------------------------------------------------------
 */

static void put_keyval(xmpi_pack_t *pack, const xmpi_handle_t *entry)
{
    xmpi_pack_put(pack, entry->made, sizeof(xmpi_keyval_made_t));
}

static int make_keyval(xmpi_pack_t *pack, xmpi_handle_t *entry)
{
    xmpi_keyval_made_t *made = get_made(pack, entry, sizeof *made);
    if (made == NULL)
        return MPI_ERR_OTHER;
    made->attributes = 0; /* they come one by one */
    return xmpi_attributes_keyval(made, &entry->real);
}

static void put_errhandler(xmpi_pack_t *pack, const xmpi_handle_t *entry)
{
    xmpi_errhandler_made_t none = {0};
    const xmpi_errhandler_made_t *made = xmpi_functions_of_errhandler(entry->real);
    xmpi_pack_put(pack, made == NULL ? &none : made, sizeof none);
}

static int make_errhandler(xmpi_pack_t *pack, xmpi_handle_t *entry)
{
    xmpi_errhandler_made_t made;
    xmpi_pack_get(pack, &made, sizeof made);
    return made.function == NULL ? MPI_ERR_OTHER : xmpi_functions_errhandler(&made, &entry->real);
}

static void put_op(xmpi_pack_t *pack, const xmpi_handle_t *entry)
{
    xmpi_pack_put(pack, entry->made, sizeof(xmpi_op_made_t));
}

static int make_op(xmpi_pack_t *pack, xmpi_handle_t *entry)
{
    const xmpi_op_made_t *made = get_made(pack, entry, sizeof *made);
    return made == NULL ? MPI_ERR_OTHER : xmpi_functions_op(made, &entry->real);
}

void xmpi_info_put(xmpi_pack_t *pack, MPI_Info info)
{
    int n = 0, length, flag;
    PMPI_Info_get_nkeys(info, &n);
    xmpi_pack_put(pack, &n, sizeof n);
    for (int i = 0; i < n; i++) {
        char key[MPI_MAX_INFO_KEY + 1] = "", value[MPI_MAX_INFO_VAL + 1] = "";
        PMPI_Info_get_nthkey(info, i, key);
        PMPI_Info_get_valuelen(info, key, &length, &flag);
        PMPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag);
        xmpi_pack_put_text(pack, key);
        xmpi_pack_put_text(pack, value);
    }
}

MPI_Info xmpi_info_get(xmpi_pack_t *pack)
{
    int n = 0;
    MPI_Info info;
    xmpi_pack_get(pack, &n, sizeof n);
    PMPI_Info_create(&info);
    for (int i = 0; i < n && pack->status == XMPI_OK; i++) {
        const char *key = xmpi_pack_view_text(pack), *value = xmpi_pack_view_text(pack);
        if (key != NULL && value != NULL)
            PMPI_Info_set(info, key, value);
    }
    return info;
}

static void put_info(xmpi_pack_t *pack, const xmpi_handle_t *entry)
{
    xmpi_info_put(pack, entry->real);
}

static int make_info(xmpi_pack_t *pack, xmpi_handle_t *entry)
{
    entry->real = xmpi_info_get(pack);
    return MPI_SUCCESS;
}

/* --- all ---------------------------------------------------------------------------------------
 */

void xmpi_objects_put(xmpi_pack_t *pack)
{
    put_all(pack, XMPI_HANDLE_KEYVAL, put_keyval);
    put_all(pack, XMPI_HANDLE_ERRHANDLER, put_errhandler);
    put_all(pack, XMPI_HANDLE_OP, put_op);
    put_all(pack, XMPI_HANDLE_INFO, put_info);
    xmpi_types_put(pack);
}

void xmpi_objects_get(xmpi_pack_t *pack)
{
    get_all(pack, XMPI_HANDLE_KEYVAL, make_keyval);
    get_all(pack, XMPI_HANDLE_ERRHANDLER, make_errhandler);
    get_all(pack, XMPI_HANDLE_OP, make_op);
    get_all(pack, XMPI_HANDLE_INFO, make_info);
    xmpi_types_get(pack);
}

static void free_keyval(const xmpi_handle_t *entry)
{
    int real = entry->real;
    const xmpi_keyval_made_t *made = entry->made;
    if (made->of == XMPI_OF_COMM)
        PMPI_Comm_free_keyval(&real);
    else if (made->of == XMPI_OF_TYPE)
        PMPI_Type_free_keyval(&real);
    else
        PMPI_Win_free_keyval(&real);
}

void xmpi_objects_free(void)
{
    static const xmpi_handle_kind_t kinds[] = {XMPI_HANDLE_TYPE, XMPI_HANDLE_OP, XMPI_HANDLE_INFO,
                                               XMPI_HANDLE_ERRHANDLER, XMPI_HANDLE_KEYVAL};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        uint32_t number = 0;
        const xmpi_handle_t *entry;
        while ((entry = xmpi_handle_next(kinds[i], &number)) != NULL) {
            int real = entry->real;
            if (!xmpi_handle_is_made(kinds[i], real))
                continue; /* it has not come so far */
            if (kinds[i] == XMPI_HANDLE_TYPE)
                PMPI_Type_free(&real);
            else if (kinds[i] == XMPI_HANDLE_OP)
                PMPI_Op_free(&real);
            else if (kinds[i] == XMPI_HANDLE_INFO)
                PMPI_Info_free(&real);
            else if (kinds[i] == XMPI_HANDLE_ERRHANDLER)
                PMPI_Errhandler_free(&real);
            else
                free_keyval(entry);
        }
    }
}
