/* SPDX-License-Identifier: BSD-3-Clause
 * What there is of a cluster of Slurm's for jobs of XMPI: nodes of a partition, less those that
 * other jobs have, or wait for. */
#ifndef XMPI_SHARE_CLUSTER_H
#define XMPI_SHARE_CLUSTER_H

#include "claims.h"

typedef struct {
    const char *partition; /* of letters, digits, points and dashes */
    int nodes;             /* that may be used; 0: not known yet */
    int each;              /* processing elements of one, of the least if they differ */
    int others;            /* nodes that other jobs have */
    int waiting;           /* ... and that they wait for as there are not enough */
    bool silent;           /* Slurm does not answer, and that was said */
} cluster_t;

/* Whether NAME can be one of a partition. */
bool cluster_is_partition(const char *name);

/* Asks Slurm, which knows the jobs of CLAIMS by their allocations, and says which of them are in
 * another partition, or of no allocation: these are apart. False where it does not answer, or
 * there is no such partition, after a line: what is known stays. */
bool cluster_look(cluster_t *cluster, claims_t *claims);

/* The processing elements that these jobs may have together; at least none. */
int cluster_pes(const cluster_t *cluster);

#endif
