/* SPDX-License-Identifier: BSD-3-Clause
 * Observations: the calls of an interval by kind, size and communicator. */
#include "observe/observations.h"

static int digits_of(int64_t bytes)
{
    return bytes > 0 ? 64 - __builtin_clzll((unsigned long long)bytes) : 0;
}

/* A new entry; when there are no more, the last one is for all the rest. */
static int add_entry(xmpi_observations_t *observations, uint64_t key, const xmpi_observed_t *entry)
{
    if (observations->n == XMPI_OBSERVED_MAX)
        return XMPI_OBSERVED_MAX - 1;
    observations->key[observations->n] = key;
    observations->entry[observations->n] = *entry;
    return observations->n++;
}

void xmpi_observations_add(xmpi_observations_t *observations, xmpi_kind_t kind, bool posted,
                           int members, int64_t bytes, double seconds)
{
    xmpi_observed_t entry = {.kind = (int16_t)kind,
                             .posted = posted,
                             .size = (uint8_t)digits_of(bytes),
                             .members = members};
    uint64_t key = (uint64_t)kind | (uint64_t)posted << 8 | (uint64_t)entry.size << 16 |
                   (uint64_t)members << 32;
    int n = observations->n, at = observations->last;
    for (int i = 0; i < n; i++) {
        at = at + 1 < n ? at + 1 : 0;
        if (observations->key[at] == key)
            break;
    }
    if (n == 0 || observations->key[at] != key)
        at = add_entry(observations, key, &entry);
    observations->last = at;
    observations->entry[at].calls++;
    observations->entry[at].bytes += bytes;
    observations->entry[at].seconds += seconds;
}
