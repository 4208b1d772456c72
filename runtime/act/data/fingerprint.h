/* SPDX-License-Identifier: BSD-3-Clause
 * Fingerprints of registered data: small, the same however the rows are divided, and telling how
 * far apart two states are. They are sums over all values, each with its place in the whole, so
 * that those of members add up.
 *
 * Floating values, which come out a little different when sums are made in another order, are
 * sketched: sums with random signs, by which the norm of the difference of two arrays is known
 * without having both (Alon, Matias & Szegedy 1996, The space complexity of approximating the
 * frequency moments, Theorem 2.2). All else is hashed. */
#ifndef XMPI_ACT_DATA_FINGERPRINT_H
#define XMPI_ACT_DATA_FINGERPRINT_H

#include "act/data/registry.h"
#include "decide/layout/layout.h"

enum { XMPI_SKETCHES = 8 };

/* Of some values. Plain data. */
typedef struct {
    uint64_t bits;  /* of all values */
    uint64_t exact; /* of those that are not sketched: no numbers, infinite, sentinels */
    int64_t values; /* floating ones that are */
    int64_t narrow; /* of them, those of single precision */
    double squares; /* the sum of theirs */
    double sketch[XMPI_SKETCHES];
} xmpi_fingerprint_t;

/* Of what the owner of BLOCK owns of array I; of one that all store the same all is the LEADER's.
 * Whether it can be compared: false, where not all of it need be set. */
bool xmpi_fingerprint_array(const xmpi_registry_t *registry, int i, xmpi_block_t block, bool leader,
                            xmpi_fingerprint_t *fingerprint);

bool xmpi_fingerprint_live(const xmpi_live_t *live, xmpi_fingerprint_t *fingerprint);

#endif
