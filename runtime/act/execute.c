/* SPDX-License-Identifier: BSD-3-Clause
 * The executor: carries out a change of layout, whatever it consists of. */
#include "act/execute.h"

#include <stdlib.h>
#include <string.h>

#include "act/change.h"
#include "act/join.h"
#include "act/redistribute.h"
#include "misuse.h"

/* Whether all that take part could prepare. */
static int all_agree(MPI_Comm transit, xmpi_status_t status)
{
    int mine = status == XMPI_OK, all = 0;
    PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, transit);
    return all;
}

enum { SHAPE_NUMBERS = 6 };

/* What must be the same of an array on all processes. */
static void describe(const xmpi_array_t *array, int64_t *numbers)
{
    numbers[0] = array->rows;
    numbers[1] = array->row_bytes;
    numbers[2] = array->scheme;
    numbers[3] = array->shape;
    numbers[4] = array->halo;
    numbers[5] = array->constant;
}

/* A program whose prologue gives a joiner other arrays than the others have cannot go on. */
static void compare_arrays(const xmpi_parts_t *parts, MPI_Comm transit, int me)
{
    const xmpi_registry_t *registry = parts->registry;
    int n = registry->arrays;
    PMPI_Bcast(&n, 1, MPI_INT, 0, transit);
    if (n != registry->arrays)
        xmpi_misuse("this process has registered %d arrays, the leader %d", registry->arrays, n);
    int64_t *shape = calloc(SHAPE_NUMBERS * (size_t)n + 1, sizeof *shape);
    if (shape == NULL)
        xmpi_misuse("no memory to compare arrays");
    for (int i = 0; i < n && me == 0; i++)
        describe(&registry->array[i], &shape[SHAPE_NUMBERS * i]);
    PMPI_Bcast(shape, SHAPE_NUMBERS * n, MPI_INT64_T, 0, transit);
    for (int i = 0; i < n; i++) {
        int64_t mine[SHAPE_NUMBERS];
        describe(&registry->array[i], mine);
        if (memcmp(mine, &shape[SHAPE_NUMBERS * i], sizeof mine) != 0)
            xmpi_misuse("the array %s has another shape here than on the leader",
                        registry->array[i].name);
    }
    free(shape);
}

/* Joiners take over the live variables and the progress of the leader. */
static void hand_over(const xmpi_parts_t *parts, const xmpi_change_t *change, MPI_Comm transit,
                      int me)
{
    xmpi_pack_t pack = {0};
    if (me == 0) {
        xmpi_pack_put(&pack, parts->progress, parts->progress_size);
        xmpi_registry_put_lives(&pack, parts->registry);
    }
    int64_t size = (int64_t)pack.size;
    PMPI_Bcast(&size, 1, MPI_INT64_T, 0, transit);
    if (me != 0) {
        pack.data = malloc((size_t)size);
        pack.size = (size_t)size;
    }
    if (pack.data == NULL || pack.status != XMPI_OK)
        xmpi_misuse("no memory for %lld bytes of live variables", (long long)size);
    PMPI_Bcast(pack.data, (int)size, MPI_BYTE, 0, transit);
    if (me >= change->olds) {
        xmpi_pack_get(&pack, parts->progress, parts->progress_size);
        xmpi_registry_get_lives(&pack, parts->registry, NULL);
    }
    xmpi_pack_free(&pack);
}

static void add_up(MPI_Comm transit, const xmpi_redistribution_t *r, xmpi_cost_t *cost)
{
    int64_t mine[2] = {r->bytes, r->messages}, all[2] = {0, 0};
    PMPI_Allreduce(mine, all, 2, MPI_INT64_T, MPI_SUM, transit);
    cost->bytes = all[0];
    cost->messages = all[1];
}

/* The rank, size, count and displ of the program's variables. */
static void refresh(const xmpi_parts_t *parts, const xmpi_block_t *block)
{
    xmpi_registry_refresh(parts->registry, XMPI_GEN_RANK, parts->world->rank);
    xmpi_registry_refresh(parts->registry, XMPI_GEN_SIZE, parts->world->size);
    xmpi_registry_refresh(parts->registry, XMPI_GEN_COUNT, block->count);
    xmpi_registry_refresh(parts->registry, XMPI_GEN_DISPL, block->displ);
}

/* The communicators after the change. */
static void switch_world(const xmpi_parts_t *parts, const xmpi_change_t *change, MPI_Comm transit,
                         int me)
{
    if (change->joiners == 0 && change->leavers == 0)
        return; /* the transit communicator is that for moves, and stays */
    MPI_Comm world = xmpi_join_finish(change, transit, me);
    if (change->joiners > 0 && world != transit)
        PMPI_Comm_disconnect(&transit);
    xmpi_world_replace(parts->world, world);
}

static xmpi_outcome_t carry_out(const xmpi_parts_t *parts, const xmpi_change_t *change,
                                xmpi_layout_t *next, const xmpi_port_t *ports, xmpi_cost_t *cost)
{
    int me = xmpi_change_transit_rank(change, parts->process);
    xmpi_redistribution_t redistribution;
    double start = PMPI_Wtime();
    MPI_Comm transit = xmpi_join(change, parts->shared, parts->world, me, ports);
    double joined = PMPI_Wtime();
    cost->join = joined - start;
    if (change->joiners > 0)
        compare_arrays(parts, transit, me);
    xmpi_status_t status = xmpi_redistribute_prepare(parts->registry, change, me, &redistribution);
    bool moved =
        all_agree(transit, status) &&
        xmpi_redistribute_move(parts->registry, change, transit, me, &redistribution) == XMPI_OK;
    if (!moved) {
        xmpi_redistribute_cancel(&redistribution);
        xmpi_shared_forget(parts->shared, next);
        if (change->joiners > 0)
            PMPI_Comm_disconnect(&transit);
        return XMPI_CALLED_OFF;
    }
    add_up(transit, &redistribution, cost);
    xmpi_redistribute_commit(parts->registry, change, me, &redistribution);
    if (change->joiners > 0)
        hand_over(parts, change, transit, me);
    switch_world(parts, change, transit, me);
    xmpi_shared_commit(parts->shared, next);
    cost->move = PMPI_Wtime() - joined;
    if (change->new_rank[me] < 0)
        return XMPI_LEFT;
    refresh(parts, &change->new_block[me]);
    return XMPI_DONE;
}

xmpi_outcome_t xmpi_execute(const xmpi_parts_t *parts, xmpi_layout_t *next,
                            const xmpi_port_t *ports, xmpi_cost_t *cost)
{
    xmpi_change_t change;
    if (xmpi_change_make(&parts->shared->layout, next, &change) != XMPI_OK)
        xmpi_misuse("no memory for a list of %d members", next->members);
    xmpi_outcome_t outcome = carry_out(parts, &change, next, ports, cost);
    xmpi_layout_free(next);
    xmpi_change_free(&change);
    return outcome;
}
