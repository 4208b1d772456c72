/* SPDX-License-Identifier: BSD-3-Clause
 * Live values of a checkpoint. */
#include "act/checkpoint/files/lives.h"

#include <stdlib.h>
#include <string.h>

#include "act/data/digest.h"
#include "act/data/elements.h"
#include "base/misuse.h"

/* The value of LIVE in the list that PACK stands at, and goes behind; NULL: it is not there. */
static const void *read_list(xmpi_pack_t *pack, const xmpi_live_t *live)
{
    const void *found = NULL;
    for (int i = xmpi_registry_count_lives(pack); i > 0 && pack->status == XMPI_OK; i--) {
        uint64_t size;
        const char *name;
        const void *value = xmpi_registry_view_live(pack, &name, &size);
        if (value != NULL && size == live->size && strcmp(name, live->name) == 0)
            found = value;
    }
    return found;
}

/* Its value in LIVES; UNCHANGED: it is what it was when the loop began. */
static const void *find(const xmpi_pack_t *lives, const xmpi_live_t *live, bool *unchanged)
{
    xmpi_pack_t reading = *lives;
    const void *value = read_list(&reading, live), *begun = read_list(&reading, live);
    *unchanged = value != NULL && begun != NULL && memcmp(value, begun, live->size) == 0;
    return value;
}

void xmpi_lives_restore(const xmpi_registry_t *registry, const xmpi_pack_t *lives)
{
    for (int i = 0; i < registry->lives; i++) {
        const xmpi_live_t *live = &registry->live[i];
        bool unchanged;
        const void *value = find(lives, live, &unchanged);
        if (value != NULL && !unchanged)
            memcpy(live->address, value, live->size);
    }
}

static int64_t integer(const void *value, uint64_t size)
{
    int32_t four;
    int64_t eight;
    if (size == sizeof four)
        return memcpy(&four, value, sizeof four), four;
    return memcpy(&eight, value, sizeof eight), eight;
}

static void describe(const xmpi_live_t *live, const char *then, int64_t at,
                     const xmpi_field_t *field, xmpi_live_difference_t *d)
{
    const char *now = live->address;
    *d = (xmpi_live_difference_t){.name = xmpi_digest_name(live->name)};
    xmpi_field_print(field, now + at, d->text_now, sizeof d->text_now);
    xmpi_field_print(field, then + at, d->text_then, sizeof d->text_then);
    d->integer = field->kind == 'i' && (uint64_t)field->bytes == live->size &&
                 (field->bytes == 4 || field->bytes == 8);
    if (d->integer) {
        d->now = integer(now, live->size);
        d->then = integer(then, live->size);
    }
}

static bool differs(const xmpi_live_t *live, const char *then, xmpi_live_difference_t *d)
{
    const xmpi_tolerance_t tolerance = {.relative = 0};
    const xmpi_field_t *field;
    xmpi_elements_t elements;
    int64_t at;
    int64_t bytes = (int64_t)live->size;
    if (xmpi_elements_read(live->elements, bytes, &elements) != XMPI_OK)
        xmpi_misuse("no memory to compare %s with a checkpoint", live->name);
    double *largest = calloc((size_t)elements.fields + 1, sizeof *largest);
    if (largest == NULL)
        xmpi_misuse("no memory to compare %s with a checkpoint", live->name);
    bool tells = elements.known && !elements.unset && !elements.varies;
    bool same = !tells || xmpi_elements_same(&elements, live->address, then, bytes, largest,
                                             &tolerance, &at, &field);
    if (!same)
        describe(live, then, at, field, d);
    free(largest);
    xmpi_elements_free(&elements);
    return !same;
}

bool xmpi_lives_differ(const xmpi_registry_t *registry, const xmpi_pack_t *lives, int *i,
                       xmpi_live_difference_t *difference)
{
    while (*i < registry->lives) {
        const xmpi_live_t *live = &registry->live[(*i)++];
        bool unchanged;
        const void *then = find(lives, live, &unchanged);
        if (unchanged && differs(live, then, difference))
            return true;
    }
    return false;
}
