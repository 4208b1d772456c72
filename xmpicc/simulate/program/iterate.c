/* SPDX-License-Identifier: BSD-3-Clause
 * An iteration, simulated. */
#include "simulate/program/iterate.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "simulate/program/change.h"

/* Each member computes its rows. When the last one is done. */
static double compute(sim_run_t *run)
{
    const xmpi_layout_t *layout = &run->shared.layout;
    double unit = run->values->work / (double)run->values->rows, last = run->now;
    for (int i = 0; i < layout->members; i++) {
        sim_member_t *member = &run->member[i];
        int pe = run->shared.process[layout->member[i].process].pe;
        double seconds = (double)layout->member[i].block.count * unit / run->speed[pe];
        double begin = run->now + member->late;
        member->ends = sim_loads_done(&run->loads, sim_node(run, i), begin, seconds);
        double took = member->ends - begin, difference = took - member->before;
        if (run->iteration > run->interval_start)
            member->squares += difference * difference;
        member->before = took;
        member->computation += took;
        member->cpu += seconds;
        last = fmax(last, member->ends);
    }
    return last;
}

/* Messages of the first MEMBERS members of each iteration: those of RANK go to the flows from FLOW
 * on; how many they are. */
static int messages_of(const sim_run_t *run, int members, int rank, sim_flow_t *flow)
{
    int flows = 0;
    sim_pattern_t pattern = run->values->pattern;
    for (int to = 0; to < members && pattern == SIM_PATTERN_ALL; to++)
        if (to != rank)
            flow[flows++].to = to;
    if (pattern == SIM_PATTERN_HALO && rank > 0)
        flow[flows++].to = rank - 1;
    if (pattern == SIM_PATTERN_HALO && rank + 1 < members)
        flow[flows++].to = rank + 1;
    if (pattern == SIM_PATTERN_RING && members > 1)
        flow[flows++].to = (rank + 1) % members;
    for (int i = 0; i < flows; i++)
        flow[i] = (sim_flow_t){.from = sim_node(run, rank),
                               .to = sim_node(run, flow[i].to),
                               .bytes = run->values->bytes};
    return flows;
}

int sim_messages_most(const sim_run_t *run)
{
    int members = run->shared.layout.members;
    return run->values->pattern == SIM_PATTERN_NONE  ? 0
           : run->values->pattern == SIM_PATTERN_ALL ? members - 1
                                                     : 2;
}

/* Of how many members all messages are simulated: where each has a node and a link of its own and
 * at most two to talk to, more than three take no longer than three. */
static int talkers(const sim_run_t *run)
{
    int members = run->shared.layout.members;
    bool apart = run->values->network == SIM_NETWORK_SWITCHED && run->values->cores == 1 &&
                 run->values->pattern == SIM_PATTERN_HALO;
    return apart && members > 3 ? 3 : members;
}

/* Seconds until all messages are there; the same as long as the members are. */
static xmpi_status_t communicate(sim_run_t *run, xmpi_error_t *error)
{
    int members = talkers(run), flows = 0;
    if (run->communication >= 0)
        return XMPI_OK;
    sim_flow_t *flow = calloc((size_t)members * (size_t)sim_messages_most(run) + 1, sizeof *flow);
    if (flow == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for the messages of %d processes",
                              members);
    for (int i = 0; i < members; i++)
        flows += messages_of(run, members, i, &flow[flows]);
    run->communication = sim_network_carry(flow, flows);
    free(flow);
    return XMPI_OK;
}

xmpi_status_t sim_iterate(sim_run_t *run, xmpi_error_t *error)
{
    xmpi_status_t status = communicate(run, error);
    if (status != XMPI_OK)
        return status;
    run->now = compute(run) + run->communication + run->technique->pause;
    for (int i = 0; i < run->shared.layout.members; i++)
        run->member[i].late = 0;
    run->iteration++;
    return XMPI_OK;
}

/* --- many at once ------------------------------------------------------------------------------
 */

xmpi_status_t sim_iteration_seconds(sim_run_t *run, double *seconds, xmpi_error_t *error)
{
    const xmpi_layout_t *layout = &run->shared.layout;
    double unit = run->values->work / (double)run->values->rows, longest = 0;
    xmpi_status_t status = communicate(run, error);
    if (status != XMPI_OK)
        return status;
    for (int i = 0; i < layout->members; i++) {
        int pe = run->shared.process[layout->member[i].process].pe;
        longest = fmax(longest, (double)layout->member[i].block.count * unit / run->speed[pe]);
    }
    *seconds = longest + run->communication + run->technique->pause;
    return XMPI_OK;
}

xmpi_status_t sim_iterate_alike(sim_run_t *run, int64_t count, xmpi_error_t *error)
{
    double seconds;
    xmpi_status_t status = sim_iterate(run, error);
    if (status == XMPI_OK)
        status = sim_iteration_seconds(run, &seconds, error);
    if (status != XMPI_OK)
        return status;
    for (int i = 0; i < run->shared.layout.members; i++) {
        run->member[i].computation += (double)(count - 1) * run->member[i].before;
        run->member[i].cpu += (double)(count - 1) * run->member[i].before;
    }
    run->iteration += count - 1;
    run->now += (double)(count - 1) * seconds;
    return XMPI_OK;
}
