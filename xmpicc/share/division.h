/* SPDX-License-Identifier: BSD-3-Clause
 * Who is to have how many members, and when that is said (decide/sharing/sharing.h decides). */
#ifndef XMPI_SHARE_DIVISION_H
#define XMPI_SHARE_DIVISION_H

#include "claims.h"

typedef struct {
    xmpi_share_aim_t aim;
    int pes;           /* that the jobs may have */
    int unit;          /* they have them by so many: those of a node; 1: one by one */
    double busy, idle; /* watts of a processing element */
    double settle; /* the most seconds for which a division holds, where nobody comes or goes; */
    double period; /* ... and the fewest, when somebody just has */
    double holds;  /* of the last one */
    int left;      /* what the last division was of; -1: there was none */
    int jobs;      /* among how many */
    double divided_at;
} division_t;

/* Divides anew where jobs have come or gone, or it is time: the SHARE of each. XMPI_ERR_MEMORY. */
xmpi_status_t division_make(division_t *division, claims_t *claims);

/* Tells the jobs as far as there is room: who gives does so at once, who gets has to wait until it
 * is there. SAY is called of each that is told. */
void division_tell(const division_t *division, claims_t *claims,
                   void (*say)(const claim_t *claim, int before));

#endif
