/* SPDX-License-Identifier: BSD-3-Clause
 * Values of the state. */
#include "act/startover/values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/startover/forms.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "base/data/digest.h"
#include "base/misuse.h"

/* One value, as it stands in a pack. */
typedef struct {
    const char *name;
    void *address;
    uint64_t size;
    bool root; /* rank 0's, and nobody else's: of no size elsewhere, at NULL */
    const void *bytes;
} same_t;

typedef struct {
    const char *name;
    void *address;
    uint64_t n, bytes;
    int type;
    const char *operation;
    const void *value;
} own_t;

static same_t next_same(xmpi_pack_t *pack)
{
    same_t same = {0};
    xmpi_pack_get(pack, &same.name, sizeof same.name);
    xmpi_pack_get(pack, &same.address, sizeof same.address);
    xmpi_pack_get(pack, &same.size, sizeof same.size);
    xmpi_pack_get(pack, &same.root, sizeof same.root);
    same.bytes = xmpi_pack_view(pack, same.size);
    return same;
}

static own_t next_own(xmpi_pack_t *pack)
{
    own_t own = {0};
    xmpi_pack_get(pack, &own.name, sizeof own.name);
    xmpi_pack_get(pack, &own.address, sizeof own.address);
    xmpi_pack_get(pack, &own.n, sizeof own.n);
    xmpi_pack_get(pack, &own.bytes, sizeof own.bytes);
    xmpi_pack_get(pack, &own.type, sizeof own.type);
    xmpi_pack_get(pack, &own.operation, sizeof own.operation);
    own.value = xmpi_pack_view(pack, own.n * own.bytes);
    return own;
}

static xmpi_pack_t reading(const xmpi_pack_t *pack)
{
    xmpi_pack_t copy = *pack;
    copy.at = 0;
    return copy;
}

/* --- the same on all ----------------------------------------------------------------------------
 */

/* The smallest digest and the greatest are compared. */
bool xmpi_values_are_same(const xmpi_state_told_t *state, MPI_Comm comm, char *why, size_t size)
{
    xmpi_pack_t pack = reading(&state->same);
    int n = state->sames;
    uint64_t *sum = calloc(4 * (size_t)n + 1, sizeof *sum);
    if (sum == NULL)
        xmpi_misuse("no memory to compare %d values", n);
    for (int i = 0; i < n; i++) {
        same_t same = next_same(&pack);
        sum[2 * i] = same.root ? 0 : xmpi_digest_bytes(same.bytes, same.size, 0);
        sum[2 * i + 1] = ~sum[2 * i];
    }
    PMPI_Allreduce(sum, sum + 2 * n, 2 * n, MPI_UINT64_T, MPI_MIN, comm);
    pack = reading(&state->same);
    bool all = true;
    for (int i = 0; i < n && all; i++) {
        same_t same = next_same(&pack);
        all = sum[2 * n + 2 * i] == ~sum[2 * n + 2 * i + 1];
        if (!all)
            snprintf(why, size, "%s is not the same on all members", same.name);
    }
    free(sum);
    return all;
}

/* How large each of the values is that the leader has had, on all; to be freed. */
static xmpi_pack_t leaders_sizes(const xmpi_state_told_t *before, MPI_Comm transit, int me)
{
    xmpi_pack_t sizes = {0};
    if (me == 0) {
        xmpi_pack_t pack = reading(&before->same);
        for (int i = 0; i < before->sames; i++) {
            uint64_t size = next_same(&pack).size;
            xmpi_pack_put(&sizes, &size, sizeof size);
        }
    }
    if (xmpi_world_tell(transit, me, &sizes) != XMPI_OK)
        xmpi_misuse("no memory for the sizes of the values of the loop");
    sizes.at = 0;
    return sizes;
}

static bool same_fit(xmpi_pack_t *sizes, const xmpi_state_told_t *now, bool first)
{
    xmpi_pack_t pack = reading(&now->same);
    bool fit = sizes->size == (size_t)now->sames * sizeof(uint64_t);
    for (int i = 0; fit && i < now->sames; i++) {
        uint64_t size = 0;
        same_t same = next_same(&pack);
        xmpi_pack_get(sizes, &size, sizeof size);
        fit = same.size == size || (same.root && !first);
    }
    return fit;
}

bool xmpi_values_fit(const xmpi_state_told_t *before, const xmpi_state_told_t *now,
                     const xmpi_change_t *change, MPI_Comm transit, int me)
{
    xmpi_pack_t sizes = leaders_sizes(before, transit, me);
    bool fit = now == NULL || same_fit(&sizes, now, change->new_rank[me] == 0);
    xmpi_pack_free(&sizes);
    if (before == NULL || now == NULL)
        return fit;
    xmpi_pack_t old = reading(&before->own), new = reading(&now->own);
    fit = fit && before->owns == now->owns;
    for (int i = 0; fit && i < now->owns; i++)
        fit = next_own(&old).n == next_own(&new).n;
    return fit;
}

/* What the leader has had, on all; to be freed. */
static xmpi_pack_t leaders(const xmpi_state_told_t *before, MPI_Comm transit, int me)
{
    xmpi_pack_t told = {0};
    if (me == 0)
        xmpi_pack_put(&told, before->same.data, before->same.size);
    if (xmpi_world_tell(transit, me, &told) != XMPI_OK)
        xmpi_misuse("no memory for the values of the loop");
    told.at = 0;
    return told;
}

/* The leader's, for all. */
static void load_same(const xmpi_state_told_t *before, const xmpi_state_told_t *now,
                      MPI_Comm transit, int me)
{
    xmpi_pack_t told = leaders(before, transit, me);
    if (now != NULL) {
        xmpi_pack_t to = reading(&now->same), from = reading(&told);
        for (int i = 0; i < now->sames; i++) {
            same_t place = next_same(&to), value = next_same(&from);
            if (place.size > 0)
                memcpy(place.address, value.bytes, place.size);
        }
    }
    xmpi_pack_free(&told);
}

/* Two values of SIZE bytes: what it SHOULD be, and what it IS. */
static bool is_same(const char *name, xmpi_state_form_t form, const char *should, const char *is,
                    int64_t size, const xmpi_tolerance_t *tolerance,
                    xmpi_trial_difference_t *difference)
{
    xmpi_elements_t elements;
    xmpi_words_t words;
    const xmpi_field_t *field;
    int64_t at = 0, n = form.bytes > 0 ? size / form.bytes : 0;
    memset(&words, 0, sizeof words);
    xmpi_form_look(form, should, n, &words);
    xmpi_form_look(form, is, n, &words);
    xmpi_status_t status = xmpi_form_elements(form, &words, &elements);
    double *largest = calloc((size_t)elements.fields + 1, sizeof *largest);
    if (status != XMPI_OK || largest == NULL)
        xmpi_misuse("no memory to compare values");
    xmpi_elements_largest(&elements, should, size, largest);
    xmpi_elements_largest(&elements, is, size, largest);
    bool same = xmpi_elements_same(&elements, is, should, size, largest, tolerance, &at, &field);
    if (!same) {
        snprintf(difference->where, sizeof difference->where, "%s", name);
        xmpi_field_print(field, should + at, difference->before, XMPI_TRIAL_VALUE);
        xmpi_field_print(field, is + at, difference->after, XMPI_TRIAL_VALUE);
    }
    free(largest);
    xmpi_elements_free(&elements);
    return same;
}

static bool compare_same(const xmpi_state_told_t *before, const xmpi_state_told_t *now,
                         const xmpi_change_t *change, MPI_Comm transit, int me,
                         const xmpi_tolerance_t *tolerance, xmpi_trial_difference_t *difference)
{
    xmpi_pack_t told = leaders(before, transit, me);
    bool same = true;
    if (now != NULL) {
        xmpi_pack_t is = reading(&now->same), should = reading(&told), forms = reading(&now->form);
        for (int i = 0; i < now->sames && same; i++) {
            xmpi_state_form_t form = {.kind = 'b', .bytes = 1};
            const xmpi_state_form_t *said = xmpi_pack_view(&forms, sizeof form);
            same_t has = next_same(&is), wanted = next_same(&should);
            if (said != NULL)
                memcpy(&form, said, sizeof form);
            same = (has.root && change->new_rank[me] != 0) ||
                   is_same(has.name, form, wanted.bytes, has.bytes, (int64_t)has.size, tolerance,
                           difference);
        }
    }
    xmpi_pack_free(&told);
    return same;
}

/* --- each one's own -----------------------------------------------------------------------------
 */

static MPI_Datatype type_of(const own_t *own)
{
    bool is_long = own->bytes == sizeof(long double);
    switch (own->type) {
    case 'f':
        return own->bytes == 4 ? MPI_FLOAT : is_long ? MPI_LONG_DOUBLE : MPI_DOUBLE;
    case 'i':
        return own->bytes == 1   ? MPI_INT8_T
               : own->bytes == 2 ? MPI_INT16_T
               : own->bytes == 4 ? MPI_INT32_T
                                 : MPI_INT64_T;
    default:
        return own->bytes == 1   ? MPI_UINT8_T
               : own->bytes == 2 ? MPI_UINT16_T
               : own->bytes == 4 ? MPI_UINT32_T
                                 : MPI_UINT64_T;
    }
}

static MPI_Op operation_of(const own_t *own)
{
    const struct {
        const char *name;
        MPI_Op op;
    } known[] = {{"+", MPI_SUM},   {"*", MPI_PROD},  {"min", MPI_MIN},
                 {"max", MPI_MAX}, {"&", MPI_BAND},  {"|", MPI_BOR},
                 {"^", MPI_BXOR},  {"&&", MPI_LAND}, {"||", MPI_LOR}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(own->operation, known[i].name) == 0)
            return known[i].op;
    xmpi_misuse("own(%s: %s): no such operation", own->name, own->operation);
}

/* The number that the operation leaves others as they are with. */
static void put_neutral(const own_t *own, unsigned char *to)
{
    bool least = strcmp(own->operation, "max") == 0, most = strcmp(own->operation, "min") == 0;
    bool one = strcmp(own->operation, "*") == 0 || strcmp(own->operation, "&&") == 0;
    bool is_signed = own->type == 'i';
    size_t size = (size_t)own->bytes;
    memset(to, most || strcmp(own->operation, "&") == 0 ? 0xff : 0, size);
    if (own->type == 'f') {
        double value = least ? -HUGE_VAL : most ? HUGE_VAL : one ? 1 : 0;
        float narrow = (float)value;
        long double wide = value;
        memcpy(to, size == 4 ? (void *)&narrow : size == 8 ? (void *)&value : (void *)&wide, size);
        return;
    }
    if (one)
        to[0] = 1; /* (little-endian, as all of the image is) */
    if (is_signed && most)
        to[size - 1] = 0x7f;
    if (is_signed && least)
        to[size - 1] = 0x80;
}

/* Those who stay keep theirs, and the first has what the leavers have had, too. */
static void load_one(const own_t *had, const own_t *place, const xmpi_change_t *change,
                     MPI_Comm transit, int me)
{
    const own_t *any = had != NULL ? had : place;
    size_t bytes = (size_t)(any->n * any->bytes);
    char *given = malloc(2 * bytes + 1), *all = given + bytes;
    int root = 0;
    while (change->new_rank[root] != 0)
        root++;
    if (given == NULL)
        xmpi_misuse("no memory for %s", any->name);
    for (uint64_t i = 0; i < any->n; i++)
        put_neutral(any, (unsigned char *)given + i * any->bytes);
    if (place != NULL)
        memcpy(place->address, had != NULL ? had->value : given, bytes);
    else
        memcpy(given, had->value, bytes);
    if (change->leavers > 0) {
        PMPI_Reduce(given, all, (int)any->n, type_of(any), operation_of(any), root, transit);
        if (me == root)
            PMPI_Reduce_local(all, place->address, (int)any->n, type_of(any), operation_of(any));
    }
    free(given);
}

void xmpi_values_load(const xmpi_state_told_t *before, const xmpi_state_told_t *now,
                      const xmpi_change_t *change, MPI_Comm transit, int me)
{
    const xmpi_state_told_t *any = before != NULL ? before : now;
    load_same(before, now, transit, me);
    xmpi_pack_t from = reading(&(before != NULL ? before : any)->own), to = reading(&any->own);
    if (now != NULL)
        to = reading(&now->own);
    for (int i = 0; i < any->owns; i++) {
        own_t had = {0}, place = {0};
        if (before != NULL)
            had = next_own(&from);
        if (now != NULL)
            place = next_own(&to);
        load_one(before != NULL ? &had : NULL, now != NULL ? &place : NULL, change, transit, me);
    }
}

/* What all have of it together, by its operation: before, and now. */
static bool compare_one(const own_t *had, const own_t *has, MPI_Comm transit,
                        const xmpi_tolerance_t *tolerance, xmpi_trial_difference_t *difference)
{
    const own_t *any = had != NULL ? had : has;
    const xmpi_state_form_t form = {.kind = any->type == 'f' ? 'f' : 'b',
                                    .bytes = (int64_t)any->bytes};
    size_t bytes = (size_t)(any->n * any->bytes);
    char *both = malloc(2 * bytes + 1);
    if (both == NULL)
        xmpi_misuse("no memory for %s", any->name);
    for (uint64_t i = 0; i < 2 * any->n; i++)
        put_neutral(any, (unsigned char *)both + i * any->bytes);
    if (had != NULL)
        memcpy(both, had->value, bytes);
    if (has != NULL)
        memcpy(both + bytes, has->value, bytes);
    PMPI_Allreduce(MPI_IN_PLACE, both, 2 * (int)any->n, type_of(any), operation_of(any), transit);
    bool same = is_same(any->name, form, both, both + bytes, (int64_t)bytes, tolerance, difference);
    free(both);
    return same;
}

bool xmpi_values_compare(const xmpi_state_told_t *before, const xmpi_state_told_t *now,
                         const xmpi_change_t *change, MPI_Comm transit, int me,
                         const xmpi_tolerance_t *tolerance, xmpi_trial_difference_t *difference)
{
    const xmpi_state_told_t *any = before != NULL ? before : now;
    bool same = compare_same(before, now, change, transit, me, tolerance, difference);
    xmpi_pack_t had = reading(&any->own), has = reading(&any->own);
    if (now != NULL)
        has = reading(&now->own);
    for (int i = 0; i < any->owns; i++) {
        own_t one = next_own(&had), other = next_own(&has);
        xmpi_trial_difference_t found;
        bool alike = compare_one(before != NULL ? &one : NULL, now != NULL ? &other : NULL, transit,
                                 tolerance, &found);
        if (same && !alike)
            *difference = found;
        same = same && alike;
    }
    return same;
}

/* --- in a checkpoint ----------------------------------------------------------------------------
 */

void xmpi_values_register(const xmpi_state_told_t *state, xmpi_registry_t *registry)
{
    xmpi_pack_t pack = reading(&state->same);
    for (int i = 0; i < state->sames; i++) {
        same_t same = next_same(&pack);
        if (same.size > 0)
            xmpi_registry_add_live(registry, same.name, same.address, same.size);
    }
}

char *xmpi_values_sum(const xmpi_state_told_t *state, MPI_Comm comm, xmpi_registry_t *registry)
{
    size_t bytes = 0, at = 0;
    xmpi_pack_t pack = reading(&state->own);
    for (int i = 0; i < state->owns; i++) {
        own_t own = next_own(&pack);
        bytes += (size_t)(own.n * own.bytes);
    }
    char *sums = calloc(1, bytes + 1);
    if (sums == NULL)
        xmpi_misuse("no memory for %zu bytes of values", bytes);
    pack = reading(&state->own);
    for (int i = 0; i < state->owns; i++) {
        own_t own = next_own(&pack);
        PMPI_Reduce(own.value, sums + at, (int)own.n, type_of(&own), operation_of(&own), 0, comm);
        xmpi_registry_add_live(registry, own.name, sums + at, own.n * own.bytes);
        at += (size_t)(own.n * own.bytes);
    }
    return sums;
}

void xmpi_values_give(const xmpi_state_told_t *state, const char *sums, bool first)
{
    xmpi_pack_t pack = reading(&state->own);
    for (int i = 0; i < state->owns; i++) {
        own_t own = next_own(&pack);
        for (uint64_t k = 0; k < own.n && !first; k++)
            put_neutral(&own, (unsigned char *)own.address + k * own.bytes);
        if (first)
            memcpy(own.address, sums, (size_t)(own.n * own.bytes));
        sums += own.n * own.bytes;
    }
}
