/* SPDX-License-Identifier: BSD-3-Clause
 * Measures what a program gains that an earlier run has told of: its loop begins balanced. As in
 * the other measurements of balancing, on one PE of each of the thesis's classes; the profile is of
 * one run before. What an iteration of the check of the first change takes is in it. */
#define _GNU_SOURCE
#include "bench/balance/balance.h"

enum { START_ROUNDS = 2 };

/* Iterations of some 200 ms when balanced, of which communication takes little. */
static const paced_problem_t rows = {.generate = "-n 2000",
                                     .arguments = "-i 60 -t 0",
                                     .file = "system",
                                     .iterations = 60,
                                     .kappa = 5e-7};
static const paced_problem_t matrix = {.generate = "-n 20000 -z 15 -d 1.0001",
                                       .arguments = "-i 60 -t 0",
                                       .file = "matrix.mtx",
                                       .iterations = 60,
                                       .kappa = 8e-6};

/* The share of the possible saving over the whole run. */
static double measure(const char *dir, const paced_program_t *program,
                      const paced_problem_t *problem)
{
    series_t plain = {0}, learning = {0}, known = {0};
    double ideal = 0;
    paced_build(dir, program);
    paced_generate(dir, program, problem);
    for (int i = 0; i < START_ROUNDS; i++) {
        paced_result_t result = paced_run(dir, program, problem, &balance_cluster, "plain", "");
        ideal = result.ideal;
        series_add(&plain, result.seconds);
        char *record = measure_text("%s XMPI_RECORD=profile", BALANCE_DEDICATED);
        result = paced_run(dir, program, problem, &balance_cluster, "adaptive", record);
        series_add(&learning, result.seconds);
        free(record);
        result = paced_run(dir, program, problem, &balance_cluster, "adaptive",
                           BALANCE_DEDICATED " XMPI_PROFILE=profile");
        series_add(&known, result.seconds);
    }
    double equal = series_median(&plain), possible = equal - ideal;
    double share = (equal - series_median(&known)) / possible;
    char *name = measure_text("start.%s.share_of_possible", program->name);
    measure_figure(name, share, "ratio");
    free(name);
    name = measure_text("start.%s.unknown.share_of_possible", program->name);
    measure_figure(name, (equal - series_median(&learning)) / possible, "ratio");
    free(name);
    series_free(&plain);
    series_free(&learning);
    series_free(&known);
    return share;
}

int main(void)
{
    char *dir = measure_begin("start");
    double jacobi = measure(dir, &paced_jacobi, &rows);
    measure_figure("start.share_of_possible", fmin(jacobi, measure(dir, &paced_cg, &matrix)),
                   "ratio");
    free(dir);
    return 0;
}
