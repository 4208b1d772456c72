/* SPDX-License-Identifier: BSD-3-Clause
 * Moves by hand that have been made. */
#include "program/api/known_moves.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/digest.h"

enum { MOVES = 8, MOST_BYTES = 1 << 20 };

static xmpi_known_move_t known[MOVES];
static uint64_t made; /* moves so far */

/* So many are remembered, where each takes BYTES; two are one to and one fro. */
static int moves_of(size_t bytes)
{
    size_t fit = bytes > 0 ? MOST_BYTES / bytes : MOVES;
    return fit > MOVES ? MOVES : fit < 2 ? 2 : (int)fit;
}

const xmpi_known_move_t *xmpi_known_move(int members, int rank, const xmpi_wanted_t *wanted)
{
    const xmpi_known_move_t *last = NULL;
    for (int i = 0; i < MOVES; i++)
        if (known[i].used > 0 && known[i].members == members &&
            memcmp(&known[i].wanted[rank], wanted, sizeof *wanted) == 0 &&
            (last == NULL || known[i].used > last->used))
            last = &known[i];
    return last;
}

void xmpi_known_move_used(const xmpi_known_move_t *move)
{
    known[move - known].used = ++made;
}

void xmpi_known_move_add(int members, const xmpi_wanted_t *wanted, size_t stride)
{
    size_t bytes = (size_t)members * sizeof *wanted;
    xmpi_wanted_t *list = malloc(bytes);
    if (list == NULL)
        return;
    for (int i = 0; i < members; i++)
        list[i] = *(const xmpi_wanted_t *)((const char *)wanted + (size_t)i * stride);
    uint64_t digest = xmpi_digest_bytes(list, bytes, (uint64_t)members) | 1;
    xmpi_known_move_t *place = known;
    for (int i = 0; i < moves_of(bytes); i++) {
        if (known[i].digest == digest) {
            place = &known[i];
            break;
        }
        if (known[i].used < place->used)
            place = &known[i];
    }
    free(place->wanted);
    *place = (xmpi_known_move_t){members, list, digest, ++made};
}
