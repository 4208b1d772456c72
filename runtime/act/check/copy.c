/* SPDX-License-Identifier: BSD-3-Clause
 * A second set of values of all that the loop changes. */
#include "act/check/copy.h"

#include <stdlib.h>
#include <string.h>

#include "act/data/elements.h"
#include "act/outofcore/outofcore.h"

/* --- where values are --------------------------------------------------------------------------
 */

xmpi_storage_t xmpi_copy_storage(const xmpi_registry_t *registry, int i, xmpi_block_t block,
                                 void *base, const void *offsets)
{
    const xmpi_array_t *array = &registry->array[i];
    xmpi_block_t all = {.count = array->rows, .displ = 0};
    return (xmpi_storage_t){
        .rows = array->scheme == XMPI_GEN_DISTRIBUTED ? xmpi_stored_rows(array, block) : all,
        .base = base,
        .offsets = offsets};
}

xmpi_storage_t xmpi_copy_own(const xmpi_registry_t *registry, int i, xmpi_block_t block)
{
    const xmpi_array_t *array = &registry->array[i];
    const void *offsets = array->shape == XMPI_SHAPE_ENTRIES
                              ? xmpi_array_pointer(&registry->array[array->offsets])
                              : NULL;
    return xmpi_copy_storage(registry, i, block, xmpi_array_pointer(array), offsets);
}

xmpi_storage_t xmpi_copy_other(const xmpi_registry_t *registry, int i, xmpi_block_t block,
                               const xmpi_copy_t *copy)
{
    const xmpi_array_t *array = &registry->array[i];
    xmpi_storage_t own = xmpi_copy_own(registry, i, block);
    own.base = copy->array[i];
    if (array->shape == XMPI_SHAPE_ENTRIES && copy->array[array->offsets] != NULL)
        own.offsets = copy->array[array->offsets];
    return own;
}

/* Bytes that the owner of BLOCK has of array I; 0 where there is no storage. */
static int64_t own_bytes(const xmpi_registry_t *registry, int i, xmpi_block_t block)
{
    const xmpi_array_t *array = &registry->array[i];
    xmpi_storage_t own = xmpi_copy_own(registry, i, block);
    if (own.base == NULL || (array->shape == XMPI_SHAPE_ENTRIES && own.offsets == NULL))
        return 0;
    return xmpi_storage_bytes(array, &own);
}

static int64_t other_bytes(const xmpi_registry_t *registry, int i, xmpi_block_t block,
                           const xmpi_copy_t *copy)
{
    xmpi_storage_t other = xmpi_copy_other(registry, i, block, copy);
    return other.base == NULL ? 0 : xmpi_storage_bytes(&registry->array[i], &other);
}

int64_t xmpi_copy_bytes(const xmpi_registry_t *registry, xmpi_block_t block)
{
    int64_t bytes = 0;
    for (int i = 0; i < registry->arrays; i++)
        if (!xmpi_registry_is_constant(registry, i))
            bytes += own_bytes(registry, i, block);
    return bytes;
}

/* --- copying ------------------------------------------------------------------------------------
 */

static xmpi_status_t open_copy(const xmpi_registry_t *registry, xmpi_copy_t *copy)
{
    *copy = (xmpi_copy_t){.arrays = registry->arrays, .outofcore = registry->outofcore};
    copy->array = calloc((size_t)registry->arrays + 1, sizeof *copy->array);
    copy->made = copy->array != NULL;
    return copy->made ? XMPI_OK : XMPI_ERR_MEMORY;
}

static double largest_of(const xmpi_array_t *array, const char *data, int64_t bytes)
{
    xmpi_elements_t elements;
    double scale = 0;
    if (array->elements == NULL || array->shape == XMPI_SHAPE_OFFSETS ||
        xmpi_elements_read(array->elements, bytes, &elements) != XMPI_OK)
        return 0;
    double *largest = calloc((size_t)elements.fields, sizeof *largest);
    if (largest != NULL && !elements.varies)
        xmpi_elements_largest(&elements, data, bytes, largest);
    for (int i = 0; largest != NULL && i < elements.fields; i++)
        scale = largest[i] > scale ? largest[i] : scale;
    free(largest);
    xmpi_elements_free(&elements);
    return scale;
}

static xmpi_status_t copy_array(const xmpi_registry_t *registry, int i, xmpi_block_t block,
                                xmpi_copy_t *copy)
{
    const xmpi_array_t *array = &registry->array[i];
    const void *own = xmpi_array_pointer(array);
    int64_t bytes = own_bytes(registry, i, block);
    if (own == NULL || xmpi_registry_is_constant(registry, i))
        return XMPI_OK;
    copy->array[i] = malloc(bytes > 0 ? (size_t)bytes : 1);
    if (copy->array[i] == NULL)
        return XMPI_ERR_MEMORY;
    memcpy(copy->array[i], own, (size_t)bytes);
    double scale = largest_of(array, own, bytes);
    copy->scale = scale > copy->scale ? scale : copy->scale;
    return XMPI_OK;
}

xmpi_status_t xmpi_copy_make(const xmpi_registry_t *registry, xmpi_block_t block, xmpi_copy_t *copy)
{
    xmpi_status_t status = open_copy(registry, copy);
    for (int i = 0; i < registry->arrays && status == XMPI_OK; i++)
        status = copy_array(registry, i, block, copy);
    if (status == XMPI_OK) {
        xmpi_registry_put_lives(&copy->lives, registry);
        status = copy->lives.status;
    }
    if (status != XMPI_OK)
        xmpi_copy_free(copy);
    return status;
}

static void free_storage(const xmpi_copy_t *copy, void *storage)
{
    xmpi_outofcore_forget(copy->outofcore, storage);
    free(storage);
}

static void restore_array(const xmpi_registry_t *registry, int i, int64_t own, int64_t other,
                          xmpi_copy_t *copy)
{
    const xmpi_array_t *array = &registry->array[i];
    void *present = xmpi_array_pointer(array);
    if (own == other || array->fixed > 0) {
        memcpy(present, copy->array[i], (size_t)other);
        return;
    }
    free_storage(copy, present);
    xmpi_array_set_pointer(array, copy->array[i]);
    copy->array[i] = NULL;
}

/* (Sparse entries before their row pointers: their sizes follow from these.) */
static void restore_arrays(const xmpi_registry_t *registry, xmpi_block_t block, bool pointers,
                           xmpi_copy_t *copy)
{
    for (int i = 0; i < registry->arrays; i++)
        if (copy->array[i] != NULL && (registry->array[i].shape == XMPI_SHAPE_OFFSETS) == pointers)
            restore_array(registry, i, own_bytes(registry, i, block),
                          other_bytes(registry, i, block, copy), copy);
}

static void restore_lives(const xmpi_registry_t *registry, const xmpi_copy_t *copy)
{
    xmpi_pack_t reading = copy->lives;
    reading.at = 0;
    xmpi_registry_get_lives(&reading, registry, NULL);
}

void xmpi_copy_restore(const xmpi_registry_t *registry, xmpi_block_t block, xmpi_copy_t *copy)
{
    restore_arrays(registry, block, false, copy);
    restore_arrays(registry, block, true, copy);
    restore_lives(registry, copy);
}

static void exchange_bytes(char *one, char *other, int64_t bytes)
{
    enum { PIECE = 4096 };
    char piece[PIECE];
    for (int64_t at = 0; at < bytes; at += PIECE) {
        size_t size = (size_t)(bytes - at < PIECE ? bytes - at : PIECE);
        memcpy(piece, one + at, size);
        memcpy(one + at, other + at, size);
        memcpy(other + at, piece, size);
    }
}

static bool same_arrays(const xmpi_registry_t *registry, const xmpi_copy_t *copy)
{
    if (registry->arrays != copy->arrays)
        return false;
    for (int i = 0; i < registry->arrays; i++)
        if (!xmpi_registry_is_constant(registry, i) &&
            (xmpi_array_pointer(&registry->array[i]) == NULL) != (copy->array[i] == NULL))
            return false;
    return true;
}

/* Where the sizes are others the storage itself changes places. */
static void exchange_array(const xmpi_registry_t *registry, int i, xmpi_block_t block,
                           xmpi_copy_t *copy)
{
    const xmpi_array_t *array = &registry->array[i];
    void *present = xmpi_array_pointer(array);
    int64_t own = own_bytes(registry, i, block), other = other_bytes(registry, i, block, copy);
    if (own == other || array->fixed > 0) {
        exchange_bytes(present, copy->array[i], own);
        return;
    }
    xmpi_array_set_pointer(array, copy->array[i]);
    copy->array[i] = present;
}

xmpi_status_t xmpi_copy_exchange(const xmpi_registry_t *registry, xmpi_block_t block,
                                 xmpi_copy_t *copy)
{
    xmpi_pack_t present = {0};
    if (!same_arrays(registry, copy))
        return XMPI_ERR_INPUT;
    xmpi_registry_put_lives(&present, registry);
    if (present.status != XMPI_OK) {
        xmpi_pack_free(&present);
        return XMPI_ERR_MEMORY;
    }
    for (int pass = 0; pass < 2; pass++) /* row pointers last: the sizes of entries follow them */
        for (int i = 0; i < registry->arrays; i++)
            if (copy->array[i] != NULL &&
                (registry->array[i].shape == XMPI_SHAPE_OFFSETS) == (pass == 1))
                exchange_array(registry, i, block, copy);
    restore_lives(registry, copy);
    xmpi_pack_free(&copy->lives);
    copy->lives = present;
    return XMPI_OK;
}

/* --- moving -------------------------------------------------------------------------------------
 */

/* Index among all arrays of the copy of array I, while it is attached. */
static int index_of(const xmpi_registry_t *registry, int first, int i)
{
    int at = first;
    for (int k = 0; k < i; k++)
        at += !xmpi_registry_is_constant(registry, k);
    return at;
}

xmpi_status_t xmpi_copy_attach(xmpi_registry_t *registry, xmpi_copy_t *copy)
{
    int n = registry->arrays;
    xmpi_array_t *grown = realloc(registry->array, (size_t)(2 * n + 1) * sizeof *grown);
    if (grown != NULL)
        registry->array = grown;
    if (grown == NULL || (!copy->made && open_copy(registry, copy) != XMPI_OK))
        return XMPI_ERR_MEMORY;
    copy->first = n;
    int next = n;
    for (int i = 0; i < n; i++) {
        if (xmpi_registry_is_constant(registry, i))
            continue;
        xmpi_array_t *twin = &grown[next++];
        *twin = grown[i];
        twin->own_name = NULL;
        twin->aliases = 0;
        twin->fixed = 0;
        twin->slot = &copy->array[i];
        if (twin->shape == XMPI_SHAPE_ENTRIES || twin->shape == XMPI_SHAPE_OFFSETS)
            twin->offsets = index_of(registry, n, twin->offsets);
    }
    registry->arrays = next;
    return XMPI_OK;
}

void xmpi_copy_detach(xmpi_registry_t *registry, xmpi_copy_t *copy)
{
    registry->arrays = copy->first;
}

/* --- live variables -----------------------------------------------------------------------------
 */

const void *xmpi_copy_live(const xmpi_copy_t *copy, const xmpi_live_t *live)
{
    xmpi_pack_t reading = copy->lives;
    int n = 0;
    reading.at = 0;
    xmpi_pack_get(&reading, &n, sizeof n);
    for (int i = 0; i < n && reading.status == XMPI_OK; i++) {
        uint64_t size = 0;
        const char *name = xmpi_pack_view_text(&reading);
        xmpi_pack_get(&reading, &size, sizeof size);
        const void *value = xmpi_pack_view(&reading, size);
        if (name != NULL && size == live->size && strcmp(name, live->name) == 0)
            return value;
    }
    return NULL;
}

void xmpi_copy_put_lives(xmpi_pack_t *pack, const xmpi_registry_t *registry,
                         const xmpi_copy_t *copy)
{
    xmpi_pack_t some = {0};
    int n = 0;
    for (int i = 0; i < registry->lives; i++)
        n += copy->alike == NULL || copy->alike[i];
    xmpi_pack_put(&some, &n, sizeof n);
    for (int i = 0; i < registry->lives; i++) {
        const xmpi_live_t *live = &registry->live[i];
        const void *value = xmpi_copy_live(copy, live);
        if (copy->alike != NULL && !copy->alike[i])
            continue;
        xmpi_pack_put_text(&some, live->name);
        xmpi_pack_put(&some, &live->size, sizeof live->size);
        xmpi_pack_put(&some, value != NULL ? value : live->address, live->size);
    }
    xmpi_pack_put_array(pack, some.data, (int)some.size, 1);
    if (some.status != XMPI_OK)
        pack->status = some.status;
    xmpi_pack_free(&some);
}

void xmpi_copy_get_lives(xmpi_pack_t *pack, xmpi_copy_t *copy)
{
    int size = 0;
    xmpi_pack_free(&copy->lives);
    copy->lives.data = xmpi_pack_get_array(pack, &size, 1);
    copy->lives.size = copy->lives.room = (size_t)size;
}

void xmpi_copy_free(xmpi_copy_t *copy)
{
    for (int i = 0; copy->array != NULL && i < copy->arrays; i++)
        free_storage(copy, copy->array[i]);
    free(copy->array);
    free(copy->alike);
    xmpi_pack_free(&copy->lives);
    memset(copy, 0, sizeof *copy);
}
