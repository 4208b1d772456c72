/* SPDX-License-Identifier: BSD-3-Clause
 * Steps of the executor, which a change of data and one of whole programs have in common. All but
 * the last two are collective over the transit communicator. */
#ifndef XMPI_ACT_EXECUTE_STEPS_H
#define XMPI_ACT_EXECUTE_STEPS_H

#include "act/execution.h"

/* Whether all that take part could do what they had to. */
bool xmpi_step_all_agree(MPI_Comm transit, xmpi_status_t status);

/* The same at last, behind which there is nothing to wait for any more: it also adds up what was
 * moved. Behind it members compute that have got a processor, and who waits for others would wait
 * for these. */
bool xmpi_step_all_agree_last(xmpi_execution_t *e, xmpi_status_t status);

/* The most of what all say, over COMM, which may be another communicator. */
int xmpi_step_most(MPI_Comm comm, int mine);

/* Joiners had the shared state when they were called, and only who has called them knows where they
 * can be reached: from here on all have it in the same version. */
void xmpi_step_share(const xmpi_parts_t *parts, MPI_Comm transit, int me);

/* Joiners take over the live variables, the progress and what the leader knows: any may lead next.
 * Of a copy they take the live variables. */
void xmpi_step_hand_over(const xmpi_parts_t *parts, const xmpi_execution_t *e);

/* What was moved, for whoever leads then and tells of it; nobody else waits for it. */
void xmpi_step_add_up(xmpi_execution_t *e);

/* WORLD takes the place of the one that was. */
void xmpi_step_use_world(const xmpi_parts_t *parts, const xmpi_execution_t *e, MPI_Comm world);

/* Nothing has changed. */
xmpi_outcome_t xmpi_step_call_off(const xmpi_parts_t *parts, xmpi_execution_t *e);

/* Ends a change that everybody has made, which has gone on since START. */
xmpi_outcome_t xmpi_step_conclude(const xmpi_parts_t *parts, xmpi_execution_t *e, double start);

#endif
