/* SPDX-License-Identifier: BSD-3-Clause
 * Observations: the calls of an interval by kind, size and communicator, for the prediction model.
 */
#ifndef XMPI_OBSERVE_OBSERVATIONS_H
#define XMPI_OBSERVE_OBSERVATIONS_H

#include "decide/model/sample.h"

typedef struct {
    int n;
    int last; /* the entry of the last call: programs repeat themselves in order */
    uint64_t key[XMPI_OBSERVED_MAX];
    xmpi_observed_t entry[XMPI_OBSERVED_MAX];
} xmpi_observations_t;

/* Takes in a call of BYTES in a communicator of MEMBERS (0: none that counts). */
void xmpi_observations_add(xmpi_observations_t *observations, xmpi_kind_t kind, bool posted,
                           int members, int64_t bytes, double seconds);

#endif
