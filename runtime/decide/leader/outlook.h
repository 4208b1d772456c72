/* SPDX-License-Identifier: BSD-3-Clause
 * What the next decision is expected to be, in words, for people who watch a job. */
#ifndef XMPI_DECIDE_LEADER_OUTLOOK_H
#define XMPI_DECIDE_LEADER_OUTLOOK_H

#include <stddef.h>

#include "decide/policy/policy.h"

/* What the outlook depends on, as of the end of an interval. */
typedef struct {
    const xmpi_policy_t *policy; /* NULL: none decides */
    const xmpi_schedule_t *schedule;
    const xmpi_resources_t *resources; /* for the names of classes */
    int64_t iteration;                 /* completed */
    int64_t next;                      /* iteration after which the next decision is made */
    int64_t may_grow_from;             /* iteration: processes could not be had before */
    int joiners;                       /* that are being got in the background; 0: none */
    const char *kept; /* why the last decision was to change nothing; "": it was not */
} xmpi_outlook_t;

/* Fills TEXT, of ROOM bytes: one line without a newline, the most certain first. Empty when nothing
 * decides. */
void xmpi_outlook(const xmpi_outlook_t *outlook, char *text, size_t room);

#endif
