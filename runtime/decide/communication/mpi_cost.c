/* SPDX-License-Identifier: BSD-3-Clause
 * What an MPI operation costs, by the algorithm that MPICH 4.0.2 (ch3) takes for it. */
#include "decide/communication/mpi_cost.h"

#include "decide/communication/mpi_algorithm.h"

enum {
    ROUND = 8,   /* bytes of what goes down the tree in a round */
    ELEMENT = 8, /* bytes, where the number of elements decides */
};

typedef struct {
    int p;
    double n; /* bytes of the member with most */
    double total;
    const xmpi_link_t *link;
    double gamma;
    const xmpi_mpi_call_t *asked;
    xmpi_algorithm_t algorithm;
} call_t;

static bool is_power_of_2(int p)
{
    return (p & (p - 1)) == 0;
}

/* The logarithm to base 2, rounded up. */
static int log_up(int p)
{
    int steps = 0;
    while (1 << steps < p)
        steps++;
    return steps;
}

static int log_down(int p)
{
    return is_power_of_2(p) ? log_up(p) : log_up(p) - 1;
}

static double message(const call_t *call, double bytes)
{
    return xmpi_link_seconds(call->link, bytes);
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* --- pieces of algorithms ----------------------------------------------------------------------
 */

/* All of the buffer in each of log p steps: broadcast down a binomial tree. */
static double tree(const call_t *call, double bytes)
{
    return log_up(call->p) * message(call, bytes);
}

/* Blocks down or up a binomial tree: half of the members' blocks in the largest message, a quarter
 * in the next, and so on (scatter, gather). */
static double halving_tree(const call_t *call, double block)
{
    double seconds = 0;
    for (int blocks = 1; blocks < call->p; blocks *= 2)
        seconds += message(call, least(blocks, call->p - blocks) * block);
    return seconds;
}

/* Blocks that double in each step (recursive doubling and Bruck's algorithm of allgather). Where
 * they are unequal, the largest group makes the time of a step. */
static double doubling(const call_t *call, double block, double total)
{
    double seconds = 0;
    int step = 0;
    for (int blocks = 1; blocks < call->p; blocks *= 2, step++) {
        double moved = least(blocks, call->p - blocks) * block;
        if (step < call->asked->groups)
            moved = least(moved, (double)call->asked->group[step] * call->asked->group_bytes);
        seconds += message(call, least(moved, total));
    }
    return seconds;
}

/* The largest block goes all the way round, one neighbour after the other. */
static double ring(const call_t *call, double block)
{
    return (call->p - 1) * message(call, block);
}

/* Members beyond the last power of 2 hand over to a neighbour before a reduction, which gives them
 * the result after it. */
static double fold(const call_t *call, double bytes)
{
    return is_power_of_2(call->p) ? 0 : 2 * message(call, bytes) + bytes * call->gamma;
}

/* Halves of the buffer, then quarters, ...: what recursive halving sends, and doubling back. */
static double halves(const call_t *call, double bytes, double gamma)
{
    double seconds = 0;
    int steps = log_down(call->p);
    for (int i = 0; i < steps; i++) {
        bytes /= 2;
        seconds += message(call, bytes) + bytes * gamma;
    }
    return seconds;
}

/* --- operations --------------------------------------------------------------------------------
 */

static double bcast(const call_t *call)
{
    double block = call->n / call->p;
    if (call->algorithm == XMPI_BY_TREE)
        return tree(call, call->n);
    double scatter = halving_tree(call, block);
    if (call->algorithm == XMPI_BY_SCATTER_DOUBLING)
        return scatter + doubling(call, block, call->n);
    return scatter + ring(call, block);
}

static double allgather(const call_t *call)
{
    return call->algorithm == XMPI_BY_RING ? ring(call, call->n)
                                           : doubling(call, call->n, call->total);
}

static double reduce(const call_t *call)
{
    if (call->algorithm == XMPI_BY_TREE)
        return log_up(call->p) * (message(call, call->n) + call->n * call->gamma);
    return fold(call, call->n) + halves(call, call->n, call->gamma) + halves(call, call->n, 0);
}

static double allreduce(const call_t *call)
{
    double folded = fold(call, call->n);
    if (call->algorithm == XMPI_BY_DOUBLING)
        return folded + log_down(call->p) * (message(call, call->n) + call->n * call->gamma);
    return folded + halves(call, call->n, call->gamma) + halves(call, call->n, 0);
}

static double reduce_scatter(const call_t *call)
{
    double part = call->n / call->p;
    if (call->algorithm == XMPI_BY_HALVING)
        return fold(call, call->n) + halves(call, call->n, call->gamma);
    return (call->p - 1) * (message(call, part) + part * call->gamma);
}

static double alltoall(const call_t *call)
{
    if (call->algorithm == XMPI_BY_BRUCK)
        return log_up(call->p) * message(call, call->n / 2);
    return (call->p - 1) * message(call, call->n / call->p);
}

static double cost(xmpi_kind_t kind, const call_t *call)
{
    switch (kind) {
    case XMPI_KIND_SEND:
    case XMPI_KIND_RECV:
    case XMPI_KIND_SENDRECV: /* both ways at once */
    case XMPI_KIND_NEIGHBOR:
        return message(call, call->n);
    case XMPI_KIND_BARRIER:
        return tree(call, 0); /* dissemination */
    case XMPI_KIND_BCAST:
        return bcast(call);
    case XMPI_KIND_GATHER:
    case XMPI_KIND_SCATTER:
        return halving_tree(call, call->n);
    case XMPI_KIND_GATHERV:
    case XMPI_KIND_SCATTERV: /* one after the other */
        return (call->p - 1) * message(call, call->total / call->p);
    case XMPI_KIND_ALLGATHER:
    case XMPI_KIND_ALLGATHERV:
        return allgather(call);
    case XMPI_KIND_ALLTOALL:
        return alltoall(call);
    case XMPI_KIND_ALLTOALLV:
        return (call->p - 1) * message(call, call->n / call->p);
    case XMPI_KIND_REDUCE:
        return reduce(call);
    case XMPI_KIND_ALLREDUCE:
        return allreduce(call);
    case XMPI_KIND_REDUCE_SCATTER:
        return reduce_scatter(call);
    case XMPI_KIND_SCAN:
        return log_up(call->p) * (message(call, call->n) + call->n * call->gamma);
    default:
        return 0;
    }
}

/* Of a reduce-scatter the bytes are those of all blocks. */
static xmpi_algorithm_t algorithm_of(const xmpi_mpi_call_t *call, double total)
{
    const xmpi_mpi_choice_t choice = {.kind = call->kind,
                                      .members = call->members,
                                      .bytes = call->bytes,
                                      .total = call->kind == XMPI_KIND_REDUCE_SCATTER ? call->bytes
                                                                                      : total,
                                      .elements = call->bytes / ELEMENT};
    return xmpi_mpi_algorithm(&choice);
}

double xmpi_mpi_seconds(const xmpi_mpi_call_t *call, const xmpi_link_t *link, double gamma)
{
    double total = call->total > 0 ? call->total : call->bytes * call->members;
    if (call->members < 2)
        return 0;
    call_t c = {.p = call->members,
                .n = call->bytes,
                .total = total,
                .link = link,
                .gamma = gamma,
                .asked = call,
                .algorithm = algorithm_of(call, total)};
    return cost(call->kind, &c);
}

double xmpi_round_seconds(int members, const xmpi_link_t *link)
{
    xmpi_mpi_call_t call = {.kind = XMPI_KIND_BCAST, .members = members, .bytes = ROUND};
    return xmpi_mpi_seconds(&call, link, 0);
}

static double agree_seconds(int members, const xmpi_link_t *link)
{
    xmpi_mpi_call_t call = {.kind = XMPI_KIND_ALLREDUCE, .members = members, .bytes = ROUND};
    return xmpi_mpi_seconds(&call, link, 0);
}

double xmpi_change_round_seconds(int from, int to, const xmpi_link_t *link)
{
    if (to >= from)
        return xmpi_round_seconds(to, link);
    return (agree_seconds(from, link) + 2 * xmpi_round_seconds(from, link) +
            2 * agree_seconds(to, link)) /
           5;
}

double xmpi_world_seconds(int joiners, const xmpi_link_t *link)
{
    enum { MESSAGES = 3 };
    return MESSAGES * link->alpha + xmpi_round_seconds(joiners, link);
}

bool xmpi_kind_divides(xmpi_kind_t kind)
{
    switch (kind) {
    case XMPI_KIND_GATHER:
    case XMPI_KIND_GATHERV:
    case XMPI_KIND_SCATTER:
    case XMPI_KIND_SCATTERV:
    case XMPI_KIND_ALLGATHER:
    case XMPI_KIND_ALLGATHERV:
    case XMPI_KIND_ALLTOALL:
    case XMPI_KIND_ALLTOALLV:
        return true;
    default:
        return false;
    }
}

bool xmpi_kind_meets(xmpi_kind_t kind)
{
    switch (kind) {
    case XMPI_KIND_BARRIER:
    case XMPI_KIND_ALLGATHER:
    case XMPI_KIND_ALLGATHERV:
    case XMPI_KIND_ALLTOALL:
    case XMPI_KIND_ALLTOALLV:
    case XMPI_KIND_ALLREDUCE:
    case XMPI_KIND_REDUCE_SCATTER:
        return true;
    default:
        return false;
    }
}
