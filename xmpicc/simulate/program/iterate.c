/* SPDX-License-Identifier: BSD-3-Clause
 * An iteration, simulated. */
#include "simulate/program/iterate.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "decide/model/profile.h"
#include "simulate/program/change.h"

/* --- computing ---------------------------------------------------------------------------------
 */

/* The work of an iteration. */
typedef struct {
    double units;         /* of all members */
    const double *before; /* shares of it before parts of the domain; NULL: all rows are alike */
    double share[XMPI_PROFILE_PARTS + 1];
} work_t;

/* What was recorded says how much more or less than the mean one it is. */
static void work_of_iteration(const sim_run_t *run, work_t *work)
{
    const xmpi_profile_t *profile = run->values->profile;
    work->units = run->values->work;
    work->before = NULL;
    if (profile == NULL)
        return;
    int64_t last = profile->point[profile->points - 1].iteration, now = run->iteration;
    double mean = xmpi_profile_work(profile, 0, last) / (double)last;
    work->units *= mean > 0 ? xmpi_profile_work(profile, now, now + 1) / mean : 1;
    if (xmpi_profile_shares(profile, now, now + 1, work->share))
        work->before = work->share;
}

static double work_of(const sim_run_t *run, const work_t *work, const xmpi_block_t *block)
{
    if (work->before != NULL)
        return work->units * xmpi_profile_share(work->before, run->values->rows, block);
    return (double)block->count * (work->units / (double)run->values->rows);
}

/* How many members there are on each node: they share its memory and its disk. */
static void count_sharers(sim_run_t *run)
{
    memset(run->sharers, 0, (size_t)run->shared.resources.pes * sizeof *run->sharers);
    for (int i = 0; i < run->shared.layout.members; i++)
        run->sharers[sim_node(run, i) * run->values->cores]++;
}

/* Seconds in which a member goes through its rows on disk, where they do not fit into memory: piece
 * after piece, as large as that, is read and written again. */
static double go_through_files(sim_run_t *run, int rank)
{
    const sim_values_t *v = run->values;
    const xmpi_pe_t *pe = xmpi_shared_pe(&run->shared, rank);
    double sharers = run->sharers[sim_node(run, rank) * v->cores];
    double memory = pe->memory / sharers;
    double bytes = (double)run->shared.layout.member[rank].block.count * run->array.row_bytes;
    if (pe->memory <= 0 || bytes <= memory)
        return 0;
    double pieces = ceil(bytes / memory);
    double seconds = 2 * (pieces * v->disk_latency + bytes * sharers / v->disk_bandwidth);
    sim_member_t *member = &run->member[rank];
    member->files += seconds;
    member->moved += 2 * bytes;
    member->accesses += 2 * (int64_t)pieces;
    return seconds;
}

/* Each member computes its rows. When the last one is done. */
static double compute(sim_run_t *run)
{
    const xmpi_layout_t *layout = &run->shared.layout;
    double last = run->now;
    work_t work;
    work_of_iteration(run, &work);
    if (run->values->memory > 0)
        count_sharers(run);
    for (int i = 0; i < layout->members; i++) {
        sim_member_t *member = &run->member[i];
        int pe = run->shared.process[layout->member[i].process].pe;
        double units = work_of(run, &work, &layout->member[i].block);
        double seconds = units / run->speed[pe];
        double begin = run->now + member->late;
        member->ends = sim_loads_done(&run->loads, sim_node(run, i), begin, seconds);
        double took = member->ends - begin, difference = took - member->before;
        if (run->iteration > run->measured_from)
            member->squares += difference * difference;
        member->before = took;
        member->computation += took;
        member->cpu += seconds;
        member->units = units;
        member->work += units;
        if (run->values->memory > 0)
            member->ends += go_through_files(run, i);
        last = fmax(last, member->ends);
    }
    return last;
}

/* --- messages ----------------------------------------------------------------------------------
 */

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

/* Each node has a link of its own, so that many messages between different ones take as long as
 * few. */
static bool apart(const sim_run_t *run)
{
    const sim_values_t *v = run->values;
    return v->platform == NULL && v->network == SIM_NETWORK_SWITCHED && v->cores == 1;
}

/* Of how many members all messages are simulated: of those that have at most two to talk to, more
 * than three take no longer than three. */
static int talkers(const sim_run_t *run)
{
    int members = run->shared.layout.members;
    return apart(run) && run->values->pattern == SIM_PATTERN_HALO && members > 3 ? 3 : members;
}

/* Seconds of the messages of the pattern. */
static double talk(sim_run_t *run, sim_flow_t *flow)
{
    int members = talkers(run), flows = 0;
    for (int i = 0; i < members; i++)
        flows += messages_of(run, members, i, &flow[flows]);
    return sim_network_carry(flow, flows);
}

/* Seconds in which each member sends BYTES to the one that is so many ranks further. */
static double round_of(sim_run_t *run, int further, double bytes, sim_flow_t *flow)
{
    int members = run->shared.layout.members, flows = members;
    if (apart(run) && members > 3) {
        flows = 3;
        further = 1;
    }
    for (int i = 0; i < flows; i++)
        flow[i] = (sim_flow_t){.from = sim_node(run, i),
                               .to = sim_node(run, (i + further) % flows),
                               .bytes = fmax(1, bytes)};
    return sim_network_carry(flow, flows);
}

/* Seconds of an operation of all: in each round everybody sends what it has got so far to somebody
 * twice as far away (Bruck et al. 1997). Of a sum that is always BYTES; of a gathering, of BYTES of
 * all together, twice as much in each, until all have all. */
static double together(sim_run_t *run, double bytes, bool gathers, sim_flow_t *flow)
{
    int members = run->shared.layout.members;
    double seconds = 0;
    for (int further = 1; further < members; further *= 2) {
        int blocks = further < members - further ? further : members - further;
        seconds += round_of(run, further, gathers ? bytes * blocks / members : bytes, flow);
    }
    return seconds;
}

/* Seconds until all messages are there; the same as long as the members are. */
static xmpi_status_t communicate(sim_run_t *run, xmpi_error_t *error)
{
    const sim_values_t *v = run->values;
    size_t members = (size_t)run->shared.layout.members;
    if (run->communication >= 0)
        return XMPI_OK;
    sim_flow_t *flow = calloc(members * (size_t)(sim_messages_most(run) + 1) + 1, sizeof *flow);
    if (flow == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for the messages of %zu processes",
                              members);
    run->messages = talk(run, flow);
    run->sums = v->sums > 0 ? v->sums * together(run, v->sum_bytes, false, flow) : 0;
    run->gathers = v->gathers > 0 ? v->gathers * together(run, v->gather_bytes, true, flow) : 0;
    run->communication = run->messages + run->sums + run->gathers;
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
        run->member[i].work += (double)(count - 1) * run->member[i].units;
    }
    run->iteration += count - 1;
    run->now += (double)(count - 1) * seconds;
    return XMPI_OK;
}
