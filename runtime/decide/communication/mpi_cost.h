/* SPDX-License-Identifier: BSD-3-Clause
 * What an MPI operation costs: the cost models of MPICH's algorithms over Hockney's parameters
 * (thesis §5.3.2 and Table 5.2; Thakur, Rabenseifner and Gropp, 2005). */
#ifndef XMPI_DECIDE_COMMUNICATION_MPI_COST_H
#define XMPI_DECIDE_COMMUNICATION_MPI_COST_H

#include "decide/model/calibration.h"
#include "decide/model/sample.h"

/* One call, as its most loaded member sees it. */
typedef struct {
    xmpi_kind_t kind;
    int members;  /* of the communicator */
    double bytes; /* that the member with most gives: its block of a gather, allgather or scatter,
                     the buffer of a broadcast or reduction, all that it sends in an all-to-all */
    double total; /* of all members; only where they give blocks of different sizes */
    double group_bytes;   /* where GROUP is given: bytes of each of its units */
    const int64_t *group; /* of the largest of the aligned groups of 1, 2, 4, ... members; NULL:
                             as many times BYTES */
    int groups;
} xmpi_mpi_call_t;

/* Seconds of the call over LINK, GAMMA for each byte that is reduced. The choice between algorithms
 * is that of MPICH 4.0.2 with device ch3, as in its maint/tuning/coll/mpir/generic.json. 0 for a
 * communicator of one member, and for kinds that do not communicate. */
double xmpi_mpi_seconds(const xmpi_mpi_call_t *call, const xmpi_link_t *link, double gamma);

/* What changes are counted in: rounds in which a few bytes go down a tree of all members. */
double xmpi_round_seconds(int members, const xmpi_link_t *link);

/* The same of a change from FROM members to TO. Where some leave, all agree, add up and part, and
 * those who stay make two communicators: five rounds, of which those in which everybody hears from
 * everybody take longer where the number is no power of two (measured: within a tenth as a rule, a
 * quarter at worst, from 3 to 16 members). */
double xmpi_change_round_seconds(int from, int to, const xmpi_link_t *link);

/* What it takes longer to meet JOINERS that are created, for each world of processes created before
 * among those who meet them: it is told to the first of them, and by that one to the others. */
double xmpi_world_seconds(int joiners, const xmpi_link_t *link);

/* Whether the members' bytes are by nature parts of something whole (gather, allgather, ...), so
 * that they become fewer where there are more members. */
bool xmpi_kind_divides(xmpi_kind_t kind);

/* Whether no member is done with such a call before all have begun it. */
bool xmpi_kind_meets(xmpi_kind_t kind);

#endif
