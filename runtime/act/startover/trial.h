/* SPDX-License-Identifier: BSD-3-Clause
 * Checking a change of a program that starts over: an iteration is run in the world before, then,
 * from a copy of what it began with, in the one to come, while what the program was is aside. What
 * both have come to is compared there; the memory of the program before is not touched. */
#ifndef XMPI_ACT_STARTOVER_TRIAL_H
#define XMPI_ACT_STARTOVER_TRIAL_H

#include "act/startover/startover.h"

/* Takes down what the iteration that comes begins with. XMPI_ERR_MEMORY: on one at least.
 * Collective over COMM. */
xmpi_status_t xmpi_trial_note(xmpi_startover_t *start, MPI_Comm comm);

/* Whether the iteration has moved on in a file that it reads, so that it cannot be made again: WHY.
 * Local. */
bool xmpi_trial_has_read(const xmpi_startover_t *start, char *why, size_t size);

/* Bytes that this takes here. */
int64_t xmpi_trial_bytes(const xmpi_startover_t *start);

void xmpi_trial_forget(xmpi_startover_t *start);

/* Whether what the program has now is what it had in the world before, where floating-point values
 * may be RELATIVE apart (0: by their type). If not, WHY on all says what is different, with the
 * numbers of MEMBERS before and NOW. Collective over TRANSIT. */
bool xmpi_trial_compare(const xmpi_startover_t *start, const xmpi_change_t *change,
                        MPI_Comm transit, int me, xmpi_move_strategy_t strategy, double relative,
                        char *why, size_t size);

#endif
