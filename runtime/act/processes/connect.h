/* SPDX-License-Identifier: BSD-3-Clause
 * Connections of processes that take over programs: to those that these talk to. An MPI that
 * connects two processes when one sends to the other for the first time would do it in the first
 * iteration behind a move, one after another, as the program comes to send; here all are opened at
 * once, by an empty message of each pair, while the programs move.
 *
 *     begin  →  end       who has a program, and who leaves
 *     take   →  end       who takes one over and has none yet
 */
#ifndef XMPI_ACT_PROCESSES_CONNECT_H
#define XMPI_ACT_PROCESSES_CONNECT_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "act/members/change.h"

/* Marks in a bit for each of RANKS whom the program of this process sends to; MARKS is 0. */
typedef void xmpi_mark_peers_t(uint64_t *marks, int ranks);

/* The part of one process. */
typedef struct {
    MPI_Comm transit;
    int n;                /* requests; malloc */
    MPI_Request *request; /* what is under way */
    uint64_t *told;       /* whom who takes over talks to, on its way there; malloc */
} xmpi_connect_t;

/* By all that have programs, over WORLD, whose ranks are those of TRANSIT and stay those of the
 * programs: opens what is needed when programs change their processes by CHANGE, whose layouts have
 * as many members. ME: the rank in TRANSIT, which returns its errors. */
void xmpi_connect_begin(xmpi_mark_peers_t *marks, const xmpi_change_t *change, MPI_Comm world,
                        MPI_Comm transit, int me, xmpi_connect_t *connect);

/* The same by who has no program yet: hears whom that of its own talks to. */
void xmpi_connect_take(const xmpi_change_t *change, MPI_Comm transit, int me,
                       xmpi_connect_t *connect);

/* All that take part wait until their connections are there. LOST: one of them is not there any
 * more, and nobody waits. */
void xmpi_connect_end(xmpi_connect_t *connect, bool lost);

#endif
