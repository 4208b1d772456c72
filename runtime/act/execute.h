/* SPDX-License-Identifier: BSD-3-Clause
 * The executor: carries out a change of layout, whatever it consists of. There is no other. */
#ifndef XMPI_ACT_EXECUTE_H
#define XMPI_ACT_EXECUTE_H

#include "act/execution.h"

/* Begins a change. Collective over the members of the layout in PARTS and those that join NEXT;
 * PORTS as in xmpi_join. NEXT is taken over, and becomes the layout when the change is done.
 * BACKGROUND (read at the leader) are the bytes of constant arrays that have to move for the
 * program to go on meanwhile; negative: it does not. When it does, XMPI_UNDER_WAY: then all ask
 * xmpi_execute_ask in the same iterations until it is not any more. */
xmpi_outcome_t xmpi_execute(const xmpi_parts_t *parts, xmpi_layout_t *next,
                            const xmpi_port_t *ports, int64_t background,
                            xmpi_execution_t *execution);

/* Instead of xmpi_execute, by a member that has no plan for a change, outside of an adaptive loop,
 * in which all stay and the data of REGISTRY were to move in MOVES, their communicator for that:
 * the change is called off for all. CONSENT (or NULL) is that of their parts. */
void xmpi_execute_abstain(const xmpi_registry_t *registry, MPI_Comm moves,
                          const xmpi_consent_t *consent);

/* Gives the data in the background a chance to move on. Local. */
void xmpi_execute_drive(xmpi_execution_t *execution);

/* Finishes the change if everything that moves in the background has arrived everywhere; gives it
 * up if anybody wants that (GIVE_UP: its loop has ended). Who joins waits until one of both.
 * Collective. */
xmpi_outcome_t xmpi_execute_ask(const xmpi_parts_t *parts, bool give_up,
                                xmpi_execution_t *execution);

#endif
