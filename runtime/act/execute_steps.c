/* SPDX-License-Identifier: BSD-3-Clause
 * Steps of the executor. */
#include "act/execute_steps.h"

#include "act/spawning/limit.h"
#include "base/collective.h"
#include "base/misuse.h"

/* Of each of the numbers of all what OP makes of them; where MPI has failed, the first is not 0. Up
 * a tree and down again: two messages for each process, where MPI_Allreduce takes the logarithm of
 * their number and connects each with as many. Where many share a processor messages are what an
 * agreement takes. */
static void reduce_all(MPI_Comm comm, int64_t *numbers, int n, MPI_Op op)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    int up = PMPI_Reduce(rank == 0 ? MPI_IN_PLACE : numbers, numbers, n, MPI_INT64_T, op, 0, comm);
    if (up != MPI_SUCCESS && numbers[0] == 0)
        numbers[0] = 1;
    int down = PMPI_Bcast(numbers, n, MPI_INT64_T, 0, comm);
    if ((up != MPI_SUCCESS || down != MPI_SUCCESS) && numbers[0] == 0)
        numbers[0] = 1;
}

bool xmpi_step_all_agree(MPI_Comm transit, xmpi_status_t status)
{
    int64_t failed = status != XMPI_OK;
    reduce_all(transit, &failed, 1, MPI_SUM);
    return failed == 0;
}

int xmpi_step_most(MPI_Comm comm, int mine)
{
    int64_t most = mine;
    reduce_all(comm, &most, 1, MPI_MAX);
    return (int)most;
}

void xmpi_step_share(const xmpi_parts_t *parts, MPI_Comm transit, int me)
{
    xmpi_pack_t pack = {0};
    if (me == 0)
        xmpi_shared_put(&pack, parts->shared);
    if (xmpi_world_tell(transit, me, &pack) != XMPI_OK)
        xmpi_misuse("no memory for the state that all share");
    if (me != 0)
        xmpi_shared_get(&pack, parts->shared);
    xmpi_pack_free(&pack);
    parts->registry->strategy = parts->shared->settings.move;
}

/* What the leader knows has come with what all share (xmpi_step_share), and is not told again,
 * which would take more pieces in long runs: but where the program went on, or started, since. */
void xmpi_step_hand_over(const xmpi_parts_t *parts, const xmpi_execution_t *e)
{
    xmpi_pack_t pack = {0};
    bool again = e->under_way || parts->start != NULL;
    if (e->me == 0) {
        xmpi_pack_put_sparse(&pack, parts->progress, parts->progress_size);
        xmpi_pack_put(&pack, &again, sizeof again);
        if (again)
            xmpi_leader_put(&pack, &parts->shared->leader);
        xmpi_registry_put_lives(&pack, parts->registry);
        xmpi_registry_put_begun(&pack, parts->registry);
        xmpi_world_put_marks(&pack, parts->world);
        if (e->copied)
            xmpi_copy_put_lives(&pack, parts->registry, parts->copy);
    }
    if (xmpi_world_tell(e->transit, e->me, &pack) != XMPI_OK)
        xmpi_misuse("no memory for the live variables");
    if (e->me >= e->change.olds) {
        xmpi_pack_get_sparse(&pack, parts->progress, parts->progress_size);
        xmpi_pack_get(&pack, &again, sizeof again);
        if (again)
            xmpi_leader_get(&pack, &parts->shared->leader);
        xmpi_registry_get_lives(&pack, parts->registry, NULL);
        xmpi_registry_get_begun(&pack, parts->registry);
        xmpi_world_get_marks(&pack, parts->world);
        if (e->copied)
            xmpi_copy_get_lives(&pack, parts->copy);
    }
    xmpi_pack_free(&pack);
}

/* What was moved by this process. */
static void tell_moved(const xmpi_execution_t *e, int64_t *bytes, int64_t *messages)
{
    *bytes = e->constants.bytes + e->others.bytes;
    *messages = e->constants.messages + e->others.messages;
}

void xmpi_step_add_up(xmpi_execution_t *e)
{
    int leader = 0;
    while (e->change.new_rank[leader] != 0)
        leader++;
    int64_t mine[2], all[2] = {0, 0};
    tell_moved(e, &mine[0], &mine[1]);
    PMPI_Reduce(mine, all, 2, MPI_INT64_T, MPI_SUM, leader, e->transit);
    e->cost.bytes = all[0];
    e->cost.messages = all[1];
}

bool xmpi_step_all_agree_last(xmpi_execution_t *e, xmpi_status_t status)
{
    int64_t all[3] = {status != XMPI_OK};
    tell_moved(e, &all[1], &all[2]);
    reduce_all(e->transit, all, 3, MPI_SUM);
    e->cost.bytes = all[1];
    e->cost.messages = all[2];
    return all[0] == 0;
}

/* The rank, size, count and displ of the program's variables. */
static void refresh(const xmpi_parts_t *parts, const xmpi_block_t *block)
{
    xmpi_registry_refresh(parts->registry, XMPI_GEN_RANK, parts->world->rank);
    xmpi_registry_refresh(parts->registry, XMPI_GEN_SIZE, parts->world->size);
    xmpi_registry_refresh(parts->registry, XMPI_GEN_COUNT, block->count);
    xmpi_registry_refresh(parts->registry, XMPI_GEN_DISPL, block->displ);
}

/* To disconnect all wait for one another; in MPICH's ch3 where somebody was killed before, now and
 * then for ever. */
void xmpi_step_use_world(const xmpi_parts_t *parts, const xmpi_execution_t *e, MPI_Comm world)
{
    static const char what[] = "a process was killed before, and a change of members has not ended";
    MPI_Comm transit = e->transit;
    xmpi_limit_t limit;
    if (parts->leaves != NULL)
        parts->leaves(parts->context, &e->next);
    xmpi_error_t ignored;
    bool limited =
        parts->limit > 0 &&
        xmpi_limit_begin(&limit, parts->limit, e->me == 0 ? what : NULL, &ignored) == XMPI_OK;
    if (e->change.joiners > 0 && world != transit)
        PMPI_Comm_disconnect(&transit);
    xmpi_world_replace(parts->world, world);
    if (limited)
        xmpi_limit_end(&limit);
}

xmpi_outcome_t xmpi_step_call_off(const xmpi_parts_t *parts, xmpi_execution_t *e)
{
    xmpi_shared_forget(parts->shared, &e->next);
    if (e->change.joiners > 0 && !e->abandoned)
        PMPI_Comm_disconnect(&e->transit);
    xmpi_layout_free(&e->next);
    xmpi_change_free(&e->change);
    e->under_way = false;
    return XMPI_CALLED_OFF;
}

xmpi_outcome_t xmpi_step_conclude(const xmpi_parts_t *parts, xmpi_execution_t *e, double start)
{
    e->under_way = false;
    e->cost.move += PMPI_Wtime() - start;
    bool left = e->change.new_rank[e->me] < 0;
    if (!left)
        refresh(parts, &e->change.new_block[e->me]);
    xmpi_layout_free(&e->next);
    xmpi_change_free(&e->change);
    return left ? XMPI_LEFT : XMPI_DONE;
}
