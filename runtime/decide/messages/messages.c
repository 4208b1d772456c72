/* SPDX-License-Identifier: BSD-3-Clause
 * The messages that a collective operation is made of. */
#include "decide/messages/messages.h"

#include "decide/messages/moving.h"
#include "decide/messages/reducing.h"
#include "decide/messages/run.h"

static xmpi_algorithm_t algorithm_of(const xmpi_run_t *run)
{
    const xmpi_operation_t *operation = run->operation;
    bool exchanges = operation->kind == XMPI_KIND_ALLTOALL;
    const xmpi_mpi_choice_t choice = {.kind = operation->kind,
                                      .posted = operation->posted,
                                      .members = run->members,
                                      .bytes =
                                          (double)operation->bytes * (exchanges ? run->members : 1),
                                      .total = (double)xmpi_run_blocks(run, 0, run->members),
                                      .elements = (double)operation->elements,
                                      .own = operation->own,
                                      .ordered = operation->ordered};
    return xmpi_mpi_algorithm(&choice);
}

/* From the root directly to all, or from each to the root. */
static void scatter_directly(const xmpi_run_t *run)
{
    for (int peer = 0; peer < run->members && run->above == 0; peer++)
        if (xmpi_run_blocks(run, peer, 1) > 0)
            xmpi_run_send(run, peer, xmpi_run_blocks(run, peer, 1));
}

static void gather_directly(const xmpi_run_t *run)
{
    if (run->operation->bytes > 0)
        xmpi_run_send(run, run->operation->root, run->operation->bytes);
}

void xmpi_messages(const xmpi_operation_t *operation, xmpi_sent_t *sent, void *taker)
{
    const int members = operation->members;
    if (members < 2 || operation->root < 0 || operation->root >= members)
        return;
    const xmpi_run_t run = {.operation = operation,
                            .members = members,
                            .rank = operation->rank,
                            .above = (operation->rank - operation->root + members) % members,
                            .sent = sent,
                            .taker = taker};
    switch (operation->kind) {
    case XMPI_KIND_BARRIER:
        xmpi_run_barrier(&run);
        break;
    case XMPI_KIND_BCAST:
        xmpi_run_bcast(&run, algorithm_of(&run));
        break;
    case XMPI_KIND_GATHER:
        xmpi_run_gather(&run);
        break;
    case XMPI_KIND_GATHERV:
        gather_directly(&run);
        break;
    case XMPI_KIND_SCATTER:
        xmpi_run_scatter(&run);
        break;
    case XMPI_KIND_SCATTERV:
        scatter_directly(&run);
        break;
    case XMPI_KIND_ALLGATHER:
    case XMPI_KIND_ALLGATHERV:
        xmpi_run_allgather(&run, algorithm_of(&run));
        break;
    case XMPI_KIND_ALLTOALL:
    case XMPI_KIND_ALLTOALLV:
        xmpi_run_alltoall(&run, algorithm_of(&run));
        break;
    case XMPI_KIND_REDUCE:
        xmpi_run_reduce(&run, algorithm_of(&run));
        break;
    case XMPI_KIND_ALLREDUCE:
        xmpi_run_allreduce(&run, algorithm_of(&run));
        break;
    case XMPI_KIND_REDUCE_SCATTER:
        xmpi_run_reduce_scatter(&run, algorithm_of(&run));
        break;
    case XMPI_KIND_SCAN:
        xmpi_run_scan(&run);
        break;
    default:
        break;
    }
}
