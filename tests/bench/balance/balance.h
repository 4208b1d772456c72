/* SPDX-License-Identifier: BSD-3-Clause
 * Measures how near load balancing comes to the ideal on one PE of each of the thesis's classes
 * (Table 6.4), emulated, with equal blocks and adaptive in turns. The ideal is all work divided by
 * all speed, without communication. */
#ifndef XMPI_BENCH_BALANCE_H
#define XMPI_BENCH_BALANCE_H

#include "bench/balance/paced.h"

enum { BALANCE_ROUNDS = 2 };

/* All nodes are dedicated: what a busy machine does to sleeping processes is no interference. */
#define BALANCE_DEDICATED "XMPI_POLICY=balance XMPI_COUNTER=work XMPI_INTERFERENCE=0.5"

static const paced_cluster_t balance_cluster = {
    .speeds = "C1=1.90,C7=2.25,C6=2.90,C8=4.62",
    .machines = "n1:C1:1\nn2:C7:1\nn3:C6:1\nn4:C8:1\n",
    .members = 4,
    .total = 1.90 + 2.25 + 2.90 + 4.62,
};

static inline void balance_figure(const paced_program_t *program, const char *what, double value,
                                  const char *unit)
{
    char *name = measure_text("balance.%s.%s", program->name, what);
    measure_figure(name, value, unit);
    free(name);
}

static inline void balance_measure(const char *dir, const paced_program_t *program,
                                   const paced_problem_t *problem, const char *settings)
{
    series_t plain = {0}, adaptive = {0}, over = {0}, moves = {0};
    double ideal = 0;
    paced_build(dir, program);
    paced_generate(dir, program, problem);
    for (int i = 0; i < BALANCE_ROUNDS; i++) {
        paced_result_t equal = paced_run(dir, program, problem, &balance_cluster, "plain", "");
        paced_result_t balanced =
            paced_run(dir, program, problem, &balance_cluster, "adaptive", settings);
        if (balanced.moves == 0)
            measure_fail("%s: nothing was balanced", program->name);
        series_add(&plain, equal.seconds);
        series_add(&adaptive, balanced.seconds);
        series_add(&over, balanced.after / balanced.ideal_after);
        series_add(&moves, balanced.moves);
        ideal = equal.ideal;
    }
    double before = series_median(&plain), now = series_median(&adaptive);
    balance_figure(program, "static.s", before, "s");
    balance_figure(program, "adaptive.s", now, "s");
    balance_figure(program, "ideal.s", ideal, "s");
    balance_figure(program, "moves", series_median(&moves), "1");
    balance_figure(program, "over_ideal", series_median(&over), "ratio");
    balance_figure(program, "share_of_possible", (before - now) / (before - ideal), "ratio");
    series_free(&plain);
    series_free(&adaptive);
    series_free(&over);
    series_free(&moves);
}

#endif
