/* SPDX-License-Identifier: BSD-3-Clause
 * The searches of the paper that the exact one is measured beside: rows are divided among members,
 * of which each takes a time that never falls with more rows; the longest is to be short. */
#ifndef XMPI_TESTS_BENCH_ANCHORS_H
#define XMPI_TESTS_BENCH_ANCHORS_H

#include <stdint.h>

typedef struct {
    int n;
    int64_t rows;
    double (*seconds)(const void *context, int i, int64_t rows);
    const void *context;
    uint64_t seed;
    int64_t evaluations; /* so many of all members for those that go by chance */
} anchor_t;

/* Each gives the longest time of the division that it finds. */

/* Generalized bisection search (4.3.1): from the last member to any that is done earlier with a row
 * more, by bisection of what is moved. */
double anchor_gbs(anchor_t *anchor);

/* Greedy search (4.3.2): only between the last and the first; it ends where that does not help. */
double anchor_gs(anchor_t *anchor);

/* Genetic algorithm (4.3.3): 100 divisions, 5 % mutation, 2 of the best kept, two crossover points;
 * genes are last rows, and children in which these are in no order are dropped. */
double anchor_ga(anchor_t *anchor);

/* Simulated annealing (4.3.4): rows of the last member are shared so that who is done earlier gets
 * more; worse divisions are taken by chance. The paper does not give its schedule: here the
 * temperature begins at the first time and falls by a twentieth at each step without a drop. */
double anchor_sa(anchor_t *anchor);

#endif
