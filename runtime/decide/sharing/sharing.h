/* SPDX-License-Identifier: BSD-3-Clause
 * Sharing a system: how many processing elements each of the malleable jobs on it is to have. What
 * more or fewer are worth to a job its own leader says (decide/planning/worth.h); what they are
 * worth to all is the aim. Whoever starts jobs (a simulator, a daemon beside a batch system) asks,
 * and tells the jobs. Pure: the same question has the same answer. */
#ifndef XMPI_DECIDE_SHARING_SHARING_H
#define XMPI_DECIDE_SHARING_SHARING_H

#include "base/status.h"

typedef enum {
    XMPI_SHARE_EQUALLY,     /* as many to each, as far as it has a use for them */
    XMPI_SHARE_FEWEST_LATE, /* as few jobs as can be end after they are due */
    XMPI_SHARE_UTILISATION, /* all together do the most work per second */
    XMPI_SHARE_ENERGY,      /* the least energy until the jobs are done */
} xmpi_share_aim_t;

enum { XMPI_SHARE_AIMS = XMPI_SHARE_ENERGY + 1 };

/* What people call the aims: "equal", "late", "use", "energy". */
extern const char *const xmpi_share_aim_name[XMPI_SHARE_AIMS];

/* With MEMBERS members a job is done in SECONDS from now, with what the change to them takes. */
typedef struct {
    int members;
    double seconds;
} xmpi_worth_t;

/* A job that can have more or fewer. */
typedef struct {
    int options; /* >= 1: of members, ascending; the first are the least that it can do with */
    const xmpi_worth_t *option;
    double due; /* seconds from now until it should be done; INFINITY: no matter */
} xmpi_claimant_t;

typedef struct {
    xmpi_share_aim_t aim;
    int pes; /* those that the jobs have, those that are free, less what others are to have */
    double busy, idle; /* watts of a processing element; for the energy */
    int jobs;
    const xmpi_claimant_t *job; /* the first ones have come first: what is equal is theirs */
} xmpi_sharing_t;

/* The fewest members that JOB is to be left with where others wait for what it could give: its
 * least, or, where jobs are to be in time, the fewest with which it is. */
int xmpi_share_fewest(xmpi_share_aim_t aim, const xmpi_claimant_t *job);

/* Fills MEMBERS of each job, one of its options each. Some PEs may be left, which no job has a use
 * for. XMPI_ERR_INPUT when PES are not enough for the least of all (then each has its least),
 * XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_share_out(const xmpi_sharing_t *sharing, int *members);

#endif
