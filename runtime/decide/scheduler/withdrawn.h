/* SPDX-License-Identifier: BSD-3-Clause
 * Availability: PEs are withdrawn and come back, each reason by itself. */
#ifndef XMPI_DECIDE_SCHEDULER_WITHDRAWN_H
#define XMPI_DECIDE_SCHEDULER_WITHDRAWN_H

#include "decide/layout/resources.h"

/* After one of the reasons to be withdrawn has come, which is to be done until DEADLINE, or gone:
 * each goes by itself alone. Whether PE is withdrawn now, or not any more. */
static inline bool xmpi_pe_reconsider(xmpi_pe_t *pe, double deadline)
{
    bool was = pe->withdrawn;
    pe->withdrawn = pe->gone || pe->avoided || pe->given_back || pe->lost;
    if (pe->withdrawn != was)
        pe->deadline = pe->withdrawn ? deadline : 0;
    return pe->withdrawn != was;
}

/* How little is lost with a PE: nothing, a parked process, a member. */
static inline int xmpi_pe_use(const xmpi_pe_t *pe)
{
    return pe->process < 0 ? 0 : pe->parked ? 1 : 2;
}

/* Members that are still to leave take no room from others. */
static inline void xmpi_resources_limit(xmpi_resources_t *resources)
{
    if (!resources->max_is_pes)
        return;
    resources->max_members = 0;
    for (int i = 0; i < resources->pes; i++)
        resources->max_members +=
            !resources->pe[i].withdrawn || xmpi_pe_use(&resources->pe[i]) == 2;
}

#endif
