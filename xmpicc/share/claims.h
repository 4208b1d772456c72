/* SPDX-License-Identifier: BSD-3-Clause
 * The jobs among which a machine is shared out, as they tell about themselves at their control
 * endpoints. What they say is not trusted, and nobody is waited for longer than has been said:
 * they may be stopped, killed, or no jobs at all. */
#ifndef XMPI_SHARE_CLAIMS_H
#define XMPI_SHARE_CLAIMS_H

#include <stdbool.h>

#include "control/address.h"
#include "control/worth.h"

typedef struct {
    char path[XMPI_ADDRESS_MAX]; /* of its socket */
    char program[64];
    long number,
        leader;  /* processes: the first leader, whose number names it, and the present one */
    int fd;      /* -1: not connected */
    char *input; /* what has come of a line; malloc */
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

/* Connects to the jobs of FOLDER that are new, or have another leader, and forgets those that are
 * gone. Less than 0 when the folder cannot be read. */
int claims_find(claims_t *claims, const char *folder);

/* Asks everybody who does not owe an answer, and hears what they say, until all who have not been
 * waited for in vain before have answered, or the patience is at its end. */
void claims_hear(claims_t *claims);

/* Tells the job to have MEMBERS. */
void claim_tell(claim_t *claim, int members);

/* The most that the job has or comes to have. */
int claim_held(const claim_t *claim);

void claims_free(claims_t *claims);

#endif
