/* SPDX-License-Identifier: BSD-3-Clause
 * What iterations took before the first change: of a program that is warm, or nothing. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "decide/model/baseline.h"

typedef struct {
    int64_t iterations;
    double seconds;
} interval_t;

enum { MOST = 8 };

static void what_is_not_like_the_rest_is_left_out(void **state)
{
    static const struct {
        interval_t interval[MOST];
        double wanted; /* of an iteration; 0: not known */
    } cases[] = {
        {{{0}}, 0},
        {{{1, 0.011}}, 0},                          /* the first says nothing */
        {{{1, 0.011}, {1, 0.006}}, 0},              /* nor does a warm-up */
        {{{1, 0.011}, {1, 0.006}, {2, 0.0008}}, 0}, /* that was too short */
        {{{1, 0.011}, {1, 0.006}, {2, 0.0008}, {60, 0.024}}, 0.0248 / 62},
        {{{1, 9}, {1, 0.2}, {1, 0.3}, {1, 0.2}}, 0}, /* a few are alike by chance */
        {{{1, 9}, {2, 0.2}, {2, 0.3}, {4, 0.4}}, 0.1125},
        {{{1, 9}, {1, 2}}, 2},                                /* which is long enough */
        {{{100, 9}, {100, 2}, {100, 4}, {100, 2}}, 8. / 300}, /* steps of the load are no warm-up */
        {{{1, 9}, {10, 1}, {10, 5}, {10, 1}}, 0.1},
        {{{1, 1}, {4, 0}}, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        xmpi_baseline_t baseline = {0};
        for (int k = 0; k < MOST && cases[i].interval[k].iterations > 0; k++)
            xmpi_baseline_add(&baseline, cases[i].interval[k].iterations,
                              cases[i].interval[k].seconds);
        double seconds = xmpi_baseline_seconds(&baseline);
        if (fabs(seconds - cases[i].wanted) > 1e-12)
            fail_msg("case %zu: %g instead of %g", i, seconds, cases[i].wanted);
    }
}

static void any_number_of_intervals_has_room(void **state)
{
    enum { MANY = 1000 };
    xmpi_baseline_t baseline = {0};
    (void)state;
    for (int i = 0; i <= MANY; i++)
        xmpi_baseline_add(&baseline, 2, i == 0 ? 100 : 1 + (double)i / MANY);
    assert_true(baseline.intervals <= XMPI_BASELINE_MAX);
    assert_true(fabs(xmpi_baseline_seconds(&baseline) - (1 + (MANY + 1.) / 2 / MANY) / 2) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_like_the_rest_is_left_out),
        cmocka_unit_test(any_number_of_intervals_has_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
