/* SPDX-License-Identifier: BSD-3-Clause
 * The jobs among which a machine is shared out, as they tell about themselves at their control
 * endpoints. What they say is not trusted, and nobody is waited for longer than has been said:
 * they may be stopped, killed, or no jobs at all. */
#ifndef XMPI_SHARE_CLAIMS_H
#define XMPI_SHARE_CLAIMS_H

#include <stdbool.h>

#include "control/worth.h"
#include "places.h"

typedef struct {
    place_t place; /* where it can be met */
    char program[64];
    char allocation[32]; /* of Slurm, digits; empty: none */
    bool apart;          /* it has nothing of what is shared out */
    long leader;         /* the process, on its node */
    int fd;              /* -1: not connected */
    bool seen;           /* its place was, when it was looked for last */
    bool heard;          /* it has said something on this line */
    double again_at;     /* one elsewhere that nobody answers at is not tried before */
    char *input;         /* what has come of a line; malloc */
    size_t received;
    bool asked;         /* a question is open ... */
    double asked_at;    /* ... since; by xmpi_seconds_now(), like the others */
    double answered_at; /* 0: never */
    double missed_at;   /* its socket was not there; 0: it is */
    bool strange;       /* it has said something else than a job would, and that was told */
    int members;        /* 0: not heard yet */
    int told;           /* members that it is to have and has not said yet that it has; 0: none */
    double told_at;
    int share;             /* of the last division */
    bool claims, claimed;  /* whether it takes part in this division, in the last one */
    xmpi_claimant_t claim; /* options 0: it keeps what it has */
} claim_t;

typedef struct {
    claim_t *claim; /* malloc; the first ones have come first */
    int claims;
    double patience; /* seconds after which nobody is waited for */
} claims_t;

/* Connects to the jobs at PLACES that are new, or have another leader, and forgets those that are
 * gone. Less than 0 when they cannot be looked for. */
int claims_find(claims_t *claims, const places_t *places);

/* Asks everybody who does not owe an answer, and hears what they say, until all who have not been
 * waited for in vain before have answered, or the patience is at its end. */
void claims_hear(claims_t *claims);

/* Tells the job to have MEMBERS. */
void claim_tell(claim_t *claim, int members);

/* The most that the job has or comes to have of what is shared out. */
int claim_held(const claim_t *claim);

void claims_free(claims_t *claims);

#endif
