/* SPDX-License-Identifier: BSD-3-Clause
 * Fellows: which processes of MPI_COMM_WORLD take part in what XMPI does. The start of an adaptive
 * program is collective over its world; where mpiexec has started other programs as well (MPMD) it
 * would wait for them for ever. Nobody can be asked by MPI whether he would answer, so it is
 * written down where the process manager keeps what processes tell one another before they can
 * communicate: Hydra's key-value space, by its wire protocol (PMI-1). Each process that takes part
 * puts a key before PMPI_Init, whose barrier makes it known, and looks for the others' behind it.
 */
#ifndef XMPI_PROGRAM_LIFE_FELLOWS_H
#define XMPI_PROGRAM_LIFE_FELLOWS_H

#include <mpi.h>
#include <stdbool.h>

/* Those that take part in the same as this process. */
typedef struct {
    bool *same; /* by rank; malloc. NULL: all do, or nobody can tell (another process manager, or
                   none), so that all are taken to */
    int size, members, rank;
} xmpi_fellows_t;

/* This process takes part in WHAT, a word (letters, digits, ':'). Before PMPI_Init. */
void xmpi_fellows_announce(const char *what);

/* Who else does. After PMPI_Init. */
xmpi_fellows_t xmpi_fellows_find(const char *what);

/* Whether all of the world do. */
bool xmpi_fellows_is_all(const xmpi_fellows_t *fellows);

/* Whether this process is the first of them. */
bool xmpi_fellows_leads(const xmpi_fellows_t *fellows);

/* A communicator of them. Collective over them. */
MPI_Comm xmpi_fellows_comm(const xmpi_fellows_t *fellows);

void xmpi_fellows_free(xmpi_fellows_t *fellows);

#endif
