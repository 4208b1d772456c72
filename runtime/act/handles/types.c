/* SPDX-License-Identifier: BSD-3-Clause
 * Datatypes, as the MPI tells how they were made. The ones that they were made of come before them,
 * the program's or not: it may have freed them. */
#define _GNU_SOURCE
#include "act/handles/types.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "act/handles/attributes.h"
#include "act/handles/table/entries.h"

/* (Of MPI-4, for counts that are larger; MPI-3 has none.) */
typedef struct {
    int combiner;
    MPI_Count n[4]; /* integers, addresses, counts, datatypes */
    int *integer;
    MPI_Aint *address;
    MPI_Count *count;
    MPI_Datatype *type;
} contents_t;

static void free_contents(contents_t *contents)
{
    free(contents->integer);
    free(contents->address);
    free(contents->count);
    free(contents->type);
}

static int ask_how(MPI_Datatype type, contents_t *how)
{
#if MPI_VERSION >= 4
    return PMPI_Type_get_envelope_c(type, &how->n[0], &how->n[1], &how->n[2], &how->n[3],
                                    &how->combiner);
#else
    int n[3] = {0};
    int result = PMPI_Type_get_envelope(type, &n[0], &n[1], &n[2], &how->combiner);
    how->n[0] = n[0];
    how->n[1] = n[1];
    how->n[3] = n[2];
    return result;
#endif
}

static bool get_contents(MPI_Datatype type, contents_t *how)
{
    *how = (contents_t){0};
    if (ask_how(type, how) != MPI_SUCCESS)
        return false;
    how->integer = calloc((size_t)how->n[0] + 1, sizeof *how->integer);
    how->address = calloc((size_t)how->n[1] + 1, sizeof *how->address);
    how->count = calloc((size_t)how->n[2] + 1, sizeof *how->count);
    how->type = calloc((size_t)how->n[3] + 1, sizeof *how->type);
    if (how->integer == NULL || how->address == NULL || how->count == NULL || how->type == NULL)
        return false;
#if MPI_VERSION >= 4
    return PMPI_Type_get_contents_c(type, how->n[0], how->n[1], how->n[2], how->n[3], how->integer,
                                    how->address, how->count, how->type) == MPI_SUCCESS;
#else
    return PMPI_Type_get_contents(type, (int)how->n[0], (int)how->n[1], (int)how->n[3],
                                  how->integer, how->address, how->type) == MPI_SUCCESS;
#endif
}

/* --- asking ------------------------------------------------------------------------------------
 */

typedef struct {
    MPI_Datatype real;
    int number; /* in the order in which they are put */
} seen_t;

typedef struct {
    xmpi_pack_t *pack;
    void *tree; /* of seen_t, by the MPI's handle */
    int n;
} describing_t;

static int compare(const void *a, const void *b)
{
    MPI_Datatype first = ((const seen_t *)a)->real, second = ((const seen_t *)b)->real;
    return (first > second) - (first < second);
}

static int put_type(describing_t *describing, MPI_Datatype real);

/* A part: the number of one that was put before, or the handle of a predefined one. */
typedef struct {
    int is_made, handle;
} part_t;

static void put_node(describing_t *describing, contents_t *how)
{
    xmpi_pack_t *pack = describing->pack;
    part_t *part = calloc((size_t)how->n[3] + 1, sizeof *part);
    if (part == NULL)
        pack->status = XMPI_ERR_MEMORY;
    for (MPI_Count i = 0; part != NULL && i < how->n[3]; i++) {
        part[i].is_made = xmpi_handle_is_made(XMPI_HANDLE_TYPE, how->type[i]);
        part[i].handle = part[i].is_made ? put_type(describing, how->type[i]) : how->type[i];
        if (part[i].is_made)
            PMPI_Type_free(&how->type[i]);
    }
    xmpi_pack_put(pack, &(int){1}, sizeof(int)); /* another one */
    xmpi_pack_put(pack, &how->combiner, sizeof how->combiner);
    xmpi_pack_put_array(pack, how->integer, (int)how->n[0], sizeof *how->integer);
    xmpi_pack_put_array(pack, how->address, (int)how->n[1], sizeof *how->address);
    xmpi_pack_put_array(pack, how->count, (int)how->n[2], sizeof *how->count);
    xmpi_pack_put_array(pack, part, part == NULL ? 0 : (int)how->n[3], sizeof *part);
    free(part);
}

/* Its number. */
static int put_type(describing_t *describing, MPI_Datatype real)
{
    contents_t how;
    seen_t *seen = malloc(sizeof *seen);
    if (seen == NULL || describing->pack->status != XMPI_OK) {
        describing->pack->status = XMPI_ERR_MEMORY;
        free(seen);
        return -1;
    }
    seen->real = real;
    seen_t **known = tfind(seen, &describing->tree, compare);
    if (known != NULL) {
        free(seen);
        return (*known)->number;
    }
    if (get_contents(real, &how))
        put_node(describing, &how);
    else
        describing->pack->status = XMPI_ERR_INTERNAL;
    free_contents(&how);
    seen->number = describing->n++;
    if (tsearch(seen, &describing->tree, compare) == NULL) {
        describing->pack->status = XMPI_ERR_MEMORY;
        free(seen);
    }
    return describing->n - 1;
}

static void put_name(xmpi_pack_t *pack, MPI_Datatype type)
{
    int length = 0;
    char name[MPI_MAX_OBJECT_NAME] = "";
    PMPI_Type_get_name(type, name, &length);
    xmpi_pack_put_text(pack, name);
}

void xmpi_types_put(xmpi_pack_t *pack)
{
    uint32_t number = 0;
    int entries = xmpi_entries(XMPI_HANDLE_TYPE);
    const xmpi_handle_t *entry;
    describing_t describing = {.pack = pack};
    while ((entry = xmpi_handle_next(XMPI_HANDLE_TYPE, &number)) != NULL)
        put_type(&describing, entry->real);
    xmpi_pack_put(pack, &(int){0}, sizeof(int));
    xmpi_pack_put(pack, &entries, sizeof entries);
    for (number = 0; (entry = xmpi_handle_next(XMPI_HANDLE_TYPE, &number)) != NULL;) {
        int node = put_type(&describing, entry->real);
        xmpi_entry_put(pack, XMPI_HANDLE_TYPE, MPI_DATATYPE_NULL + (int)number, entry);
        xmpi_pack_put(pack, &node, sizeof node);
        put_name(pack, entry->real);
        xmpi_attributes_put(pack, XMPI_OF_TYPE, entry->real);
    }
    tdestroy(describing.tree, free);
}

/* --- making ------------------------------------------------------------------------------------
 * By what the standard says of MPI_Type_get_contents.
 */

static int make_regular(const contents_t *how, MPI_Datatype *made)
{
    const int *i = how->integer;
    MPI_Datatype of = how->type[0];
    switch (how->combiner) {
    case MPI_COMBINER_DUP:
        return PMPI_Type_dup(of, made);
    case MPI_COMBINER_CONTIGUOUS:
        return PMPI_Type_contiguous(i[0], of, made);
    case MPI_COMBINER_VECTOR:
        return PMPI_Type_vector(i[0], i[1], i[2], of, made);
    case MPI_COMBINER_HVECTOR:
        return PMPI_Type_create_hvector(i[0], i[1], how->address[0], of, made);
    case MPI_COMBINER_RESIZED:
        return PMPI_Type_create_resized(of, how->address[0], how->address[1], made);
    default:
        return MPI_ERR_TYPE;
    }
}

static int make_by_blocks(const contents_t *how, MPI_Datatype *made)
{
    const int *i = how->integer, n = i[0];
    MPI_Datatype of = how->type[0];
    switch (how->combiner) {
    case MPI_COMBINER_INDEXED:
        return PMPI_Type_indexed(n, i + 1, i + 1 + n, of, made);
    case MPI_COMBINER_HINDEXED:
        return PMPI_Type_create_hindexed(n, i + 1, how->address, of, made);
    case MPI_COMBINER_INDEXED_BLOCK:
        return PMPI_Type_create_indexed_block(n, i[1], i + 2, of, made);
    case MPI_COMBINER_HINDEXED_BLOCK:
        return PMPI_Type_create_hindexed_block(n, i[1], how->address, of, made);
    case MPI_COMBINER_STRUCT:
        return PMPI_Type_create_struct(n, i + 1, how->address, how->type, made);
    case MPI_COMBINER_SUBARRAY:
        return PMPI_Type_create_subarray(n, i + 1, i + 1 + n, i + 1 + 2 * n, i[1 + 3 * n], of,
                                         made);
    case MPI_COMBINER_DARRAY:
        return PMPI_Type_create_darray(i[0], i[1], i[2], i + 3, i + 3 + i[2], i + 3 + 2 * i[2],
                                       i + 3 + 3 * i[2], i[3 + 4 * i[2]], of, made);
    default:
        return make_regular(how, made);
    }
}

#if MPI_VERSION >= 4
static int make_large_by_blocks(const contents_t *how, MPI_Datatype *made)
{
    const int *i = how->integer;
    const MPI_Count *c = how->count, n = c[0];
    MPI_Datatype of = how->type[0];
    switch (how->combiner) {
    case MPI_COMBINER_INDEXED:
        return PMPI_Type_indexed_c(n, c + 1, c + 1 + n, of, made);
    case MPI_COMBINER_HINDEXED:
        return PMPI_Type_create_hindexed_c(n, c + 1, c + 1 + n, of, made);
    case MPI_COMBINER_INDEXED_BLOCK:
        return PMPI_Type_create_indexed_block_c(n, c[1], c + 2, of, made);
    case MPI_COMBINER_HINDEXED_BLOCK:
        return PMPI_Type_create_hindexed_block_c(n, c[1], c + 2, of, made);
    case MPI_COMBINER_STRUCT:
        return PMPI_Type_create_struct_c(n, c + 1, c + 1 + n, how->type, made);
    case MPI_COMBINER_SUBARRAY:
        return PMPI_Type_create_subarray_c(i[0], c, c + i[0], c + 2 * i[0], i[1], of, made);
    case MPI_COMBINER_DARRAY:
        return PMPI_Type_create_darray_c(i[0], i[1], i[2], c, i + 3, i + 3 + i[2], i + 3 + 2 * i[2],
                                         i[3 + 3 * i[2]], of, made);
    default:
        return MPI_ERR_TYPE;
    }
}

static int make_large(const contents_t *how, MPI_Datatype *made)
{
    const MPI_Count *c = how->count;
    MPI_Datatype of = how->type[0];
    switch (how->combiner) {
    case MPI_COMBINER_CONTIGUOUS:
        return PMPI_Type_contiguous_c(c[0], of, made);
    case MPI_COMBINER_VECTOR:
        return PMPI_Type_vector_c(c[0], c[1], c[2], of, made);
    case MPI_COMBINER_HVECTOR:
        return PMPI_Type_create_hvector_c(c[0], c[1], c[2], of, made);
    case MPI_COMBINER_RESIZED:
        return PMPI_Type_create_resized_c(of, c[0], c[1], made);
    default:
        return make_large_by_blocks(how, made);
    }
}
#endif

static int make(const contents_t *how, MPI_Datatype *made)
{
#if MPI_VERSION >= 4
    if (how->n[2] > 0)
        return make_large(how, made);
#endif
    return make_by_blocks(how, made);
}

/* The next one, made of those MADE before. */
static MPI_Datatype get_node(xmpi_pack_t *pack, const MPI_Datatype *made, int numbers)
{
    int n[4] = {0};
    contents_t how = {0};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    xmpi_pack_get(pack, &how.combiner, sizeof how.combiner);
    how.integer = xmpi_pack_get_array(pack, &n[0], sizeof *how.integer);
    how.address = xmpi_pack_get_array(pack, &n[1], sizeof *how.address);
    how.count = xmpi_pack_get_array(pack, &n[2], sizeof *how.count);
    part_t *part = xmpi_pack_get_array(pack, &n[3], sizeof *part);
    how.type = calloc((size_t)n[3] + 1, sizeof *how.type);
    if (how.type == NULL)
        pack->status = XMPI_ERR_MEMORY;
    how.n[2] = n[2];
    for (int i = 0; pack->status == XMPI_OK && i < n[3]; i++)
        if (part[i].is_made && (part[i].handle < 0 || part[i].handle >= numbers))
            pack->status = XMPI_ERR_INTERNAL;
        else
            how.type[i] = part[i].is_made ? made[part[i].handle] : part[i].handle;
    if (pack->status == XMPI_OK && make(&how, &type) != MPI_SUCCESS)
        pack->status = XMPI_ERR_INTERNAL;
    free(part);
    free_contents(&how);
    return type;
}

/* All of them (malloc). */
static MPI_Datatype *get_nodes(xmpi_pack_t *pack, int *n)
{
    int more = 0, room = 0;
    MPI_Datatype *made = NULL;
    for (*n = 0;; (*n)++) {
        xmpi_pack_get(pack, &more, sizeof more);
        if (pack->status != XMPI_OK || !more)
            return made;
        if (*n == room) {
            room = 2 * room + 16;
            MPI_Datatype *larger = realloc(made, (size_t)room * sizeof *made);
            if (larger == NULL) {
                pack->status = XMPI_ERR_MEMORY;
                return made;
            }
            made = larger;
        }
        made[*n] = get_node(pack, made, *n);
    }
}

static void get_entry(xmpi_pack_t *pack, MPI_Datatype *node, int nodes)
{
    int handle, number = -1;
    xmpi_handle_t *entry = xmpi_entry_get(pack, XMPI_HANDLE_TYPE, &handle);
    xmpi_pack_get(pack, &number, sizeof number);
    const char *name = xmpi_pack_view_text(pack);
    if (pack->status != XMPI_OK || number < 0 || number >= nodes) {
        pack->status = pack->status != XMPI_OK ? pack->status : XMPI_ERR_INTERNAL;
        return;
    }
    entry->real = node[number];
    node[number] = MPI_DATATYPE_NULL; /* it belongs to the entry */
    MPI_Datatype committed = entry->real;
    PMPI_Type_commit(&committed); /* what the program has not committed it does not use */
    if (name[0] != '\0')
        PMPI_Type_set_name(entry->real, name);
    xmpi_attributes_get(pack, XMPI_OF_TYPE, entry->real);
}

void xmpi_types_get(xmpi_pack_t *pack)
{
    int nodes = 0, entries = 0;
    MPI_Datatype *node = get_nodes(pack, &nodes);
    xmpi_pack_get(pack, &entries, sizeof entries);
    for (int i = 0; i < entries && pack->status == XMPI_OK; i++)
        get_entry(pack, node, nodes);
    for (int i = 0; i < nodes; i++)
        if (node[i] != MPI_DATATYPE_NULL && xmpi_handle_is_made(XMPI_HANDLE_TYPE, node[i]))
            PMPI_Type_free(&node[i]);
    free(node);
}
