/* SPDX-License-Identifier: BSD-3-Clause
 * Division of the domain into contiguous blocks for unequal speeds. */
#include "decide/partition/partition.h"

#include <math.h>
#include <stdlib.h>

/* A binary heap of members, the one that would finish one more row first on top. */
typedef struct {
    int n;
    int *member;
    const double *speeds;
    const xmpi_block_t *blocks;
} heap_t;

static double finish_with_one_more(const heap_t *heap, int i)
{
    int m = heap->member[i];
    return (double)(heap->blocks[m].count + 1) / heap->speeds[m];
}

static int before(const heap_t *heap, int i, int j)
{
    double a = finish_with_one_more(heap, i), b = finish_with_one_more(heap, j);
    return a < b || (a == b && heap->member[i] < heap->member[j]);
}

static void sift_down(heap_t *heap, int i)
{
    for (;;) {
        int least = i;
        for (int child = 2 * i + 1; child <= 2 * i + 2 && child < heap->n; child++)
            if (before(heap, child, least))
                least = child;
        if (least == i)
            return;
        int swap = heap->member[i];
        heap->member[i] = heap->member[least];
        heap->member[least] = swap;
        i = least;
    }
}

/* Gives out REST rows one by one, each to whoever finishes it first: with the floors of the
 * proportional shares given already, fewer than N rows are left, and greedy is optimal. */
static void give_rest(heap_t *heap, xmpi_block_t *blocks, int64_t rest)
{
    for (int i = heap->n / 2 - 1; i >= 0; i--)
        sift_down(heap, i);
    for (; rest > 0; rest--) {
        blocks[heap->member[0]].count++;
        sift_down(heap, 0);
    }
}

/* Members without a row take one from the member with the most. */
static void leave_none_empty(int n, xmpi_block_t *blocks)
{
    for (int i = 0; i < n; i++) {
        int most = 0;
        if (blocks[i].count > 0)
            continue;
        for (int j = 1; j < n; j++)
            if (blocks[j].count > blocks[most].count)
                most = j;
        blocks[most].count--;
        blocks[i].count++;
    }
}

xmpi_status_t xmpi_partition_proportional(int64_t domain, int n, const double *speeds,
                                          xmpi_block_t *blocks)
{
    double total = 0;
    int64_t given = 0;
    for (int i = 0; i < n; i++) {
        if (!(speeds[i] > 0) || isinf(speeds[i]))
            return XMPI_ERR_INPUT;
        total += speeds[i];
    }
    heap_t heap = {n, malloc((size_t)n * sizeof(int)), speeds, blocks};
    if (heap.member == NULL)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < n; i++) {
        heap.member[i] = i;
        blocks[i].count = (int64_t)floor((double)domain * (speeds[i] / total));
        given += blocks[i].count;
    }
    /* Rounding can give a row too many where a share is a whole number. */
    for (int i = 0; given > domain; i = (i + 1) % n)
        if (blocks[i].count > 0) {
            blocks[i].count--;
            given--;
        }
    give_rest(&heap, blocks, domain - given);
    free(heap.member);
    if (domain >= n)
        leave_none_empty(n, blocks);
    xmpi_blocks_chain(n, blocks);
    return XMPI_OK;
}
