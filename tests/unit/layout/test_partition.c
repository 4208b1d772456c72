/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the division of the domain into blocks. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "decide/partition/partition.h"

static double makespan(int n, const double *speeds, const int64_t *counts)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, (double)counts[i] / speeds[i]);
    return most;
}

/* The smallest makespan of all divisions of REST rows among members FROM to N - 1, where each gets
 * at least LEAST rows. */
static double brute_force(int n, const double *speeds, int from, int64_t rest, int64_t least,
                          int64_t *counts)
{
    double best = INFINITY;
    if (from == n - 1) {
        counts[from] = rest;
        return rest >= least ? makespan(n, speeds, counts) : INFINITY;
    }
    for (counts[from] = least; counts[from] <= rest; counts[from]++) {
        int64_t chosen = counts[from];
        best = fmin(best, brute_force(n, speeds, from + 1, rest - chosen, least, counts));
        counts[from] = chosen;
    }
    return best;
}

static void makespan_is_the_smallest_possible(void **state)
{
    (void)state;
    srand(7);
    for (int round = 0; round < 3000; round++) {
        int n = 1 + rand() % 4;
        int64_t domain = rand() % 13, counts[4], tried[4];
        double speeds[4];
        xmpi_block_t blocks[4];
        for (int i = 0; i < n; i++)
            speeds[i] = 0.5 + (double)(rand() % 1000) / 100;
        assert_int_equal(xmpi_partition_proportional(domain, n, speeds, blocks), XMPI_OK);
        for (int i = 0; i < n; i++)
            counts[i] = blocks[i].count;
        double best = brute_force(n, speeds, 0, domain, domain >= n ? 1 : 0, tried);
        if (makespan(n, speeds, counts) > best * (1 + 1e-12))
            fail_msg("round %d: makespan %g, possible %g", round, makespan(n, speeds, counts),
                     best);
    }
}

static void blocks_cover_the_domain(void **state)
{
    (void)state;
    srand(11);
    for (int round = 0; round < 500; round++) {
        int n = 1 + rand() % 60;
        int64_t domain = rand() % 100000;
        double speeds[60];
        xmpi_block_t blocks[60];
        xmpi_error_t error;
        for (int i = 0; i < n; i++)
            speeds[i] = exp((double)(rand() % 2000) / 100 - 10);
        assert_int_equal(xmpi_partition_proportional(domain, n, speeds, blocks), XMPI_OK);
        assert_int_equal(xmpi_blocks_check(domain, n, blocks, &error), XMPI_OK);
        for (int i = 0; i < n && domain >= n; i++)
            assert_true(blocks[i].count > 0);
    }
}

static void shares_follow_the_thesis_classes(void **state)
{
    (void)state;
    const double speeds[4] = {1.90, 2.25, 2.90, 4.62}; /* thesis, Table 6.4 */
    xmpi_block_t blocks[4];
    assert_int_equal(xmpi_partition_proportional(1167, 4, speeds, blocks), XMPI_OK);
    assert_int_equal(blocks[0].count, 190);
    assert_int_equal(blocks[1].count, 225);
    assert_int_equal(blocks[2].count, 290);
    assert_int_equal(blocks[3].count, 462);
    assert_int_equal(blocks[3].displ, 705);
}

static void speeds_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    const double bad[] = {0, -1, NAN, INFINITY};
    xmpi_block_t blocks[2];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double speeds[2] = {1, bad[i]};
        assert_int_equal(xmpi_partition_proportional(10, 2, speeds, blocks), XMPI_ERR_INPUT);
    }
}

/* --- rows of unequal weight -------------------------------------------------------------- */

enum { ROWS = 24, MEMBERS = 8, MANY_ROWS = 3000, MANY_MEMBERS = 300 };

typedef struct {
    int64_t domain;
    int n;
    double prefix[MANY_ROWS + 1];
    double speeds[MANY_MEMBERS];
    xmpi_block_t blocks[MANY_MEMBERS];
} rows_t;

static double time_of(const rows_t *r, int i, int64_t begin, int64_t end)
{
    return (r->prefix[end] - r->prefix[begin]) / r->speeds[i];
}

static double makespan_of(const rows_t *r, const xmpi_block_t *blocks)
{
    double most = 0;
    for (int i = 0; i < r->n; i++)
        most = fmax(most, time_of(r, i, blocks[i].displ, blocks[i].displ + blocks[i].count));
    return most;
}

static double unit(void)
{
    return (double)rand() / ((double)RAND_MAX + 1);
}

/* A weight of one of the KINDs: whole, any, heavy-tailed, mostly none, one of two, over magnitudes,
 * alike. */
static double random_weight(int kind)
{
    switch (kind) {
    case 0:
        return rand() % 10;
    case 1:
        return unit();
    case 2:
        return pow(1 - unit(), -1.5);
    case 3:
        return rand() % 4 == 0 ? unit() : 0;
    case 4:
        return rand() % 3 == 0 ? 100 : 1;
    case 5:
        return exp(40 * unit() - 20);
    default:
        return 0.1;
    }
}

static double random_speed(int kind)
{
    switch (kind) {
    case 0:
        return 1;
    case 1:
        return 1 + rand() % 4;
    case 2:
        return rand() % 3 == 0 ? 0.01 + unit() : 100;
    default:
        return exp(12 * unit() - 6);
    }
}

static void random_rows(rows_t *r, int64_t domain, int n)
{
    double weights[MANY_ROWS];
    int weight_kind = rand() % 7, speed_kind = rand() % 4;
    r->domain = domain;
    r->n = n;
    for (int64_t row = 0; row < domain; row++)
        weights[row] = random_weight(weight_kind);
    xmpi_prefix_sums(domain, weights, r->prefix);
    for (int i = 0; i < n; i++)
        r->speeds[i] = random_speed(speed_kind);
}

static void divide(rows_t *r)
{
    xmpi_error_t error = {""};
    assert_int_equal(
        xmpi_partition_weighted(r->domain, r->prefix, r->n, r->speeds, r->blocks, &error), XMPI_OK);
    assert_int_equal(xmpi_blocks_check(r->domain, r->n, r->blocks, &error), XMPI_OK);
    for (int i = 0; i < r->n && r->domain >= r->n; i++)
        assert_true(r->blocks[i].count > 0);
}

/* The smallest makespan of all divisions, from those of the first members to those of all. */
static double smallest_makespan(const rows_t *r)
{
    static double best[MANY_ROWS + 1], next[MANY_ROWS + 1];
    int64_t least = r->domain >= r->n;
    for (int64_t end = 0; end <= r->domain; end++)
        best[end] = end == 0 ? 0 : INFINITY;
    for (int i = 0; i < r->n; i++) {
        for (int64_t end = 0; end <= r->domain; end++) {
            next[end] = INFINITY;
            for (int64_t begin = 0; begin + least <= end; begin++)
                next[end] = fmin(next[end], fmax(best[begin], time_of(r, i, begin, end)));
        }
        memcpy(best, next, sizeof best);
    }
    return best[r->domain];
}

static void assert_optimal(rows_t *r, unsigned seed, int round)
{
    divide(r);
    double makespan = makespan_of(r, r->blocks), possible = smallest_makespan(r);
    if (makespan != possible)
        fail_msg("seed %u, round %d: %d rows, %d members: makespan %.17g, possible %.17g", seed,
                 round, (int)r->domain, r->n, makespan, possible);
}

/* To the last bit; in every run with other cases, or with those of TEST_SEED. */
static void weighted_makespan_is_the_smallest_possible(void **state)
{
    (void)state;
    static rows_t r;
    const char *given = getenv("TEST_SEED");
    unsigned seed = given != NULL ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
    print_message("seed %u\n", seed);
    srand(seed);
    for (int round = 0; round < 100000; round++) {
        int n = 1 + rand() % MEMBERS;
        random_rows(&r, rand() % (ROWS + 1), n);
        assert_optimal(&r, seed, round);
    }
    for (int round = 0; round < 30; round++) {
        random_rows(&r, 100 + rand() % 200, 2 + rand() % 60);
        assert_optimal(&r, seed, round);
    }
}

static void weighted_is_never_worse_than_proportional(void **state)
{
    (void)state;
    static rows_t r;
    xmpi_block_t proportional[MANY_MEMBERS];
    srand(13);
    for (int round = 0; round < 2000; round++) {
        random_rows(&r, rand() % MANY_ROWS, 1 + rand() % MANY_MEMBERS);
        divide(&r);
        assert_int_equal(xmpi_partition_proportional(r.domain, r.n, r.speeds, proportional),
                         XMPI_OK);
        assert_true(makespan_of(&r, r.blocks) <= makespan_of(&r, proportional));
    }
}

static void rows_of_weight_one_are_divided_in_proportion(void **state)
{
    (void)state;
    static rows_t r;
    srand(17);
    for (int round = 0; round < 500; round++) {
        xmpi_block_t proportional[MANY_MEMBERS];
        random_rows(&r, MANY_MEMBERS + rand() % 1000, 1 + rand() % MANY_MEMBERS);
        for (int64_t row = 0; row <= r.domain; row++)
            r.prefix[row] = (double)row;
        divide(&r);
        assert_int_equal(xmpi_partition_proportional(r.domain, r.n, r.speeds, proportional),
                         XMPI_OK);
        assert_true(makespan_of(&r, r.blocks) == makespan_of(&r, proportional));
    }
}

/* The first member could do four rows, but then the next one, slow, would have to begin with a
 * heavy row: it is to have row 2, which weighs nothing. */
static void slow_member_gets_a_row_it_can_do(void **state)
{
    (void)state;
    rows_t *r = calloc(1, sizeof *r);
    const double weights[] = {4, 4, 0, 4, 50, 4}, speeds[] = {10, 0.01, 10};
    assert_non_null(r);
    r->domain = 6;
    r->n = 3;
    xmpi_prefix_sums(r->domain, weights, r->prefix);
    memcpy(r->speeds, speeds, sizeof speeds);
    divide(r);
    assert_int_equal(r->blocks[1].displ, 2);
    assert_int_equal(r->blocks[1].count, 1);
    free(r);
}

static void no_weight_and_no_rows_are_divided(void **state)
{
    (void)state;
    rows_t *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->n = 5;
    for (int i = 0; i < r->n; i++)
        r->speeds[i] = 1 + i;
    for (r->domain = 0; r->domain < 20; r->domain++) {
        divide(r);
        assert_true(makespan_of(r, r->blocks) == 0);
    }
    free(r);
}

/* Times from the smallest double to an infinite one. */
static void extreme_magnitudes_end_at_the_optimum(void **state)
{
    (void)state;
    static rows_t r;
    const double extremes[] = {0, 5e-324, 1e-300, 1, 1e300};
    srand(19);
    for (int round = 0; round < 5000; round++) {
        double weights[ROWS];
        r.domain = rand() % ROWS;
        r.n = 1 + rand() % MEMBERS;
        for (int64_t row = 0; row < r.domain; row++)
            weights[row] = extremes[rand() % 5];
        xmpi_prefix_sums(r.domain, weights, r.prefix);
        for (int i = 0; i < r.n; i++)
            r.speeds[i] = extremes[1 + rand() % 4];
        assert_optimal(&r, 19, round);
    }
}

static void assert_refused(int64_t domain, const double *prefix, int n, const double *speeds,
                           const char *what)
{
    xmpi_block_t blocks[3] = {{7, 7}, {7, 7}, {7, 7}};
    xmpi_error_t error = {""};
    assert_int_equal(xmpi_partition_weighted(domain, prefix, n, speeds, blocks, &error),
                     XMPI_ERR_INPUT);
    if (strstr(error.text, what) == NULL || strchr(error.text, '\n') != NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.text, what);
    assert_int_equal(blocks[0].count, 7);
}

static void weights_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    const double good[] = {0, 1, 1, 4}, falling[] = {0, 3, 2, 4}, not_zero[] = {1, 2, 3, 4};
    const double no_number[] = {0, 1, NAN, 4}, infinite[] = {0, 1, INFINITY, INFINITY};
    const double nan_first[] = {NAN, 1, 2, 3};
    const double speeds[] = {1, 2, 3}, zero[] = {1, 0, 3}, negative[] = {-1, 2, 3};
    const double speed_nan[] = {1, 2, NAN}, speed_infinite[] = {1, INFINITY, 3};
    assert_refused(3, falling, 3, speeds, "the weight of row 1 is -1");
    assert_refused(3, no_number, 3, speeds, "the weight of row 1 is");
    assert_refused(3, infinite, 3, speeds, "infinite");
    assert_refused(3, not_zero, 3, speeds, "the sum before row 0 is 1");
    assert_refused(3, nan_first, 3, speeds, "the sum before row 0 is");
    assert_refused(-1, good, 3, speeds, "-1 rows");
    assert_refused(3, good, 0, speeds, "0 members");
    assert_refused(3, good, 3, zero, "the speed of member 1 is 0");
    assert_refused(3, good, 3, negative, "the speed of member 0 is -1");
    assert_refused(3, good, 3, speed_nan, "the speed of member 2 is");
    assert_refused(3, good, 3, speed_infinite, "the speed of member 1 is inf");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makespan_is_the_smallest_possible),
        cmocka_unit_test(blocks_cover_the_domain),
        cmocka_unit_test(shares_follow_the_thesis_classes),
        cmocka_unit_test(speeds_that_make_no_sense_are_refused),
        cmocka_unit_test(weighted_makespan_is_the_smallest_possible),
        cmocka_unit_test(weighted_is_never_worse_than_proportional),
        cmocka_unit_test(rows_of_weight_one_are_divided_in_proportion),
        cmocka_unit_test(slow_member_gets_a_row_it_can_do),
        cmocka_unit_test(no_weight_and_no_rows_are_divided),
        cmocka_unit_test(extreme_magnitudes_end_at_the_optimum),
        cmocka_unit_test(weights_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
