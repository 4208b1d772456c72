/* SPDX-License-Identifier: BSD-3-Clause
 * Policy "migrate": a program keeps its processes, and they go where there are nodes for them
 * (Cores et al. 2016): away from nodes that are withdrawn or have too many, to nodes that have less
 * than their share, those together who talk to one another. */
#include <stdio.h>
#include <string.h>

#include "decide/planning/divide.h"
#include "decide/planning/moves.h"
#include "decide/planning/remapping/remap_plan.h"

/* Whether some node has more than it is to have. */
static xmpi_status_t is_over(const xmpi_remap_t *r, bool *over, xmpi_error_t *error)
{
    xmpi_mapping_t blind = r->mapping;
    xmpi_mapped_t mapped;
    blind.traffic = NULL;
    xmpi_status_t status = xmpi_mapping_migrate(&blind, r->to, &mapped, error);
    *over = mapped.moves + mapped.stuck > 0;
    return status;
}

static void note(const xmpi_remap_t *r, const xmpi_plan_t *plan, xmpi_decision_t *decision)
{
    xmpi_alternative_t *done = xmpi_decision_add(decision);
    if (done == NULL)
        return;
    snprintf(done->label, sizeof done->label, "%d moves", r->mapped.moves);
    done->members = r->mapping.ranks;
    done->reconfiguration = xmpi_policy_change_seconds(r->view, plan);
    done->feasible = true;
    decision->chosen = 0;
}

static void explain(const xmpi_remap_t *r, char *reason)
{
    int used = snprintf(reason, XMPI_REASON_MAX, "%d of %d go to other nodes, %d cannot yet",
                        r->mapped.moves, r->mapping.ranks, r->mapped.stuck);
    if (r->mapped.before > 0)
        snprintf(reason + used, XMPI_REASON_MAX - (size_t)used,
                 "; what goes between nodes costs %.3g of what it did",
                 r->mapped.after / r->mapped.before);
}

static xmpi_status_t migrate(xmpi_remap_t *r, xmpi_plan_t *plan, xmpi_decision_t *decision,
                             xmpi_error_t *error)
{
    const xmpi_view_t *view = r->view;
    bool over = false;
    xmpi_status_t status = is_over(r, &over, error);
    if (status != XMPI_OK)
        return status;
    if (!over) {
        snprintf(plan->reason, sizeof plan->reason, "no node has too many processes");
        return XMPI_OK;
    }
    if (view->traffic == NULL && !view->traffic_asked)
        return XMPI_NEEDS_TRAFFIC;
    status = xmpi_mapping_migrate(&r->mapping, r->to, &r->mapped, error);
    if (status == XMPI_OK)
        status = xmpi_remap_plan(r, plan, error);
    if (status != XMPI_OK)
        return status;
    explain(r, plan->reason);
    memcpy(decision->reason, plan->reason, sizeof decision->reason);
    if (plan->places > 0)
        note(r, plan, decision);
    return XMPI_OK;
}

static xmpi_status_t decide(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_decision_t *decision,
                            xmpi_error_t *error)
{
    xmpi_remap_t remap;
    memset(plan, 0, sizeof *plan);
    if (xmpi_moves_all_are_held(view))
        return xmpi_decision_keep(decision, plan, "members stay for what one of them has");
    xmpi_status_t status = xmpi_remap_make(&remap, view, error);
    if (status == XMPI_OK)
        status = migrate(&remap, plan, decision, error);
    xmpi_remap_free(&remap);
    return status;
}

const xmpi_policy_t xmpi_policy_migrate = {
    .name = "migrate",
    .help = "keep the processes, and let them leave nodes that are withdrawn or have more than "
            "their share for others, near to those that they talk to (Cores et al.)",
    .needs = XMPI_OF_TRAFFIC,
    .uses = XMPI_OF_AVAILABILITY | XMPI_OF_PREDICTIONS | XMPI_OF_PROCESSES,
    .settings = "share",
    .expectation = "no change unless the nodes do",
    .decide = decide,
    .move = decide,
};
