/* SPDX-License-Identifier: BSD-3-Clause
 * Fingerprints of registered data. */
#include "act/data/fingerprint.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "act/data/offsets.h"
#include "act/data/piece_map.h"

/* The finalizer of splitmix64 (Steele, Lea & Flood 2014). */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* --- elements ----------------------------------------------------------------------------------
 */

/* Some values of one kind, as in "3f8". */
typedef struct {
    int64_t count;
    char kind; /* f, i, x, or u: not known */
    int64_t size;
} part_t;

/* The next part of TEXT, which moves on; whether there is one. */
static bool next_part(const char **text, part_t *part)
{
    char *end;
    *text += strspn(*text, " ");
    part->count = strtoll(*text, &end, 10);
    if (end == *text)
        part->count = 1;
    part->kind = *end;
    if (part->kind == '\0')
        return false;
    part->size = strtoll(end + 1, &end, 10);
    *text = end;
    return part->count > 0 && part->size > 0;
}

/* Where nothing is said of BYTES bytes they are taken for floating values unless they look like
 * integers (is_sketched). */
static const char *elements_of(const char *said, int64_t bytes)
{
    return said != NULL ? said : bytes % 8 == 0 ? "u8" : bytes % 4 == 0 ? "u4" : "i1";
}

static bool is_comparable(const char *elements)
{
    return elements[strspn(elements, " ")] != '?' && elements[strspn(elements, " ")] != '~';
}

/* --- values ------------------------------------------------------------------------------------
 */

static double floating(const char *at, int64_t size)
{
    float narrow;
    double value;
    long double wide;
    switch (size) {
    case sizeof narrow:
        memcpy(&narrow, at, sizeof narrow);
        return (double)narrow;
    case sizeof value:
        memcpy(&value, at, sizeof value);
        return value;
    default:
        memcpy(&wide, at, sizeof wide);
        return (double)wide;
    }
}

/* Not sentinels, which would hide all else, nor what is no number. Integers look like denormalized
 * numbers. */
static bool is_sketched(char kind, double value, int64_t size)
{
    static const double largest = 1e30;
    double least = kind != 'u' ? 0 : size == 4 ? (double)FLT_MIN : DBL_MIN;
    return value == 0 || (fabs(value) <= largest && fabs(value) >= least);
}

/* A long double has 10 bytes that mean something. */
static uint64_t hash(const char *at, int64_t size, uint64_t place)
{
    int64_t length = size == 16 ? 10 : size;
    for (int64_t i = 0; i < length; i += 8) {
        uint64_t word = 0;
        memcpy(&word, at + i, (size_t)(length - i < 8 ? length - i : 8));
        place = mix(place ^ word) + 0x9e3779b97f4a7c15u;
    }
    return place;
}

static void sketch(double value, uint64_t place, xmpi_fingerprint_t *f)
{
    uint64_t signs = mix(place + 1);
    f->values++;
    f->squares += value * value;
    for (int i = 0; i < XMPI_SKETCHES; i++)
        f->sketch[i] += (signs >> i & 1) != 0 ? value : -value;
}

/* PLACE is a hash of where it is in the whole. */
static void add_value(char kind, const char *at, int64_t size, uint64_t place,
                      xmpi_fingerprint_t *f)
{
    bool floats = kind == 'f' || kind == 'u';
    double value = floats ? floating(at, size) : 0;
    uint64_t hashed = hash(at, size, place);
    f->bits += hashed;
    if (!floats || !is_sketched(kind, value, size)) {
        f->exact += hashed;
        return;
    }
    sketch(value, place, f);
    f->narrow += size == sizeof(float);
}

/* The BYTES bytes from AT on, which are as far from the begin of row ROW as BEFORE. */
static void add_bytes(const char *elements, const char *at, int64_t bytes, int64_t row,
                      int64_t before, xmpi_fingerprint_t *f)
{
    uint64_t row_hash = mix((uint64_t)row * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u);
    int64_t done = 0;
    while (done < bytes) {
        const char *text = elements;
        part_t part;
        int64_t begin = done;
        while (next_part(&text, &part))
            for (int64_t i = 0; i < part.count && done + part.size <= bytes; i++) {
                if (part.kind != 'x')
                    add_value(part.kind, at + done, part.size,
                              mix(row_hash + (uint64_t)(before + done)), f);
                done += part.size;
            }
        if (done == begin)
            return; /* what is said of the elements does not fit them */
    }
}

/* --- arrays ------------------------------------------------------------------------------------
 */

static xmpi_storage_t storage_of(const xmpi_registry_t *registry, const xmpi_array_t *array,
                                 xmpi_block_t block)
{
    xmpi_block_t all = {.count = array->rows, .displ = 0};
    bool parted = array->scheme == XMPI_GEN_DISTRIBUTED;
    return (xmpi_storage_t){.rows = parted ? xmpi_stored_rows(array, block) : all,
                            .base = xmpi_array_pointer(array),
                            .offsets = array->shape == XMPI_SHAPE_ENTRIES
                                           ? xmpi_array_pointer(&registry->array[array->offsets])
                                           : NULL};
}

/* Row pointers begin anew with each block: what is the same is how long rows are. */
static void add_length(const xmpi_array_t *array, const xmpi_storage_t *storage, int64_t row,
                       xmpi_fingerprint_t *f)
{
    int64_t at = row - storage->rows.displ;
    int64_t length = xmpi_offset_get(storage->base, array->offset_bytes, at + 1) -
                     xmpi_offset_get(storage->base, array->offset_bytes, at);
    add_bytes("i8", (const char *)&length, sizeof length, row, 0, f);
}

static void add_row(const xmpi_array_t *array, const char *elements, const xmpi_storage_t *storage,
                    int64_t row, xmpi_fingerprint_t *f)
{
    xmpi_extent_t extent = xmpi_extent_of(array, storage, row, 1);
    for (int64_t i = 0; i < extent.strips; i++)
        add_bytes(elements, storage->base + extent.offset + i * extent.stride, extent.width, row,
                  i * extent.width, f);
}

bool xmpi_fingerprint_array(const xmpi_registry_t *registry, int i, xmpi_block_t block, bool leader,
                            xmpi_fingerprint_t *f)
{
    const xmpi_array_t *array = &registry->array[i];
    const char *elements = elements_of(array->elements, array->row_bytes);
    bool same = array->scheme == XMPI_GEN_REPLICATED;
    xmpi_block_t all = {.count = leader ? array->rows : 0, .displ = 0};
    xmpi_block_t mine = same ? all : xmpi_owned_rows(array, block);
    xmpi_storage_t storage = storage_of(registry, array, block);
    memset(f, 0, sizeof *f);
    if (!is_comparable(elements) || array->holds != XMPI_SLOT_POINTER)
        return false;
    for (int64_t row = mine.displ; storage.base != NULL && row < mine.displ + mine.count; row++)
        if (array->shape == XMPI_SHAPE_OFFSETS)
            add_length(array, &storage, row, f);
        else
            add_row(array, elements, &storage, row, f);
    return true;
}

bool xmpi_fingerprint_live(const xmpi_live_t *live, xmpi_fingerprint_t *f)
{
    const char *elements = elements_of(live->elements, (int64_t)live->size);
    memset(f, 0, sizeof *f);
    if (!is_comparable(elements))
        return false;
    add_bytes(elements, live->address, (int64_t)live->size, 0, 0, f);
    return true;
}
