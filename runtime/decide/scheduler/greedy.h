/* SPDX-License-Identifier: BSD-3-Clause
 * Greedy choice among candidates in groups of equal cost: a heap of groups, so that each choice
 * takes time that grows like the logarithm of their number. Of equal costs the candidate comes
 * first that was added first. */
#ifndef XMPI_DECIDE_SCHEDULER_GREEDY_H
#define XMPI_DECIDE_SCHEDULER_GREEDY_H

#include "base/status.h"

/* A group as it was when it was priced; another price since makes it void. */
typedef struct {
    int cost, order, group;
} xmpi_greedy_entry_t;

typedef struct {
    int groups;
    int candidates; /* added so far */
    int entries;
    xmpi_greedy_entry_t *entry; /* the heap; malloc, like the others */
    int *cost;                  /* of each group */
    int *head, *tail; /* of each group: its first and last candidate that is left, or -1 */
    int *next;        /* of each candidate, in its group */
    int *value;       /* of each candidate */
} xmpi_greedy_t;

/* Room for so many CANDIDATES and GROUPS. XMPI_ERR_MEMORY; to be freed all the same. */
xmpi_status_t xmpi_greedy_make(xmpi_greedy_t *greedy, int candidates, int groups);
void xmpi_greedy_free(xmpi_greedy_t *greedy);

/* No candidates. */
void xmpi_greedy_clear(xmpi_greedy_t *greedy);

/* Adds the candidate VALUE to GROUP. */
void xmpi_greedy_add(xmpi_greedy_t *greedy, int group, int value);

/* Says what each candidate of GROUP costs: after all have been added, and when it has changed; at
 * most once for a group and twice for each candidate that is taken. */
void xmpi_greedy_price(xmpi_greedy_t *greedy, int group, int cost);

/* Takes the candidate that costs least out; its value, -1 when there is none left. */
int xmpi_greedy_take(xmpi_greedy_t *greedy);

#endif
