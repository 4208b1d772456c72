/* SPDX-License-Identifier: BSD-3-Clause
 * Steps of the executor. */
#include "act/execute_steps.h"

#include "act/spawning/limit.h"
#include "base/collective.h"
#include "base/misuse.h"

bool xmpi_step_all_agree(MPI_Comm transit, xmpi_status_t status)
{
    int mine = status == XMPI_OK, all = 0;
    PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, transit);
    return all != 0;
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

void xmpi_step_hand_over(const xmpi_parts_t *parts, const xmpi_execution_t *e)
{
    xmpi_pack_t pack = {0};
    if (e->me == 0) {
        xmpi_pack_put_sparse(&pack, parts->progress, parts->progress_size);
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
        xmpi_leader_get(&pack, &parts->shared->leader);
        xmpi_registry_get_lives(&pack, parts->registry, NULL);
        xmpi_registry_get_begun(&pack, parts->registry);
        xmpi_world_get_marks(&pack, parts->world);
        if (e->copied)
            xmpi_copy_get_lives(&pack, parts->copy);
    }
    xmpi_pack_free(&pack);
}

void xmpi_step_add_up(xmpi_execution_t *e)
{
    int leader = 0;
    while (e->change.new_rank[leader] != 0)
        leader++;
    int64_t mine[2] = {e->constants.bytes + e->others.bytes,
                       e->constants.messages + e->others.messages};
    int64_t all[2] = {0, 0};
    PMPI_Reduce(mine, all, 2, MPI_INT64_T, MPI_SUM, leader, e->transit);
    e->cost.bytes = all[0];
    e->cost.messages = all[1];
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
