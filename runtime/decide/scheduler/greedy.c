/* SPDX-License-Identifier: BSD-3-Clause
 * Greedy choice among candidates in groups of equal cost. */
#include "decide/scheduler/greedy.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

xmpi_status_t xmpi_greedy_make(xmpi_greedy_t *greedy, int candidates, int groups)
{
    size_t n = (size_t)candidates + 1, m = (size_t)groups + 1;
    *greedy = (xmpi_greedy_t){.groups = groups,
                              .entry = malloc((m + 2 * n) * sizeof *greedy->entry),
                              .cost = malloc(m * sizeof(int)),
                              .head = malloc(m * sizeof(int)),
                              .tail = malloc(m * sizeof(int)),
                              .next = malloc(n * sizeof(int)),
                              .value = malloc(n * sizeof(int))};
    bool made = greedy->entry != NULL && greedy->cost != NULL && greedy->head != NULL &&
                greedy->tail != NULL && greedy->next != NULL && greedy->value != NULL;
    return made ? XMPI_OK : XMPI_ERR_MEMORY;
}

void xmpi_greedy_free(xmpi_greedy_t *greedy)
{
    free(greedy->entry);
    free(greedy->cost);
    free(greedy->head);
    free(greedy->tail);
    free(greedy->next);
    free(greedy->value);
    memset(greedy, 0, sizeof *greedy);
}

void xmpi_greedy_clear(xmpi_greedy_t *greedy)
{
    greedy->candidates = greedy->entries = 0;
    for (int group = 0; group < greedy->groups; group++)
        greedy->head[group] = greedy->tail[group] = -1;
}

void xmpi_greedy_add(xmpi_greedy_t *greedy, int group, int value)
{
    int candidate = greedy->candidates++;
    greedy->value[candidate] = value;
    greedy->next[candidate] = -1;
    if (greedy->head[group] < 0)
        greedy->head[group] = candidate;
    else
        greedy->next[greedy->tail[group]] = candidate;
    greedy->tail[group] = candidate;
}

/* --- the heap ----------------------------------------------------------------------------------
 */

static bool comes_before(const xmpi_greedy_entry_t *one, const xmpi_greedy_entry_t *other)
{
    return one->cost != other->cost ? one->cost < other->cost : one->order < other->order;
}

static void exchange(xmpi_greedy_t *greedy, int one, int other)
{
    xmpi_greedy_entry_t kept = greedy->entry[one];
    greedy->entry[one] = greedy->entry[other];
    greedy->entry[other] = kept;
}

void xmpi_greedy_price(xmpi_greedy_t *greedy, int group, int cost)
{
    int order = greedy->head[group], at = greedy->entries;
    greedy->cost[group] = cost;
    if (order < 0)
        return;
    greedy->entry[greedy->entries++] = (xmpi_greedy_entry_t){cost, order, group};
    for (; at > 0 && comes_before(&greedy->entry[at], &greedy->entry[(at - 1) / 2]);
         at = (at - 1) / 2)
        exchange(greedy, at, (at - 1) / 2);
}

static xmpi_greedy_entry_t pop(xmpi_greedy_t *greedy)
{
    xmpi_greedy_entry_t first = greedy->entry[0];
    greedy->entry[0] = greedy->entry[--greedy->entries];
    for (int at = 0, least = 0;; at = least) {
        for (int child = 2 * at + 1; child <= 2 * at + 2 && child < greedy->entries; child++)
            if (comes_before(&greedy->entry[child], &greedy->entry[least]))
                least = child;
        if (least == at)
            return first;
        exchange(greedy, at, least);
    }
}

int xmpi_greedy_take(xmpi_greedy_t *greedy)
{
    while (greedy->entries > 0) {
        xmpi_greedy_entry_t best = pop(greedy);
        if (greedy->head[best.group] != best.order || greedy->cost[best.group] != best.cost)
            continue;
        greedy->head[best.group] = greedy->next[best.order];
        return greedy->value[best.order];
    }
    return -1;
}
