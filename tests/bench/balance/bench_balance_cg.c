/* SPDX-License-Identifier: BSD-3-Clause
 * Measures how near load balancing comes to the ideal where rows differ in work: cg, of which the
 * rows are unequally full. */
#define _GNU_SOURCE
#include "bench/balance/balance.h"

/* Iterations of some 100 ms when balanced: much longer than it takes a busy machine to give a core
 * to a process that wakes up, and than the real computation. */
static const paced_problem_t matrix = {
    .generate = "-n 20000 -z 15 -d 1.0001",
    .arguments = "-i 100 -t 0",
    .file = "matrix.mtx",
    .iterations = 100,
    .kappa = 4e-6,
};

int main(void)
{
    char *dir = measure_begin("balance_cg");
    balance_measure(dir, &paced_cg, &matrix, BALANCE_DEDICATED);
    free(dir);
    return 0;
}
