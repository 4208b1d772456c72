/* SPDX-License-Identifier: BSD-3-Clause
 * Collective operations that reduce: the algorithms of MPICH 4.0.2 in src/mpi/coll (reduce,
 * allreduce, reduce_scatter, scan). Most of them are for a power of 2 of members: others hand over
 * to a neighbour first, which counts for both. */
#include "decide/messages/reducing.h"

/* What has become of the members once as many are left as a power of 2. */
typedef struct {
    int power;
    int pairs; /* of members, the first ones, of which one has handed over to the other */
    int odd;   /* 1: the second of each goes on, 0: the first one */
    int rank;  /* of this member among those that are left; -1: it has handed over */
} folded_t;

static int member_of(const folded_t *folded, int rank)
{
    return rank < folded->pairs ? 2 * rank + folded->odd : rank + folded->pairs;
}

/* Who hands over sends all BYTES. */
static folded_t fold(const xmpi_run_t *run, int odd, int64_t bytes)
{
    folded_t folded = {.power = xmpi_power_of_2(run->members), .odd = odd};
    folded.pairs = run->members - folded.power;
    if (run->rank >= 2 * folded.pairs) {
        folded.rank = run->rank - folded.pairs;
    } else if (run->rank % 2 == odd) {
        folded.rank = run->rank / 2;
    } else {
        folded.rank = -1;
        xmpi_run_send(run, run->rank ^ 1, bytes);
    }
    return folded;
}

/* Who has counted for both gives BYTES back. */
static void give_back(const xmpi_run_t *run, const folded_t *folded, int64_t bytes)
{
    if (folded->rank >= 0 && run->rank < 2 * folded->pairs)
        xmpi_run_send(run, run->rank ^ 1, bytes);
}

/* The bytes of N of POWER parts of the buffer from FIRST on: whole elements, and the first parts
 * have those that are left over. */
static int64_t shares(const xmpi_run_t *run, int power, int first, int n)
{
    int64_t elements = run->operation->elements, each = elements / power, more = elements % power;
    int64_t begin = first * each + (first < more ? first : more);
    int64_t end = (first + n) * each + (first + n < more ? first + n : more);
    return elements > 0 ? (end - begin) * (run->operation->bytes / elements) : 0;
}

/* Recursive halving from neighbours on: in each step the half that the other one keeps. Which part
 * the member is left with. */
static int halve(const xmpi_run_t *run, const folded_t *folded)
{
    int first = 0;
    for (int bit = 1, half = folded->power / 2; half > 0; bit *= 2, half /= 2) {
        bool upper = (folded->rank & bit) != 0;
        xmpi_run_send(run, member_of(folded, folded->rank ^ bit),
                      shares(run, folded->power, upper ? first : first + half, half));
        first += upper ? half : 0;
    }
    return first;
}

/* The parts come back the same way to all. */
static void double_back(const xmpi_run_t *run, const folded_t *folded, int first)
{
    for (int bit = folded->power / 2, n = 1; bit > 0; bit /= 2, n *= 2) {
        xmpi_run_send(run, member_of(folded, folded->rank ^ bit),
                      shares(run, folded->power, first, n));
        first &= ~n;
    }
}

void xmpi_run_allreduce(const xmpi_run_t *run, xmpi_algorithm_t algorithm)
{
    int64_t bytes = run->operation->bytes;
    if (run->operation->elements == 0)
        return;
    folded_t folded = fold(run, 1, bytes);
    if (folded.rank >= 0 && algorithm == XMPI_BY_HALVING)
        double_back(run, &folded, halve(run, &folded));
    for (int bit = 1; folded.rank >= 0 && algorithm != XMPI_BY_HALVING && bit < folded.power;
         bit *= 2)
        xmpi_run_send(run, member_of(&folded, folded.rank ^ bit), bytes);
    give_back(run, &folded, bytes);
}

/* --- to one --------------------------------------------------------------------------------------
 */

/* Up the tree; what does not commute goes to the first member, and from there to the root. */
static void up_the_tree(const xmpi_run_t *run)
{
    const xmpi_operation_t *operation = run->operation;
    int root = operation->ordered ? 0 : operation->root;
    int above = (run->rank - root + run->members) % run->members;
    if (above > 0)
        xmpi_run_send(run, run->rank - (above & -above), operation->bytes);
    else if (root != operation->root)
        xmpi_run_send(run, operation->root, operation->bytes);
}

/* Up a tree to NEWROOT, among those that are left: each sends all that it has once it comes to one
 * who is on the root's side. The root takes the place of the first one where it has handed over. */
static void gather_shares(const xmpi_run_t *run, const folded_t *folded, int rank, int newroot,
                          int first)
{
    int root = run->operation->root;
    bool replaced = root < 2 * folded->pairs && root % 2 != 0;
    for (int bit = folded->power / 2, n = 1; bit > 0; bit /= 2, n *= 2) {
        int peer = rank ^ bit;
        if ((peer & -bit) == (newroot & -bit)) {
            xmpi_run_send(run, peer == 0 && replaced ? root : member_of(folded, peer),
                          shares(run, folded->power, first, n));
            return;
        }
        first &= ~n;
    }
}

static void reduce_by_halves(const xmpi_run_t *run)
{
    folded_t folded = fold(run, 0, run->operation->bytes);
    int first = folded.rank >= 0 ? halve(run, &folded) : 0, rank = folded.rank;
    int root = run->operation->root;
    bool has_handed_over = root < 2 * folded.pairs && root % 2 != 0;
    int newroot = root >= 2 * folded.pairs ? root - folded.pairs : has_handed_over ? 0 : root / 2;
    if (has_handed_over && rank == 0) { /* its place is the root's */
        xmpi_run_send(run, root, shares(run, folded.power, 0, 1));
        return;
    }
    if (has_handed_over && run->rank == root)
        rank = 0;
    if (rank >= 0 && rank != newroot)
        gather_shares(run, &folded, rank, newroot, first);
}

void xmpi_run_reduce(const xmpi_run_t *run, xmpi_algorithm_t algorithm)
{
    if (run->operation->elements == 0)
        return;
    if (algorithm == XMPI_BY_HALVING)
        reduce_by_halves(run);
    else
        up_the_tree(run);
}

/* --- a part for each -----------------------------------------------------------------------------
 */

/* The blocks of N of those that are left from FIRST on, with those of who has handed over. */
static int64_t folded_blocks(const xmpi_run_t *run, const folded_t *folded, int first, int n)
{
    int begin = first < folded->pairs ? 2 * first : first + folded->pairs, end = first + n;
    end = end < folded->pairs ? 2 * end : end + folded->pairs;
    return xmpi_run_blocks(run, begin, end - begin);
}

/* Halving from the far end on: each is left with its own block. */
static void halve_to_blocks(const xmpi_run_t *run)
{
    folded_t folded = fold(run, 1, xmpi_run_blocks(run, 0, run->members));
    for (int half = folded.power / 2; folded.rank >= 0 && half > 0; half /= 2) {
        int peer = folded.rank ^ half;
        int64_t bytes = folded_blocks(run, &folded, peer & -half, half);
        if (bytes > 0)
            xmpi_run_send(run, member_of(&folded, peer), bytes);
    }
    if (run->rank % 2 != 0 && xmpi_run_blocks(run, run->rank - 1, 1) > 0)
        give_back(run, &folded, xmpi_run_blocks(run, run->rank - 1, 1));
}

/* What does not commute: halves of all, from neighbours on; or all that is not of the member's own
 * group, where members are no power of 2. (Of those without a partner MPICH sends some more.) */
static void in_order(const xmpi_run_t *run, xmpi_algorithm_t algorithm)
{
    int64_t total = xmpi_run_blocks(run, 0, run->members);
    for (int bit = 1; bit < run->members; bit *= 2) {
        int peer = run->rank ^ bit, first = run->rank & -bit;
        int n = first + bit < run->members ? bit : run->members - first;
        if (peer < run->members)
            xmpi_run_send(run, peer,
                          algorithm == XMPI_BY_HALVING ? total / (2 * bit)
                                                       : total - xmpi_run_blocks(run, first, n));
    }
}

void xmpi_run_reduce_scatter(const xmpi_run_t *run, xmpi_algorithm_t algorithm)
{
    if (xmpi_run_blocks(run, 0, run->members) == 0)
        return;
    if (run->operation->ordered)
        in_order(run, algorithm);
    else if (algorithm == XMPI_BY_HALVING)
        halve_to_blocks(run);
    for (int i = 1; algorithm == XMPI_BY_PAIRS && i < run->members; i++) {
        int peer = (run->rank + i) % run->members;
        xmpi_run_send(run, peer, xmpi_run_blocks(run, peer, 1));
    }
}

void xmpi_run_scan(const xmpi_run_t *run)
{
    if (run->operation->elements == 0)
        return;
    for (int bit = 1; bit < run->members; bit *= 2)
        if ((run->rank ^ bit) < run->members)
            xmpi_run_send(run, run->rank ^ bit, run->operation->bytes);
}
