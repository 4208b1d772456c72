/* SPDX-License-Identifier: BSD-3-Clause
 * The messages that a collective operation is made of, by the algorithm that MPICH takes for it
 * (decide/communication/mpi_algorithm.h): who of the members of a communicator sends how much to
 * whom. */
#ifndef XMPI_DECIDE_MESSAGES_MESSAGES_H
#define XMPI_DECIDE_MESSAGES_MESSAGES_H

#include "decide/messages/operation.h"

/* Tells TAKER all that the member sends in the operation. Nothing for communicators of one member,
 * and for what is no collective operation of one communicator's members. */
void xmpi_messages(const xmpi_operation_t *operation, xmpi_sent_t *sent, void *taker);

#endif
