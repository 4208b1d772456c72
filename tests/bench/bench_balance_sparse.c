/* SPDX-License-Identifier: BSD-3-Clause
 * Measures how near load balancing comes to the ideal where rows differ in work: cg, of which the
 * rows are unequally full, and epigraph, of which the work changes with the epidemic, on one PE of
 * each of the thesis's classes (Table 6.4), emulated, with equal blocks and adaptive in turns. The
 * ideal is all work divided by all speed, without communication. */
#define _GNU_SOURCE
#include "bench/paced.h"

enum { ROUNDS = 2 };
#define DEDICATED "XMPI_POLICY=balance XMPI_COUNTER=work XMPI_INTERFERENCE=0.5"

static const paced_cluster_t cluster = {
    .speeds = "C1=1.90,C7=2.25,C6=2.90,C8=4.62",
    .machines = "n1:C1:1\nn2:C7:1\nn3:C6:1\nn4:C8:1\n",
    .members = 4,
    .total = 1.90 + 2.25 + 2.90 + 4.62,
};

/* Iterations of some 100 ms when balanced: much longer than it takes a busy machine to give a core
 * to a process that wakes up, and than the real computation. */
static const paced_problem_t matrix = {
    .generate = "-n 20000 -z 15 -d 1.0001",
    .arguments = "-i 100 -t 0",
    .file = "matrix.mtx",
    .iterations = 100,
    .kappa = 4e-6,
};

static const paced_problem_t population = {
    .generate = "-n 40000 -r 4",
    .arguments = "-d 15 -t 4 -i 400 -p transmission=0.008",
    .file = "population",
    .iterations = 60,
    .kappa = 1.6e-5,
};

static void figure(const paced_program_t *program, const char *what, double value, const char *unit)
{
    char *name = measure_text("balance.%s.%s", program->name, what);
    measure_figure(name, value, unit);
    free(name);
}

static void measure(const char *dir, const paced_program_t *program, const paced_problem_t *problem,
                    const char *settings)
{
    series_t plain = {0}, adaptive = {0}, over = {0}, moves = {0};
    double ideal = 0;
    paced_build(dir, program);
    paced_generate(dir, program, problem);
    for (int i = 0; i < ROUNDS; i++) {
        paced_result_t equal = paced_run(dir, program, problem, &cluster, "plain", "");
        paced_result_t balanced = paced_run(dir, program, problem, &cluster, "adaptive", settings);
        if (balanced.moves == 0)
            measure_fail("%s: nothing was balanced", program->name);
        series_add(&plain, equal.seconds);
        series_add(&adaptive, balanced.seconds);
        series_add(&over, balanced.after / balanced.ideal_after);
        series_add(&moves, balanced.moves);
        ideal = equal.ideal;
    }
    double before = series_median(&plain), now = series_median(&adaptive);
    figure(program, "static.s", before, "s");
    figure(program, "adaptive.s", now, "s");
    figure(program, "ideal.s", ideal, "s");
    figure(program, "moves", series_median(&moves), "1");
    figure(program, "over_ideal", series_median(&over), "ratio");
    figure(program, "share_of_possible", (before - now) / (before - ideal), "ratio");
    series_free(&plain);
    series_free(&adaptive);
    series_free(&over);
    series_free(&moves);
}

int main(void)
{
    char *dir = measure_begin("balance_sparse");
    /* All nodes are dedicated: what a busy machine does to sleeping processes is no interference.
     * The work of an epidemic changes too fast for an interval that grows. */
    measure(dir, &paced_cg, &matrix, DEDICATED);
    measure(dir, &paced_epigraph, &population, DEDICATED " XMPI_INTERVAL=2");
    free(dir);
    return 0;
}
