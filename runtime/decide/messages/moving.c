/* SPDX-License-Identifier: BSD-3-Clause
 * Collective operations that move data without reducing them: the algorithms of MPICH 4.0.2 in
 * src/mpi/coll (bcast, gather, scatter, allgather, allgatherv, alltoall, barrier). */
#include "decide/messages/moving.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The bit at which the member hangs in a binomial tree below the root: the lowest of its number; of
 * the root, the first one that no number has. The members of its subtree are as many, as far as
 * there are any. */
static int branch_of(const xmpi_run_t *run)
{
    int bit = 1;
    while (bit < run->members && (run->above & bit) == 0)
        bit *= 2;
    return bit;
}

void xmpi_run_barrier(const xmpi_run_t *run)
{
    for (int distance = 1; distance < run->members; distance *= 2)
        xmpi_run_send(run, run->rank + distance, 0);
}

/* Everything down the tree. */
static void tree(const xmpi_run_t *run, int64_t bytes)
{
    for (int bit = branch_of(run) / 2; bit > 0; bit /= 2)
        if (run->above + bit < run->members)
            xmpi_run_send(run, run->rank + bit, bytes);
}

/* The bytes from part FIRST on, of N parts of a buffer that is divided in equal ones, rounded up,
 * as far as there are any. */
static int64_t parts(const xmpi_run_t *run, int first, int n)
{
    int64_t bytes = run->operation->bytes, part = (bytes + run->members - 1) / run->members;
    int64_t begin = least(bytes, first * part), end = least(bytes, (first + n) * part);
    return end - begin;
}

/* Parts go down the tree: those of the subtree that they go to. */
static void scatter_parts(const xmpi_run_t *run)
{
    for (int bit = branch_of(run) / 2; bit > 0; bit /= 2)
        if (run->above + bit < run->members && parts(run, run->above + bit, bit) > 0)
            xmpi_run_send(run, run->rank + bit, parts(run, run->above + bit, bit));
}

/* A member has as many parts in each step as it has exchanged, from the first of its group on. */
static void double_parts(const xmpi_run_t *run)
{
    for (int bit = 1; bit < run->members; bit *= 2) {
        int peer = run->above ^ bit;
        xmpi_run_send(run, peer + run->operation->root, parts(run, run->above & ~(bit - 1), bit));
    }
}

/* All parts but the one that the neighbour has come by. */
static void pass_parts_on(const xmpi_run_t *run)
{
    for (int i = 0; i < run->members - 1; i++) {
        int part = (run->above - i + run->members) % run->members;
        xmpi_run_send(run, run->rank + 1, parts(run, part, 1));
    }
}

void xmpi_run_bcast(const xmpi_run_t *run, xmpi_algorithm_t algorithm)
{
    if (run->operation->bytes == 0)
        return;
    if (algorithm == XMPI_BY_TREE) {
        tree(run, run->operation->bytes);
        return;
    }
    scatter_parts(run);
    if (algorithm == XMPI_BY_SCATTER_DOUBLING)
        double_parts(run);
    else
        pass_parts_on(run);
}

/* The members of the subtree that hangs at BIT above the member FIRST. */
static int subtree(const xmpi_run_t *run, int first, int bit)
{
    return (int)least(bit, run->members - first);
}

void xmpi_run_gather(const xmpi_run_t *run)
{
    int bit = branch_of(run);
    if (run->above > 0)
        xmpi_run_send(run, run->rank - bit, subtree(run, run->above, bit) * run->operation->bytes);
}

void xmpi_run_scatter(const xmpi_run_t *run)
{
    for (int bit = branch_of(run) / 2; bit > 0; bit /= 2) {
        int first = run->above + bit;
        if (first < run->members)
            xmpi_run_send(run, run->rank + bit, subtree(run, first, bit) * run->operation->bytes);
    }
}

/* Blocks from the member's own one on, twice as many in each step, to who is before it. */
static void bruck(const xmpi_run_t *run)
{
    for (int blocks = 1; blocks < run->members; blocks *= 2) {
        int n = (int)least(blocks, run->members - blocks);
        xmpi_run_send(run, run->rank - blocks, xmpi_run_blocks(run, run->rank, n));
    }
}

void xmpi_run_allgather(const xmpi_run_t *run, xmpi_algorithm_t algorithm)
{
    int members = run->members;
    if (xmpi_run_blocks(run, 0, members) == 0)
        return;
    if (algorithm == XMPI_BY_BRUCK) {
        bruck(run);
    } else if (algorithm == XMPI_BY_DOUBLING) {
        for (int bit = 1; bit < members; bit *= 2)
            xmpi_run_send(run, run->rank ^ bit, xmpi_run_blocks(run, run->rank & ~(bit - 1), bit));
    } else {
        for (int i = 0; i < members - 1; i++) /* all but that of the neighbour */
            xmpi_run_send(run, run->rank + 1,
                          xmpi_run_blocks(run, (run->rank - i + members) % members, 1));
    }
}

/* How many of the distances from 1 on have the bit. */
static int with_bit(int members, int bit)
{
    int n = 0;
    for (int distance = 1; distance < members; distance++)
        n += (distance & bit) != 0;
    return n;
}

void xmpi_run_alltoall(const xmpi_run_t *run, xmpi_algorithm_t algorithm)
{
    if (algorithm == XMPI_BY_BRUCK) {
        for (int bit = 1; bit < run->members; bit *= 2)
            xmpi_run_send(run, run->rank + bit,
                          with_bit(run->members, bit) * run->operation->bytes);
        return;
    }
    for (int distance = 1; distance < run->members; distance++) {
        int peer = (run->rank + distance) % run->members;
        int64_t bytes = xmpi_run_blocks(run, peer, 1);
        if (bytes > 0)
            xmpi_run_send(run, peer, bytes);
    }
}
