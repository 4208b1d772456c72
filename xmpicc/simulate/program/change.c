/* SPDX-License-Identifier: BSD-3-Clause
 * A plan is carried out. */
#include "simulate/program/change.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/members/lay_out.h"
#include "decide/plan/transfer_size.h"

/* Those that take part: the old members, then the joiners, in the order of their ranks. */
typedef struct {
    int transit, olds, places;
    int *pe;         /* of each */
    int *transit_of; /* of each new rank */
    xmpi_block_t *old_block, *new_block;
    bool *member; /* of the new layout */
    int flows;
    sim_flow_t *flow;
} move_t;

static int pe_of(const sim_run_t *run, int rank)
{
    return run->shared.process[run->shared.layout.member[rank].process].pe;
}

int sim_node(const sim_run_t *run, int rank)
{
    return (int)(pe_of(run, rank) / run->values->cores);
}

static int node_of(const sim_run_t *run, const move_t *move, int transit)
{
    return (int)(move->pe[transit] / run->values->cores);
}

static void move_free(move_t *move)
{
    free(move->pe);
    free(move->transit_of);
    free(move->old_block);
    free(move->new_block);
    free(move->member);
    free(move->flow);
}

static xmpi_status_t move_make(const sim_run_t *run, const xmpi_plan_t *plan, move_t *move)
{
    const xmpi_layout_t *layout = &run->shared.layout;
    size_t room = (size_t)(layout->members + plan->places);
    *move = (move_t){.olds = layout->members,
                     .transit = layout->members,
                     .places = plan->places,
                     .pe = calloc(room, sizeof *move->pe),
                     .transit_of = calloc(room, sizeof *move->transit_of),
                     .old_block = calloc(room, sizeof *move->old_block),
                     .new_block = calloc(room, sizeof *move->new_block),
                     .member = calloc(room, sizeof *move->member)};
    if (move->pe == NULL || move->transit_of == NULL || move->old_block == NULL ||
        move->new_block == NULL || move->member == NULL)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < move->olds; i++) {
        move->pe[i] = pe_of(run, i);
        move->old_block[i] = layout->member[i].block;
    }
    for (int i = 0; i < plan->places; i++) {
        const xmpi_place_t *place = &plan->place[i];
        int transit = place->origin == XMPI_STAYS ? place->from : move->transit++;
        if (place->origin != XMPI_STAYS)
            move->pe[transit] = place->pe;
        move->transit_of[i] = transit;
        move->new_block[transit] = place->block;
        move->member[transit] = true;
    }
    return XMPI_OK;
}

/* Rows go from who has them to who gets them. */
static xmpi_status_t rows(sim_run_t *run, move_t *move)
{
    xmpi_transfer_size_t size;
    xmpi_status_t status = xmpi_transfer_size(move->transit, move->olds, move->old_block,
                                              move->new_block, move->member, 1, &run->array, &size);
    if (status != XMPI_OK)
        return status;
    move->flow = calloc((size_t)size.pairs + 1, sizeof *move->flow);
    for (; move->flow != NULL && move->flows < size.pairs; move->flows++) {
        const xmpi_transfer_pair_t *pair = &size.pair[move->flows];
        move->flow[move->flows] = (sim_flow_t){.from = node_of(run, move, pair->from),
                                               .to = node_of(run, move, pair->to),
                                               .bytes = pair->bytes};
    }
    xmpi_transfer_size_free(&size);
    return move->flow != NULL ? XMPI_OK : XMPI_ERR_MEMORY;
}

/* --- what it takes -----------------------------------------------------------------------------
 */

/* All that members have goes to the place for checkpoints, and from there to the new ones. */
static double checkpoint(sim_run_t *run, move_t *move, double *bytes)
{
    int server = (int)run->values->nodes;
    double seconds = 0;
    sim_flow_t *flow =
        calloc((size_t)(move->olds > move->places ? move->olds : move->places) + 1, sizeof *flow);
    if (flow == NULL)
        return -1;
    for (int i = 0; i < move->olds; i++)
        flow[i] = (sim_flow_t){.from = node_of(run, move, i),
                               .to = server,
                               .bytes = (double)move->old_block[i].count * run->array.row_bytes};
    seconds += sim_network_carry(flow, move->olds);
    for (int i = 0; i < move->places; i++) {
        int transit = move->transit_of[i];
        flow[i] =
            (sim_flow_t){.from = server,
                         .to = node_of(run, move, transit),
                         .bytes = (double)move->new_block[transit].count * run->array.row_bytes};
        *bytes += 2 * flow[i].bytes;
    }
    seconds += sim_network_carry(flow, move->places);
    free(flow);
    return seconds;
}

/* Until when RANK of the new layout waits for its rows, or gives some away. */
static double wait_of(const sim_run_t *run, const move_t *move, int rank)
{
    int node = node_of(run, move, move->transit_of[rank]);
    double last = 0;
    for (int i = 0; i < move->flows; i++)
        if (move->flow[i].from == node || move->flow[i].to == node)
            last = fmax(last, move->flow[i].seconds);
    return last;
}

/* Seconds that processes and rows take; sets how late members begin. */
static xmpi_status_t price(sim_run_t *run, move_t *move, xmpi_reconfiguration_t *r)
{
    sim_changes_t changes = run->technique->changes;
    double bytes = 0;
    xmpi_status_t status = rows(run, move);
    if (status != XMPI_OK)
        return status;
    if (changes == SIM_CHANGES_CHECKPOINT) {
        r->redistribution = checkpoint(run, move, &bytes);
        if (r->redistribution < 0)
            return XMPI_ERR_MEMORY;
    } else {
        r->redistribution =
            changes == SIM_CHANGES_FREE ? 0 : sim_network_carry(move->flow, move->flows);
        for (int i = 0; i < move->flows; i++)
            bytes += move->flow[i].bytes;
    }
    r->processes = changes == SIM_CHANGES_FREE ? 0 : r->predicted.process;
    r->seconds = r->processes + r->redistribution;
    r->bytes = (int64_t)bytes;
    r->messages = move->flows;
    for (int i = 0; i < move->places; i++) {
        double wait = changes == SIM_CHANGES_PAIR ? wait_of(run, move, i) : 0;
        run->member[i].late = wait > 0 ? r->processes + wait : 0;
    }
    return XMPI_OK;
}

/* --- the change --------------------------------------------------------------------------------
 */

static void describe(const sim_run_t *run, const xmpi_step_t *step, xmpi_reconfiguration_t *r)
{
    *r = (xmpi_reconfiguration_t){.iteration = run->iteration,
                                  .from = run->shared.layout.members,
                                  .to = step->plan.places,
                                  .predicted = step->predicted,
                                  .done = true};
    snprintf(r->kind, sizeof r->kind, "%s", xmpi_plan_kind(&step->plan, &run->shared.layout));
    snprintf(r->reason, sizeof r->reason, "%s", step->plan.reason);
}

static void count(sim_run_t *run, const xmpi_step_t *step, const xmpi_reconfiguration_t *r)
{
    sim_result_t *result = &run->result;
    result->changes++;
    result->still += r->seconds;
    result->bytes += (double)r->bytes;
    for (int i = 0; i < step->plan.places; i++)
        result->swaps += step->plan.place[i].origin == XMPI_TAKES_OVER;
}

xmpi_status_t sim_change(sim_run_t *run, const xmpi_step_t *step, xmpi_error_t *error)
{
    xmpi_layout_t next = {0};
    xmpi_reconfiguration_t r;
    move_t move;
    describe(run, step, &r);
    xmpi_status_t status = move_make(run, &step->plan, &move);
    if (status == XMPI_OK)
        status = price(run, &move, &r);
    move_free(&move);
    xmpi_error_set(error, status, "no memory for a change");
    if (status == XMPI_OK)
        status = xmpi_shared_lay_out(&run->shared, &step->plan, &next, error);
    if (status != XMPI_OK)
        return status;
    xmpi_trace_plan(&run->trace, &run->shared, &r, &next);
    xmpi_shared_commit(&run->shared, &next);
    count(run, step, &r);
    run->settling = true;
    if (run->technique->changes != SIM_CHANGES_PAIR)
        run->now += r.seconds;
    if (xmpi_plan_changes_processes(&step->plan))
        run->communication = -1;
    xmpi_leader_changed(&run->shared.leader, &step->predicted, r.processes, r.redistribution);
    xmpi_trace_simulate(run->now);
    xmpi_trace_reconfiguration(&run->trace, &run->shared, &r);
    return XMPI_OK;
}
