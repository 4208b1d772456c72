/* SPDX-License-Identifier: BSD-3-Clause
 * Idle PEs: what is seen of those without a member. */
#ifndef XMPI_DECIDE_MODEL_IDLE_H
#define XMPI_DECIDE_MODEL_IDLE_H

/* What a process without work says of its node. Plain data, sent as it is. */
typedef struct {
    double cores;   /* that it may run on */
    double busy;    /* CPU seconds that they were used for, by whomever ... */
    double seconds; /* ... in the last seconds */
    double rest;    /* seconds for which it is not to be asked again, for what an answer costs */
    double rate;    /* at which a CPU of the node does work of ours (act/machine/rate.h) */
} xmpi_load_t;

/* The share of a core that one who is parked may take to answer: who took so many seconds says
 * nothing before they are that share of the time. */
extern const double xmpi_idle_answering_share;

/* What is concluded for a PE. Plain data; all 0: nothing was seen. */
typedef struct {
    double share;   /* of its time that a process would have it for, up to 1 */
    double seconds; /* that this is the mean of */
    double rate;    /* at which its CPU does work of ours, in any unit; 0: not known. That of a PE
                       with a member is of use, too: it says what such work is in the program's */
} xmpi_idle_t;

/* The share for one more process on a node of which LOAD was said, where MEMBERS processes of the
 * program use so many cores (USED), which is no load by others. What others want they are taken to
 * want with the fewest processes that can, and cores to be divided evenly. 0: LOAD says nothing. */
double xmpi_load_share(const xmpi_load_t *load, int members, double used);

#endif
