/* SPDX-License-Identifier: BSD-3-Clause
 * The state of a simulated run. */
#ifndef XMPI_SIMULATE_PROGRAM_STATE_H
#define XMPI_SIMULATE_PROGRAM_STATE_H

#include <stdint.h>

#include "act/members/shared.h"
#include "simulate/loads/loads.h"
#include "simulate/scenario/result.h"
#include "simulate/scenario/technique.h"
#include "simulate/scenario/values.h"
#include "trace/trace.h"

/* How a member fared in the interval. */
typedef struct {
    double late;        /* seconds that it begins later, after a change */
    double ends;        /* when it has computed in the present iteration */
    double computation; /* seconds */
    double cpu;
    double work;   /* units */
    double units;  /* of them, in the last iteration */
    double before; /* seconds of computation of that */
    double files;  /* seconds of reading and writing rows that do not fit into memory */
    double moved;  /* bytes of that */
    int64_t accesses;
    double squares; /* of differences between successive ones */
} sim_member_t;

/* The present state of a run. */
typedef struct {
    const sim_values_t *values;
    const sim_technique_t *technique;
    uint64_t seed;
    xmpi_shared_t shared;
    const xmpi_policy_t *policy; /* NULL: none decides */
    xmpi_moved_array_t array;    /* all that the program has */
    double *speed;               /* of each PE */
    int *sharers;                /* members on the node of each PE, as of the last iteration */
    sim_loads_t loads;
    sim_member_t *member;   /* of each rank, as many as PEs */
    xmpi_sample_t *samples; /* the same */
    xmpi_idle_t *idle;      /* of each PE */
    double now;
    int64_t iteration, interval_start, interval; /* the last: iterations of the present one */
    double interval_began;
    int64_t measured_from; /* the interval is: the first iteration after a change is not */
    double measured_began;
    bool settling;        /* the present iteration is that */
    double looked;        /* when parked processes have last said what their nodes are used for */
    double communication; /* seconds of an iteration in this layout; negative: not known yet */
    double messages, sums, gathers; /* of them */
    int wanted;                     /* more members that somebody asks for */
    xmpi_trace_t trace;
    sim_result_t result;
} sim_run_t;

#endif
