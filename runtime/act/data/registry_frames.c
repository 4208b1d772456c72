/* SPDX-License-Identifier: BSD-3-Clause
 * Registry: variables die with the functions that hold them, and members come by different ways. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "act/data/registry.h"
#include "base/misuse.h"

/* The holders of an array that live on; false when there are none. */
static bool keep_holders(xmpi_array_t *array, int keep)
{
    int n = 0;
    for (int i = 0; i < array->aliases; i++)
        if (array->alias_frame[i] <= keep) {
            array->alias[n] = array->alias[i];
            array->alias_frame[n++] = array->alias_frame[i];
        }
    array->aliases = n;
    if (array->slot == NULL || array->frame <= keep)
        return array->slot != NULL || n > 0;
    if (n == 0)
        return false;
    array->slot = array->alias[0];
    array->frame = array->alias_frame[0];
    memmove(array->alias, array->alias + 1, (size_t)(n - 1) * sizeof *array->alias);
    memmove(array->alias_frame, array->alias_frame + 1,
            (size_t)(n - 1) * sizeof *array->alias_frame);
    array->aliases = n - 1;
    return true;
}

void xmpi_registry_set_slot(xmpi_registry_t *registry, xmpi_array_t *array, void *slot)
{
    void *former = array->slot;
    int frame = array->frame;
    if (former == slot)
        return;
    array->slot = slot;
    array->frame = registry->frame;
    int n = 0;
    for (int i = 0; i < array->aliases; i++)
        if (array->alias[i] != slot) {
            array->alias[n] = array->alias[i];
            array->alias_frame[n++] = array->alias_frame[i];
        }
    array->aliases = n;
    if (former != NULL && frame < registry->frame) {
        xmpi_registry_add_alias(registry, array, former);
        array->alias_frame[array->aliases - 1] = frame;
    }
}

void xmpi_registry_enter_frame(xmpi_registry_t *registry, int keep, int next)
{
    int n = 0;
    for (int i = 0; i < registry->lives; i++)
        if (registry->live[i].frame <= keep)
            registry->live[n++] = registry->live[i];
        else
            free(registry->live[i].begun);
    registry->lives = n;
    n = 0;
    for (int i = 0; i < registry->refreshes; i++)
        if (registry->refresh[i].frame <= keep)
            registry->refresh[n++] = registry->refresh[i];
    registry->refreshes = n;
    for (int i = registry->arrays; i-- > 0;)
        if (!keep_holders(&registry->array[i], keep))
            xmpi_registry_remove(registry, i, 1);
    registry->frame = next;
}

/* Where this thread's stack begins, which grows down to there; FRAME where it is not known. */
static uintptr_t stack_begin(uintptr_t frame)
{
    pthread_attr_t attributes;
    void *begin = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return frame;
    int status = pthread_attr_getstack(&attributes, &begin, &size);
    pthread_attr_destroy(&attributes);
    bool runs_there = frame >= (uintptr_t)begin && frame - (uintptr_t)begin < size;
    return status == 0 && runs_there ? (uintptr_t)begin : frame;
}

static const char *find_between(const xmpi_registry_t *registry, uintptr_t begin, uintptr_t end)
{
    static const char *const told[] = {[XMPI_GEN_RANK] = "the rank",
                                       [XMPI_GEN_SIZE] = "the number of processes",
                                       [XMPI_GEN_COUNT] = "the number of own rows",
                                       [XMPI_GEN_DISPL] = "the first own row"};
    for (int i = 0; i < registry->arrays; i++)
        if ((uintptr_t)registry->array[i].slot - begin < end - begin)
            return registry->array[i].name;
    for (int i = 0; i < registry->lives; i++)
        if ((uintptr_t)registry->live[i].address - begin < end - begin)
            return registry->live[i].name;
    for (int i = 0; i < registry->refreshes; i++)
        if ((uintptr_t)registry->refresh[i].address - begin < end - begin)
            return told[registry->refresh[i].kind];
    return NULL;
}

/* Where the stack begins is asked only where something is near, as it costs a file of /proc. */
const char *xmpi_registry_find_dead(const xmpi_registry_t *registry, const void *frame)
{
    const uintptr_t near = (uintptr_t)1 << 30, end = (uintptr_t)frame;
    return find_between(registry, end - near, end) == NULL
               ? NULL
               : find_between(registry, stack_begin(end), end);
}

static int by_name(const void *one, const void *other)
{
    const xmpi_array_t *a = one, *b = other;
    return strcmp(a->name, b->name);
}

static int index_of(const xmpi_registry_t *registry, const char *name)
{
    int i = 0;
    while (strcmp(registry->array[i].name, name) != 0)
        i++;
    return i;
}

void xmpi_registry_sort(xmpi_registry_t *registry)
{
    size_t arrays = (size_t)registry->arrays;
    const char **offsets = calloc(arrays + 1, sizeof *offsets);
    if (offsets == NULL)
        xmpi_misuse("no memory to register a variable");
    for (size_t i = 0; i < arrays; i++) { /* the index of row pointers, as a name meanwhile */
        xmpi_array_t *array = &registry->array[i];
        if (array->shape == XMPI_SHAPE_ENTRIES) {
            offsets[i] = registry->array[array->offsets].name;
            array->offsets = (int)i;
        }
    }
    if (arrays > 1)
        qsort(registry->array, arrays, sizeof *registry->array, by_name);
    for (size_t i = 0; i < arrays; i++)
        if (registry->array[i].shape == XMPI_SHAPE_ENTRIES)
            registry->array[i].offsets = index_of(registry, offsets[registry->array[i].offsets]);
    free(offsets);
}
