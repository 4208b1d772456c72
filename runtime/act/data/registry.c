/* SPDX-License-Identifier: BSD-3-Clause
 * Registry: the arrays and variables of the program. */
#include "act/data/registry.h"

#include <stdlib.h>
#include <string.h>

#include "act/data/offsets.h"
#include "base/misuse.h"

_Static_assert(XMPI_SCHEME_DISTRIBUTED == (int)XMPI_GEN_DISTRIBUTED &&
                   XMPI_SCHEME_REPLICATED == (int)XMPI_GEN_REPLICATED &&
                   XMPI_SCHEME_OWNED == (int)XMPI_GEN_OWNED,
               "schemes of arrays");

static void *grow(void *array, int n, size_t size)
{
    void *grown = realloc(array, (size_t)(n + 1) * size);
    if (grown == NULL)
        xmpi_misuse("no memory to register a variable");
    memset((char *)grown + (size_t)n * size, 0, size);
    return grown;
}

/* What joiners are told of it is a live value. */
static void forget_file(xmpi_registry_t *registry, xmpi_array_t *array)
{
    for (int i = registry->lives; i-- > 0 && array->row_file != NULL;)
        if (registry->live[i].address == &array->row_file->like) {
            free(registry->live[i].begun);
            memmove(&registry->live[i], &registry->live[i + 1],
                    (size_t)(--registry->lives - i) * sizeof *registry->live);
        }
    free(array->row_file);
    array->row_file = NULL;
}

xmpi_array_t *xmpi_registry_array(xmpi_registry_t *registry, const char *name)
{
    for (int i = 0; i < registry->arrays; i++)
        if (strcmp(registry->array[i].name, name) == 0)
            return &registry->array[i];
    registry->array = grow(registry->array, registry->arrays, sizeof *registry->array);
    registry->array[registry->arrays].name = name;
    registry->array[registry->arrays].frame = registry->frame;
    return &registry->array[registry->arrays++];
}

xmpi_array_t *xmpi_registry_append(xmpi_registry_t *registry, const char *name)
{
    size_t room = (size_t)registry->arrays + 1;
    xmpi_array_t *grown = realloc(registry->array, room * sizeof *grown);
    char *copy = malloc(strlen(name) + 1);
    if (grown != NULL)
        registry->array = grown;
    if (grown == NULL || copy == NULL) {
        free(copy);
        return NULL;
    }
    xmpi_array_t *array = &registry->array[registry->arrays++];
    *array = (xmpi_array_t){.name = strcpy(copy, name), .own_name = copy};
    return array;
}

int xmpi_registry_find_slot(const xmpi_registry_t *registry, const void *slot)
{
    for (int i = 0; i < registry->arrays; i++)
        if (registry->array[i].slot == slot)
            return i;
    return -1;
}

void xmpi_registry_remove(xmpi_registry_t *registry, int first, int n)
{
    for (int i = first; i < first + n; i++) {
        forget_file(registry, &registry->array[i]);
        free(registry->array[i].own_name);
    }
    registry->arrays -= n;
    memmove(&registry->array[first], &registry->array[first + n],
            (size_t)(registry->arrays - first) * sizeof *registry->array);
    for (int i = first; i < registry->arrays; i++)
        if (registry->array[i].shape == XMPI_SHAPE_ENTRIES)
            registry->array[i].offsets -= n;
}

void xmpi_registry_add_alias(xmpi_registry_t *registry, xmpi_array_t *array, void *slot)
{
    if (array->slot == slot)
        return;
    for (int i = 0; i < array->aliases; i++)
        if (array->alias[i] == slot)
            return;
    if (array->aliases == XMPI_ALIASES_MAX)
        xmpi_misuse("more than %d variables hold the array %s", XMPI_ALIASES_MAX, array->name);
    array->alias_frame[array->aliases] = registry->frame;
    array->alias[array->aliases++] = slot;
}

void xmpi_registry_add_live(xmpi_registry_t *registry, const char *name, void *address,
                            uint64_t size)
{
    xmpi_live_t live = {name, address, size, registry->frame, NULL, NULL};
    for (int i = 0; i < registry->lives; i++)
        if (registry->live[i].name == name || strcmp(registry->live[i].name, name) == 0) {
            live.begun = registry->live[i].begun;
            if (registry->live[i].size != size) {
                free(live.begun);
                live.begun = NULL;
            }
            registry->live[i] = live;
            return;
        }
    registry->live = grow(registry->live, registry->lives, sizeof *registry->live);
    registry->live[registry->lives++] = live;
}

void xmpi_registry_drop_live(xmpi_registry_t *registry, const char *name)
{
    for (int i = registry->lives; i-- > 0;)
        if (strcmp(registry->live[i].name, name) == 0) {
            free(registry->live[i].begun);
            memmove(&registry->live[i], &registry->live[i + 1],
                    (size_t)(--registry->lives - i) * sizeof *registry->live);
        }
}

void xmpi_registry_set_elements(xmpi_registry_t *registry, const char *name, const char *elements)
{
    for (int i = 0; i < registry->arrays; i++)
        if (strcmp(registry->array[i].name, name) == 0)
            registry->array[i].elements = elements;
    for (int i = 0; i < registry->lives; i++)
        if (strcmp(registry->live[i].name, name) == 0)
            registry->live[i].elements = elements;
}

void xmpi_registry_add_refresh(xmpi_registry_t *registry, int kind, void *address, uint64_t size)
{
    xmpi_refresh_t refresh = {kind, address, size, registry->frame};
    if (size != 4 && size != 8)
        xmpi_misuse("a rank, size, count or displ has %llu bytes; it must be an int or a long",
                    (unsigned long long)size);
    for (int i = 0; i < registry->refreshes; i++)
        if (registry->refresh[i].kind == kind && registry->refresh[i].address == address)
            return;
    registry->refresh = grow(registry->refresh, registry->refreshes, sizeof *registry->refresh);
    registry->refresh[registry->refreshes++] = refresh;
}

static bool is_part_of(const xmpi_array_t *array, int i, int offsets)
{
    return i == offsets || (array->shape == XMPI_SHAPE_ENTRIES && array->offsets == offsets);
}

bool xmpi_registry_is_constant(const xmpi_registry_t *registry, int i)
{
    const xmpi_array_t *array = &registry->array[i];
    int offsets = array->shape == XMPI_SHAPE_ENTRIES ? array->offsets : i;
    if (array->shape != XMPI_SHAPE_OFFSETS && array->shape != XMPI_SHAPE_ENTRIES)
        return array->constant;
    for (int k = 0; k < registry->arrays; k++)
        if (is_part_of(&registry->array[k], k, offsets) && !registry->array[k].constant)
            return false;
    return true;
}

/* What a row of ENTRIES moves on average: elements of the rows that are here, which is what the row
 * pointers say where the program has set them. */
static double mean_row_bytes(const xmpi_registry_t *registry, const xmpi_array_t *array,
                             int64_t count)
{
    const xmpi_array_t *offsets = &registry->array[array->offsets];
    const void *pointers = xmpi_array_pointer(offsets);
    int64_t stored = offsets->scheme == XMPI_SCHEME_DISTRIBUTED ? count : offsets->rows;
    if (pointers == NULL || stored == 0)
        return (double)array->row_bytes;
    int64_t entries = xmpi_offset_get(pointers, array->offset_bytes, stored) -
                      xmpi_offset_get(pointers, array->offset_bytes, 0);
    return (double)entries * (double)array->row_bytes / (double)stored;
}

int xmpi_registry_matrices(const xmpi_registry_t *registry)
{
    int matrices = 0;
    for (int i = 0; i < registry->arrays; i++)
        matrices += registry->array[i].shape == XMPI_SHAPE_OFFSETS;
    return matrices;
}

xmpi_moved_array_t *xmpi_registry_moved(const xmpi_registry_t *registry, int64_t count)
{
    xmpi_moved_array_t *moved = calloc((size_t)registry->arrays + 1, sizeof *moved);
    for (int i = 0; moved != NULL && i < registry->arrays; i++) {
        const xmpi_array_t *array = &registry->array[i];
        moved[i] = (xmpi_moved_array_t){.scheme = array->scheme,
                                        .rows = array->rows,
                                        .row_bytes = (double)array->row_bytes,
                                        .halo = array->halo,
                                        .constant = xmpi_registry_is_constant(registry, i),
                                        .paged = array->outofcore,
                                        .ahead = array->outofcore && !registry->waits,
                                        .reads = array->reads,
                                        .writes = array->writes,
                                        .lengths = array->shape == XMPI_SHAPE_OFFSETS};
        if (array->shape != XMPI_SHAPE_ENTRIES)
            continue;
        moved[i].row_bytes = mean_row_bytes(registry, array, count);
        moved[i].entry_bytes = (double)array->row_bytes;
    }
    return moved;
}

/* Pointers are copied as bytes: the variable may be of any pointer type. */
void *xmpi_array_pointer(const xmpi_array_t *array)
{
    void *pointer;
    if (array->holds != XMPI_SLOT_POINTER)
        return array->row_file != NULL ? array->row_file->mapped : NULL;
    if (array->fixed > 0)
        return array->slot;
    memcpy(&pointer, array->slot, sizeof pointer);
    return pointer;
}

void xmpi_array_set_pointer(const xmpi_array_t *array, void *pointer)
{
    if (array->fixed > 0)
        return; /* it stays where it is */
    memcpy(array->slot, &pointer, sizeof pointer);
    for (int i = 0; i < array->aliases; i++)
        memcpy(array->alias[i], &pointer, sizeof pointer);
}

void xmpi_registry_refresh(const xmpi_registry_t *registry, int kind, int64_t value)
{
    int32_t narrow = (int32_t)value;
    for (int i = 0; i < registry->refreshes; i++) {
        const xmpi_refresh_t *refresh = &registry->refresh[i];
        if (refresh->kind == kind)
            memcpy(refresh->address, refresh->size == 4 ? (void *)&narrow : (void *)&value,
                   refresh->size);
    }
}

bool xmpi_registry_value(const xmpi_registry_t *registry, int kind, int64_t *value)
{
    for (int i = registry->refreshes - 1; i >= 0; i--) {
        const xmpi_refresh_t *refresh = &registry->refresh[i];
        int32_t narrow;
        if (refresh->kind != kind)
            continue;
        memcpy(refresh->size == 4 ? (void *)&narrow : (void *)value, refresh->address,
               refresh->size);
        if (refresh->size == 4)
            *value = narrow;
        return true;
    }
    return false;
}

int64_t xmpi_registry_widest_halo(const xmpi_registry_t *registry)
{
    int64_t widest = 0;
    for (int i = 0; i < registry->arrays; i++)
        if (registry->array[i].halo > widest)
            widest = registry->array[i].halo;
    return widest;
}

static void put_live(xmpi_pack_t *pack, const xmpi_live_t *live, const void *value)
{
    xmpi_pack_put_text(pack, live->name);
    xmpi_pack_put(pack, &live->size, sizeof live->size);
    xmpi_pack_put(pack, value, live->size);
}

int xmpi_registry_count_lives(xmpi_pack_t *pack)
{
    int n = 0;
    xmpi_pack_get(pack, &n, sizeof n);
    return pack->status == XMPI_OK ? n : 0;
}

const void *xmpi_registry_view_live(xmpi_pack_t *pack, const char **name, uint64_t *size)
{
    *size = 0;
    *name = xmpi_pack_view_text(pack);
    xmpi_pack_get(pack, size, sizeof *size);
    const void *value = xmpi_pack_view(pack, *size);
    return *name != NULL ? value : NULL;
}

void xmpi_registry_put_lives(xmpi_pack_t *pack, const xmpi_registry_t *registry)
{
    xmpi_pack_put(pack, &registry->lives, sizeof registry->lives);
    for (int i = 0; i < registry->lives; i++)
        put_live(pack, &registry->live[i], registry->live[i].address);
}

static xmpi_live_t *find_live(const xmpi_registry_t *registry, const char *name, uint64_t size)
{
    for (int i = 0; i < registry->lives; i++)
        if (registry->live[i].size == size && strcmp(registry->live[i].name, name) == 0)
            return &registry->live[i];
    return NULL;
}

void xmpi_registry_get_lives(xmpi_pack_t *pack, const xmpi_registry_t *registry, const char *only)
{
    for (int i = xmpi_registry_count_lives(pack); i > 0 && pack->status == XMPI_OK; i--) {
        uint64_t size;
        const char *name;
        const void *value = xmpi_registry_view_live(pack, &name, &size);
        if (value == NULL || (only != NULL && strcmp(name, only) != 0))
            continue;
        const xmpi_live_t *live = find_live(registry, name, size);
        if (live != NULL)
            memcpy(live->address, value, size);
    }
}

static void keep_begun(xmpi_live_t *live, const void *value)
{
    if (live->begun == NULL)
        live->begun = malloc(live->size + 1);
    if (live->begun == NULL)
        xmpi_misuse("no memory for the value of %s when the loop began", live->name);
    memcpy(live->begun, value, live->size);
}

void xmpi_registry_begin(xmpi_registry_t *registry)
{
    for (int i = 0; i < registry->lives; i++)
        keep_begun(&registry->live[i], registry->live[i].address);
}

void xmpi_registry_put_begun(xmpi_pack_t *pack, const xmpi_registry_t *registry)
{
    int n = 0;
    for (int i = 0; i < registry->lives; i++)
        n += registry->live[i].begun != NULL;
    xmpi_pack_put(pack, &n, sizeof n);
    for (int i = 0; i < registry->lives; i++)
        if (registry->live[i].begun != NULL)
            put_live(pack, &registry->live[i], registry->live[i].begun);
}

void xmpi_registry_get_begun(xmpi_pack_t *pack, xmpi_registry_t *registry)
{
    for (int i = xmpi_registry_count_lives(pack); i > 0 && pack->status == XMPI_OK; i--) {
        uint64_t size;
        const char *name;
        const void *value = xmpi_registry_view_live(pack, &name, &size);
        xmpi_live_t *live = value != NULL ? find_live(registry, name, size) : NULL;
        if (live != NULL)
            keep_begun(live, value);
    }
}

void xmpi_registry_free(xmpi_registry_t *registry)
{
    for (int i = 0; i < registry->arrays; i++) {
        forget_file(registry, &registry->array[i]);
        free(registry->array[i].own_name);
    }
    for (int i = 0; i < registry->lives; i++)
        free(registry->live[i].begun);
    free(registry->array);
    free(registry->live);
    free(registry->refresh);
    memset(registry, 0, sizeof *registry);
}
