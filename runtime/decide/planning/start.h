/* SPDX-License-Identifier: BSD-3-Clause
 * The start: which of the processes that there are compute at first, where there are spares. */
#ifndef XMPI_DECIDE_PLANNING_START_H
#define XMPI_DECIDE_PLANNING_START_H

#include "base/status.h"
#include "decide/layout/resources.h"
#include "decide/model/idle.h"

/* A process before the program begins. */
typedef struct {
    int node;
    int class_index;  /* PEs of a class are equally quick; XMPI_ANY_CLASS: of none */
    xmpi_load_t load; /* of its node, and how quick its CPU is; rate 0: not known */
} xmpi_start_process_t;

/* Sets the flags CHOSEN of ACTIVE of the PROCESSES, whose nodes are numbered up to NODES: those
 * that get most of the quickest CPUs, one after another, so that a node fills up. The CPUs of a
 * class are as quick as the quickest of them was measured: what differs there is the moment. Of
 * about equal ones the first; process 0 always, as it has what the program keeps on rank 0. Where
 * something is not known of one the first of all. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_start_choose(const xmpi_start_process_t *process, int processes, int nodes,
                                int active, char *chosen);

#endif
