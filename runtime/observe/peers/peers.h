/* SPDX-License-Identifier: BSD-3-Clause
 * Whom this process sends how much to: the row of the matrix of all (decide/mapping/traffic.h) that
 * is its own, from the calls of MPI that are watched. Collective operations are told apart by what
 * their messages depend on and only counted; they become messages when somebody asks.
 *
 * What other threads send, what MPI-IO and one-sided operations move, and collective operations
 * between two groups are not in it. */
#ifndef XMPI_OBSERVE_PEERS_PEERS_H
#define XMPI_OBSERVE_PEERS_PEERS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decide/mapping/traffic.h"
#include "decide/model/sample.h"

/* More peers than these are not told apart. */
enum { XMPI_PEERS_MAX = 4096 };

/* From here on everything is counted anew; ranks are those of the present world. */
void xmpi_peers_begin(void);

/* What has been sent since, at most XMPI_PEERS_MAX entries in any order: at TALK, which belongs to
 * this module and lasts until the next call. How many there are; at REST what is not in it, in
 * bytes. */
int xmpi_peers_row(const xmpi_talk_t **talk, int64_t *rest);

/* Frees all that is kept. */
void xmpi_peers_end(void);

/* --- for the wrappers --------------------------------------------------------------------------
 *
 * After a call that has succeeded; COMM is the MPI's own. POSTED: the MPI has carried it out by its
 * non-blocking operation. Counts are integers of SIZE bytes. */

/* BYTES to the rank DEST, which may be MPI_PROC_NULL. */
void xmpi_peers_sent(int dest, int64_t bytes, MPI_Comm comm);

/* An operation without counts for each member: BYTES as in xmpi_operation_t (decide/messages). */
void xmpi_peers_moved(xmpi_kind_t kind, bool posted, int root, int64_t bytes, MPI_Comm comm);

/* The same of one that reduces ELEMENTS by OP. */
void xmpi_peers_reduced(xmpi_kind_t kind, bool posted, int root, int64_t bytes, int64_t elements,
                        MPI_Op op, MPI_Comm comm);

/* One with COUNTS, of TYPE, or (all-to-all) of TYPES; of a reduce-scatter with its OP, else
 * MPI_OP_NULL. Of a scatter they count at the root alone. */
void xmpi_peers_parts(xmpi_kind_t kind, bool posted, int root, const void *counts, size_t size,
                      MPI_Datatype type, const MPI_Datatype *types, MPI_Op op, MPI_Comm comm);

/* To each neighbour of the topology BYTES, or, where there are COUNTS, as many of TYPE or TYPES. */
void xmpi_peers_neighbours(int64_t bytes, const void *counts, size_t size, MPI_Datatype type,
                           const MPI_Datatype *types, MPI_Comm comm);

/* What stands between them is not sent yet, but each time that the persistent REQUEST, as the
 * program knows it, is started; where it is WATCHED, which is returned. */
bool xmpi_peers_prepare(bool watched);
void xmpi_peers_prepared(MPI_Request request);
void xmpi_peers_started(int n, const MPI_Request *request);

#endif
