/* SPDX-License-Identifier: BSD-3-Clause
 * Measures how near load balancing comes to the ideal: jacobi on one PE of each of the thesis's
 * classes (Table 6.4), emulated, with equal blocks and adaptive in turns. The ideal is all work
 * divided by all speed, without communication. */
#define _GNU_SOURCE
#include "bench/jacobi.h"

enum { ORDER = 2000, ITERATIONS = 100, MEMBERS = 4, INTERVAL = 2, ROUNDS = 2 };

/* An iteration takes some 160 ms with equal blocks: much longer than it takes a busy machine to
 * give a core to a process that wakes up, and than the real computation of 1 or 2 ms. */
static const double kappa = 3e-7;
static const double total_speed = 1.90 + 2.25 + 2.90 + 4.62;
static const char speeds[] = "C1=1.90,C7=2.25,C6=2.90,C8=4.62";
static const char machines[] = "n1:C1:1\nn2:C7:1\nn3:C6:1\nn4:C8:1\n";

/* From the end of the first rebalance to the end of the loop, with all that happens there. */
static double seconds_per_iteration(const jacobi_t *jacobi)
{
    const cJSON *event, *first = NULL, *end = NULL;
    cJSON *events = trace_events(jacobi->dir, "trace");
    cJSON_ArrayForEach(event, events)
    {
        if (first == NULL && trace_is_done(event) && trace_is(event, "kind", "rebalance"))
            first = event;
        if (trace_is(event, "event", "end"))
            end = event;
    }
    if (first == NULL || end == NULL)
        measure_fail("no rebalance or no end in %s/trace", jacobi->dir);
    double seconds = trace_number(end, "time") - trace_number(first, "time");
    double iterations = trace_number(end, "iterations") - trace_number(first, "iteration");
    cJSON_Delete(events);
    return seconds / iterations;
}

int main(void)
{
    char *dir = measure_begin("balance");
    jacobi_t jacobi = {dir, ORDER, ITERATIONS, MEMBERS, speeds, kappa};
    series_t plain = {0}, adaptive = {0}, after = {0};
    char *settings = measure_text("XMPI_POLICY=balance XMPI_COUNTER=work XMPI_INTERVAL=%d "
                                  "XMPI_TRACE=trace",
                                  INTERVAL);
    jacobi_build(&jacobi);
    measure_write(dir, "machines", machines);
    for (int i = 0; i < ROUNDS; i++) {
        series_add(&plain, jacobi_run(&jacobi, "plain", ""));
        series_add(&adaptive, jacobi_run(&jacobi, "adaptive", settings));
        series_add(&after, seconds_per_iteration(&jacobi));
    }
    double per_iteration = kappa * ORDER * ORDER / total_speed, ideal = ITERATIONS * per_iteration;
    double equal = series_median(&plain), balanced = series_median(&adaptive);
    measure_figure("balance.jacobi.static.s", equal, "s");
    measure_figure("balance.jacobi.adaptive.s", balanced, "s");
    measure_figure("balance.jacobi.ideal.s", ideal, "s");
    measure_figure("balance.jacobi.over_ideal", series_median(&after) / per_iteration, "ratio");
    measure_figure("balance.jacobi.share_of_possible", (equal - balanced) / (equal - ideal),
                   "ratio");
    series_free(&plain);
    series_free(&adaptive);
    series_free(&after);
    free(settings);
    free(dir);
    return 0;
}
