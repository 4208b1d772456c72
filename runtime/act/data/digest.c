/* SPDX-License-Identifier: BSD-3-Clause
 * Digests of what must be equal on all members. */
#include "act/data/digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/data/elements.h"
#include "base/collective.h"
#include "base/data/digest.h"

const char *xmpi_digest_name(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon != NULL && colon[1] != '\0' ? colon + 1 : name;
}

/* --- one value ----------------------------------------------------------------------------------
 */

static bool has_holes(const xmpi_elements_t *elements)
{
    for (int i = 0; i < elements->fields; i++)
        if (elements->field[i].kind == 'x')
            return true;
    return false;
}

static uint64_t hash(const xmpi_elements_t *elements, const char *data, int64_t bytes)
{
    uint64_t digest = 0;
    if (!has_holes(elements))
        return xmpi_digest_bytes(data, (size_t)bytes, 0);
    for (const char *end = data + bytes; data < end;)
        for (int i = 0; i < elements->fields; i++) {
            const xmpi_field_t *field = &elements->field[i];
            size_t size = (size_t)(field->count * field->bytes);
            if (field->kind != 'x')
                digest = xmpi_digest_bytes(data, size, digest);
            data += size;
        }
    return digest;
}

uint64_t xmpi_digest_live(const xmpi_live_t *live, const void *value)
{
    xmpi_elements_t elements;
    if (xmpi_elements_read(live->elements, (int64_t)live->size, &elements) != XMPI_OK)
        return 0;
    uint64_t digest = hash(&elements, value, (int64_t)live->size);
    xmpi_elements_free(&elements);
    return digest;
}

/* --- all of them --------------------------------------------------------------------------------
 */

/* What must be equal: by name, so that the order of registration does not matter. */
typedef struct {
    const char *name, *elements;
    const char *data;
    int64_t bytes;
} item_t;

static bool is_comparable(const char *text)
{
    return text != NULL && *text != '?' && *text != '~';
}

static bool is_replicated(const xmpi_array_t *array)
{
    return array->scheme == XMPI_GEN_REPLICATED && array->shape == XMPI_SHAPE_ROWS &&
           (array->row_stride == 0 || array->row_stride == array->row_bytes) &&
           xmpi_array_pointer(array) != NULL;
}

static int by_name(const void *one, const void *other)
{
    return strcmp(((const item_t *)one)->name, ((const item_t *)other)->name);
}

/* Sorted by name; malloc, NULL when there is no memory. */
static item_t *list_items(const xmpi_registry_t *registry, int *n)
{
    item_t *item = calloc((size_t)(registry->lives + registry->arrays) + 1, sizeof *item);
    *n = 0;
    for (int i = 0; item != NULL && i < registry->lives; i++) {
        const xmpi_live_t *live = &registry->live[i];
        if (is_comparable(live->elements))
            item[(*n)++] = (item_t){live->name, live->elements, live->address, (int64_t)live->size};
    }
    for (int i = 0; item != NULL && i < registry->arrays; i++) {
        const xmpi_array_t *array = &registry->array[i];
        if (is_comparable(array->elements) && is_replicated(array))
            item[(*n)++] = (item_t){array->name, array->elements, xmpi_array_pointer(array),
                                    array->rows * array->row_bytes};
    }
    if (item != NULL)
        qsort(item, (size_t)*n, sizeof *item, by_name);
    return item;
}

/* Of large arrays pieces stand for the whole, as a change may move much less than they have. */
static uint64_t hash_pieces(const xmpi_elements_t *elements, const item_t *item)
{
    enum { WHOLE = 1 << 20, PIECES = 32, PIECE = WHOLE / PIECES };
    int64_t piece = PIECE / elements->bytes * elements->bytes;
    if (item->bytes <= WHOLE || piece == 0)
        return hash(elements, item->data, item->bytes);
    uint64_t digest = 0;
    for (int64_t i = 0; i < PIECES; i++) {
        int64_t at = (item->bytes - piece) * i / (PIECES - 1) / elements->bytes * elements->bytes;
        uint64_t one = hash(elements, item->data + at, piece);
        digest = xmpi_digest_bytes(&one, sizeof one, digest);
    }
    return digest;
}

/* (Of what is not told rightly nothing is known: it has the same digest everywhere.) */
static uint64_t digest_item(const item_t *item)
{
    xmpi_elements_t elements;
    uint64_t digest = 0;
    if (xmpi_elements_read(item->elements, item->bytes, &elements) != XMPI_OK)
        return 0;
    if (elements.known)
        digest = hash_pieces(&elements, item);
    xmpi_elements_free(&elements);
    return digest;
}

uint64_t xmpi_digest(const xmpi_registry_t *registry)
{
    int n;
    item_t *item = list_items(registry, &n);
    uint64_t digest = 1;
    for (int i = 0; item != NULL && i < n; i++) {
        uint64_t one = digest_item(&item[i]);
        digest = xmpi_digest_bytes(&one, sizeof one, digest);
    }
    free(item);
    return item != NULL ? digest : 0;
}

/* --- which one ----------------------------------------------------------------------------------
 */

/* The first of N numbers that is not the same on all of COMM, which have as many; -1: all are.
 * DIGEST has room for twice as many. */
static int first_unequal(uint64_t *digest, int n, MPI_Comm comm)
{
    for (int i = 0; i < n; i++)
        digest[n + i] = ~digest[i];
    PMPI_Allreduce(MPI_IN_PLACE, digest, 2 * n, MPI_UINT64_T, MPI_MAX, comm);
    for (int i = 0; i < n; i++)
        if (digest[i] != ~digest[n + i])
            return i;
    return -1;
}

/* Whether all of COMM have N of what has these NAMES. */
static bool same_on_all(int n, uint64_t names, MPI_Comm comm)
{
    uint64_t pair[4] = {(uint64_t)n, names};
    return first_unequal(pair, 2, comm) < 0;
}

static uint64_t hash_names(const item_t *item, int n)
{
    uint64_t digest = 0;
    for (int i = 0; i < n; i++)
        digest = xmpi_digest_bytes(item[i].name, strlen(item[i].name), digest);
    return digest;
}

enum { SHOWN = 64 };

/* The first value of ITEM that is not that of rank 0, on this rank and there. */
static void show_values(const item_t *item, MPI_Comm comm, char *mine, char *first)
{
    xmpi_elements_t elements;
    const xmpi_field_t *field = NULL;
    int64_t at = 0;
    char *other = malloc((size_t)item->bytes + 1);
    int rank, can = other != NULL;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Allreduce(MPI_IN_PLACE, &can, 1, MPI_INT, MPI_MIN, comm);
    *mine = *first = '\0';
    if (!can || item->bytes > 1 << 30 ||
        xmpi_elements_read(item->elements, item->bytes, &elements) != XMPI_OK) {
        free(other);
        return;
    }
    memcpy(other, item->data, (size_t)item->bytes);
    PMPI_Bcast(other, (int)item->bytes, MPI_BYTE, 0, comm);
    if (!xmpi_elements_same(&elements, item->data, other, item->bytes, NULL, NULL, &at, &field)) {
        xmpi_field_print(field, item->data + at, mine, SHOWN);
        xmpi_field_print(field, other + at, first, SHOWN);
    }
    xmpi_elements_free(&elements);
    free(other);
}

static void describe(const item_t *item, MPI_Comm comm, char *text, int size)
{
    char shown[2][SHOWN];
    int rank, members, least;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &members);
    show_values(item, comm, shown[0], shown[1]);
    int mine = shown[0][0] != '\0' ? rank : members;
    PMPI_Allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, comm);
    if (least == members) { /* no memory to look closer */
        snprintf(text, (size_t)size, "%s is not the same on all members",
                 xmpi_digest_name(item->name));
        return;
    }
    PMPI_Bcast(shown, sizeof shown, MPI_CHAR, least, comm);
    snprintf(text, (size_t)size, "%s is %s on rank 0, %s on rank %d", xmpi_digest_name(item->name),
             shown[1], shown[0], least);
}

bool xmpi_digest_find(const xmpi_registry_t *registry, MPI_Comm comm, char *text, int size)
{
    int n = 0, found = -1;
    item_t *item = list_items(registry, &n);
    uint64_t *digest = calloc(2 * (size_t)n + 1, sizeof *digest);
    bool can = item != NULL && digest != NULL;
    if (same_on_all(can ? n : -1, can ? hash_names(item, n) : 0, comm) && can) {
        for (int i = 0; i < n; i++)
            digest[i] = digest_item(&item[i]);
        found = first_unequal(digest, n, comm);
    }
    if (found >= 0)
        describe(&item[found], comm, text, size);
    free(digest);
    free(item);
    return found >= 0;
}

/* --- live variables -----------------------------------------------------------------------------
 */

/* (Whoever has no say raises no maximum.) */
static void reduce_digests(const item_t *item, int n, uint64_t *digest, MPI_Comm comm)
{
    for (int i = 0; i < n; i++) {
        xmpi_live_t live = {
            .elements = item[i].elements, .size = (uint64_t)item[i].bytes, .name = item[i].name};
        uint64_t one = item[i].data != NULL ? xmpi_digest_live(&live, item[i].data) : 0;
        digest[i] = one;
        digest[n + i] = item[i].data != NULL ? ~one : 0;
    }
    PMPI_Allreduce(MPI_IN_PLACE, digest, 2 * n, MPI_UINT64_T, MPI_MAX, comm);
}

static void find_alike(const xmpi_registry_t *registry, const item_t *item, uint64_t *digest,
                       MPI_Comm comm, bool *alike)
{
    int n = registry->lives;
    reduce_digests(item, n, digest, comm);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            if (strcmp(registry->live[i].name, item[k].name) == 0)
                alike[i] = digest[k] == ~digest[n + k];
}

xmpi_status_t xmpi_digest_alike(const xmpi_registry_t *registry, xmpi_value_of_t *of,
                                const void *context, MPI_Comm comm, bool *alike)
{
    int n = registry->lives;
    item_t *item = calloc((size_t)n + 1, sizeof *item);
    uint64_t *digest = calloc(2 * (size_t)n + 1, sizeof *digest);
    bool can = item != NULL && digest != NULL;
    memset(alike, 0, (size_t)n * sizeof *alike);
    for (int i = 0; can && i < n; i++) {
        const xmpi_live_t *live = &registry->live[i];
        item[i] = (item_t){live->name, live->elements, of(context, live), (int64_t)live->size};
    }
    if (can)
        qsort(item, (size_t)n, sizeof *item, by_name);
    if (same_on_all(can ? n : -1, can ? hash_names(item, n) : 0, comm) && can)
        find_alike(registry, item, digest, comm, alike);
    free(digest);
    free(item);
    return can ? XMPI_OK : XMPI_ERR_MEMORY;
}
