/* SPDX-License-Identifier: BSD-3-Clause
 * Measures how near load balancing comes to the ideal where the work of rows changes: epigraph, of
 * which it follows the epidemic. */
#define _GNU_SOURCE
#include "bench/balance/balance.h"

static const paced_problem_t population = {
    .generate = "-n 40000 -r 4",
    .arguments = "-d 15 -t 4 -i 400 -p transmission=0.008",
    .file = "population",
    .iterations = 60,
    .kappa = 1.6e-5,
};

int main(void)
{
    char *dir = measure_begin("balance_epigraph");
    balance_measure(dir, &paced_epigraph, &population, BALANCE_DEDICATED);
    free(dir);
    return 0;
}
