/* SPDX-License-Identifier: BSD-3-Clause
 * Values of the state: those that are the same on all members, and each member's own. */
#ifndef XMPI_ACT_STARTOVER_VALUES_H
#define XMPI_ACT_STARTOVER_VALUES_H

#include <mpi.h>

#include "act/data/elements.h"
#include "act/data/registry.h"
#include "act/members/change.h"
#include "act/startover/state.h"

/* Whether what the members of COMM take to be the same is; else WHY names the first that is not.
 * Collective. */
bool xmpi_values_are_same(const xmpi_state_told_t *state, MPI_Comm comm, char *why, size_t size);

/* Whether NOW asks for the values that the leader and this process have had BEFORE (NULL as for
 * xmpi_values_load). Collective over TRANSIT. */
bool xmpi_values_fit(const xmpi_state_told_t *before, const xmpi_state_told_t *now,
                     const xmpi_change_t *change, MPI_Comm transit, int me);

enum { XMPI_TRIAL_VALUE = 64 };

/* The first that is another one than it should be: which, what it should be, and what it is. */
typedef struct {
    char where[128], before[XMPI_TRIAL_VALUE], after[XMPI_TRIAL_VALUE];
} xmpi_trial_difference_t;

/* Whether the values of NOW are those of BEFORE (NULL as for xmpi_values_load), of own ones all
 * members' together; else, here, DIFFERENCE. Collective over TRANSIT. */
bool xmpi_values_compare(const xmpi_state_told_t *before, const xmpi_state_told_t *now,
                         const xmpi_change_t *change, MPI_Comm transit, int me,
                         const xmpi_tolerance_t *tolerance, xmpi_trial_difference_t *difference);

/* Writes into the values of NOW what BEFORE has: NULL: this process has had none (a joiner), or has
 * none now (a leaver). All must fit. Collective over TRANSIT. */
void xmpi_values_load(const xmpi_state_told_t *before, const xmpi_state_told_t *now,
                      const xmpi_change_t *change, MPI_Comm transit, int me);

/* Makes the values that are the same live ones of REGISTRY, where they are in the program. */
void xmpi_values_register(const xmpi_state_told_t *state, xmpi_registry_t *registry);

/* What all members of COMM have of own values together, by their operations, one behind the other,
 * on the first (zeros elsewhere); they become live ones of REGISTRY. malloc, to stay as long; the
 * job ends where there is no memory. Collective. */
char *xmpi_values_sum(const xmpi_state_told_t *state, MPI_Comm comm, xmpi_registry_t *registry);

/* Own values become what SUMS has where this is the FIRST member, else what adds nothing. */
void xmpi_values_give(const xmpi_state_told_t *state, const char *sums, bool first);

#endif
