/* SPDX-License-Identifier: BSD-3-Clause
 * Which algorithm MPICH takes for a collective operation: what it costs and who sends what to whom
 * follow from that. */
#ifndef XMPI_DECIDE_COMMUNICATION_MPI_ALGORITHM_H
#define XMPI_DECIDE_COMMUNICATION_MPI_ALGORITHM_H

#include <stdbool.h>

#include "decide/model/sample.h"

typedef enum {
    XMPI_BY_TREE,             /* binomial */
    XMPI_BY_DOUBLING,         /* recursive doubling */
    XMPI_BY_BRUCK,            /* blocks double, also where members are no power of 2 */
    XMPI_BY_RING,             /* one neighbour after the other */
    XMPI_BY_SCATTER_DOUBLING, /* a scatter down a tree, and an allgather of its parts */
    XMPI_BY_SCATTER_RING,     /* the same (van de Geijn) */
    XMPI_BY_HALVING,          /* recursive halving, and what brings the parts back (Rabenseifner) */
    XMPI_BY_PAIRS,            /* directly from each to each */
} xmpi_algorithm_t;

/* What the choice depends on. */
typedef struct {
    xmpi_kind_t kind;
    bool posted; /* the non-blocking operation */
    int members;
    double bytes;    /* as of xmpi_mpi_call_t (decide/communication/mpi_cost.h) */
    double total;    /* of all members' blocks */
    double elements; /* that are reduced */
    bool own;        /* the reduction is the program's, not one of MPI's */
    bool ordered;    /* it does not commute */
} xmpi_mpi_choice_t;

/* That of MPICH 4.0.2 with device ch3, as in its maint/tuning/coll/mpir/generic.json, for more than
 * one member. Where it goes by nodes it has no data to move, or is not known here: the two levels
 * of MPI_Scan, Ibcast, Ireduce and Iscan are taken to be one. */
xmpi_algorithm_t xmpi_mpi_algorithm(const xmpi_mpi_choice_t *choice);

/* The largest power of 2 that is not more than MEMBERS. */
int xmpi_power_of_2(int members);

#endif
