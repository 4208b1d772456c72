/* SPDX-License-Identifier: BSD-3-Clause
 * On which nodes processes are. */
#ifndef XMPI_PROGRAM_MEMBERS_NODES_H
#define XMPI_PROGRAM_MEMBERS_NODES_H

#include "act/members/shared.h"

/* The name of the node that PROCESS is on: of its processing element, or, where the MPI has put it
 * somewhere, of the others on that machine; empty where that is not known, or they have several. As
 * long as SHARED is. */
const char *xmpi_node_of_process(const xmpi_shared_t *shared, int process);

/* Names the processing elements of all processes so. */
void xmpi_nodes_name(xmpi_shared_t *shared);

/* Whether a member is on NODE. */
bool xmpi_node_has_members(const xmpi_shared_t *shared, const char *node);

#endif
