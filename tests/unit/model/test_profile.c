/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of profile files: what is recorded is read, and each mistake gives a line with its place.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/command.h"
#include "files/profile_file.h"

static char *dir, path[512];

static const xmpi_profile_origin_t origin = {1280, "sub/loop.c:12", "work", "a processor, 2 cores"};

static int make_dir(void **state)
{
    (void)state;
    dir = scratch_make();
    snprintf(path, sizeof path, "%s/profile", dir);
    return 0;
}

static int remove_dir(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

static void what_is_recorded_is_read(void **state)
{
    (void)state;
    xmpi_profile_t profile;
    xmpi_error_t error;
    assert_int_equal(xmpi_profile_begin(path, &origin, &error), XMPI_OK);
    for (int i = 1; i <= 200; i++)
        assert_int_equal(
            xmpi_profile_append(path, (xmpi_profile_point_t){10 * i, 2.5 * i}, NULL, &error),
            XMPI_OK);
    assert_int_equal(xmpi_profile_read(path, &profile, &error), XMPI_OK);
    assert_int_equal(profile.points, 200);
    assert_true(xmpi_profile_work(&profile, 0, 2000) == 500);
    assert_true(xmpi_profile_work(&profile, 15, 35) == 5);
    assert_null(profile.parts);
    xmpi_profile_free(&profile);
}

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-3 * fabs(expected) + 1e-9))
        fail_msg("%.12g instead of %.12g", value, expected);
}

/* Two members of 640 rows each. First all work is in the first quarter of the domain, then in the
 * second half; the rows of one part weigh 0, 1, 2, 3 and 4. */
static void where_the_work_is_is_recorded_too(void **state)
{
    (void)state;
    enum { ROWS = 10 * XMPI_PROFILE_PARTS, HALF = ROWS / 2 };
    xmpi_block_t block[2] = {{HALF, 0}, {HALF, HALF}};
    xmpi_profile_parts_t first = {{0}}, second = {{0}};
    xmpi_profile_t profile;
    xmpi_error_t error;
    double weight[HALF], before[XMPI_PROFILE_PARTS + 1];
    for (int i = 0; i < HALF; i++)
        weight[i] = i < ROWS / 4 ? 1 : 0;
    xmpi_profile_add_rows(&first, ROWS, &block[0], weight, weight, 60);
    for (int i = 0; i < HALF; i++)
        weight[i] = i % 5;
    xmpi_profile_add_rows(&second, ROWS, &block[1], weight, weight, 40);
    assert_int_equal(xmpi_profile_begin(path, &origin, &error), XMPI_OK);
    assert_int_equal(xmpi_profile_append(path, (xmpi_profile_point_t){10, 60}, &first, &error),
                     XMPI_OK);
    assert_int_equal(xmpi_profile_append(path, (xmpi_profile_point_t){20, 100}, &second, &error),
                     XMPI_OK);
    assert_int_equal(xmpi_profile_read(path, &profile, &error), XMPI_OK);
    assert_true(xmpi_profile_shares(&profile, 0, 10, before));
    near(xmpi_profile_share(before, ROWS, &block[0]), 1);
    near(xmpi_profile_share(before, ROWS, &(xmpi_block_t){ROWS / 8, 0}), 0.5);
    assert_true(xmpi_profile_shares(&profile, 10, 20, before));
    near(xmpi_profile_share(before, ROWS, &block[0]), 0);
    assert_true(xmpi_profile_shares(&profile, 5, 15, before)); /* 30 and 20 */
    near(xmpi_profile_share(before, ROWS, &block[0]), 0.6);
    near(xmpi_profile_share(before, ROWS, &(xmpi_block_t){HALF / 2, HALF}), 0.2);
    assert_true(xmpi_profile_shares(&profile, 20, 30, before)); /* as before */
    near(xmpi_profile_share(before, ROWS, &block[1]), 1);
    near(xmpi_profile_work(&profile, 20, 30), 40);
    xmpi_profile_free(&profile);
}

/* All work is in the first half of the domain, and then in the second: who divided it by where it
 * was has one of two members do all of it. Work that stays where it is is divided evenly. */
static void work_that_wanders_takes_longer(void **state)
{
    (void)state;
    static xmpi_profile_parts_t parts[3];
    xmpi_profile_point_t point[] = {{10, 100}, {20, 200}, {30, 300}};
    xmpi_profile_t profile = {.points = 3, .point = point, .parts = parts};
    static const double speeds[] = {1, 1}, unequal[] = {1, 3};
    for (int i = 0; i < XMPI_PROFILE_PARTS; i++) {
        bool first = i < XMPI_PROFILE_PARTS / 2;
        parts[0].work[i] = first ? 200. / XMPI_PROFILE_PARTS : 0;
        parts[1].work[i] = 200. / XMPI_PROFILE_PARTS;
        parts[2].work[i] = (first ? 200. : 400.) / XMPI_PROFILE_PARTS;
    }
    near(xmpi_profile_imbalance(&profile, 10, 20, 10, 2, speeds), 2);
    near(xmpi_profile_imbalance(&profile, 10, 20, 10, 2, unequal), 4. / 3);
    near(xmpi_profile_imbalance(&profile, 20, 30, 10, 2, speeds), 1);
    near(xmpi_profile_imbalance(&profile, 10, 30, 10, 2, speeds), 1.5);
    profile.parts = NULL;
    near(xmpi_profile_imbalance(&profile, 10, 30, 10, 2, speeds), 1);
}

/* --- long intervals ----------------------------------------------------------------------------
 */

/* Work that wanders: a hump over a base, which goes through the rows at an even pace. */
enum { WANDER_ROWS = 10 * XMPI_PROFILE_PARTS, WANDER_MEMBERS = 4, WANDER_ITERATIONS = 400 };

static const double pace = 1.5, width = 120, base = 0.2; /* rows */

/* Of ROW before iteration AT. */
static double wandering_weight(int64_t row, double at)
{
    double from_middle = ((double)row - 320 - pace * at) / width;
    return base + exp(-from_middle * from_middle / 2);
}

static void weigh_block(const xmpi_block_t *block, double at, double *weight)
{
    for (int64_t i = 0; i < block->count; i++)
        weight[i] = wandering_weight(block->displ + i, at);
}

/* Adds what a member records of an interval: all that it did, and what its rows weigh at its begin
 * and end. */
static double record_block(const xmpi_block_t *block, int begin, int interval,
                           xmpi_profile_parts_t *parts)
{
    static double first[WANDER_ROWS], last[WANDER_ROWS];
    double work = 0;
    for (int at = begin; at < begin + interval; at++) {
        weigh_block(block, at, first);
        for (int64_t i = 0; i < block->count; i++)
            work += first[i];
    }
    weigh_block(block, begin, first);
    weigh_block(block, begin + interval, last);
    xmpi_profile_add_rows(parts, WANDER_ROWS, block, first, last, work);
    return work;
}

/* The profile that is recorded with intervals of so many iterations. */
static void record_wandering(int interval, xmpi_profile_t *profile, xmpi_profile_point_t *point,
                             xmpi_profile_parts_t *parts)
{
    const int64_t rows = WANDER_ROWS / WANDER_MEMBERS;
    double work = 0;
    *profile =
        (xmpi_profile_t){.points = WANDER_ITERATIONS / interval, .point = point, .parts = parts};
    for (int k = 0; k < profile->points; k++) {
        memset(&parts[k], 0, sizeof parts[k]);
        if (k > 0)
            parts[k] = parts[k - 1];
        for (int i = 0; i < WANDER_MEMBERS; i++)
            work +=
                record_block(&(xmpi_block_t){rows, i * rows}, k * interval, interval, &parts[k]);
        point[k] = (xmpi_profile_point_t){(int64_t)(k + 1) * interval, work};
    }
}

/* What intervals of so many iterations may be mistaken by in the work of a row in an iteration. The
 * mean of the weights at both ends of an interval differs from the true one by a twelfth of the
 * square of its length and the second derivative (trapezoidal rule), and by half an iteration and
 * the first, as the last weights are those of the next iteration. All of a block is right, so that
 * its rows may be wrong once more by what its others are. */
static double allowed(double interval)
{
    double first = pace / width * exp(-0.5), second = pace / width * pace / width;
    return 2 * (interval * interval / 12 * second + first / 2);
}

static void long_intervals_record_where_work_wanders(void **state)
{
    (void)state;
    enum { SHORT = 5, LONG = 50, TIMES = LONG / SHORT };
    static xmpi_profile_point_t short_point[WANDER_ITERATIONS / SHORT];
    static xmpi_profile_point_t long_point[WANDER_ITERATIONS / LONG];
    static xmpi_profile_parts_t short_parts[WANDER_ITERATIONS / SHORT];
    static xmpi_profile_parts_t long_parts[WANDER_ITERATIONS / LONG];
    const double rows = (double)WANDER_ROWS / XMPI_PROFILE_PARTS;
    const double most = rows * LONG * (allowed(SHORT) + allowed(LONG));
    xmpi_profile_t of_short, of_long;
    record_wandering(SHORT, &of_short, short_point, short_parts);
    record_wandering(LONG, &of_long, long_point, long_parts);
    for (int k = 0; k < of_long.points; k++)
        for (int i = 0; i < XMPI_PROFILE_PARTS; i++) {
            double one = short_parts[(k + 1) * TIMES - 1].work[i], other = long_parts[k].work[i];
            if (k > 0) {
                one -= short_parts[k * TIMES - 1].work[i];
                other -= long_parts[k - 1].work[i];
            }
            if (fabs(one - other) > most)
                fail_msg("interval %d, part %d: %g and %g differ by more than %g", k, i, one, other,
                         most);
        }
}

/* Who divides the work of the last iteration is behind by as much with each profile. The hump is
 * wider in one of long intervals, by the variances of all of what an interval goes through and of
 * its two ends, and flatter by as much at most. */
static void long_intervals_tell_what_wandering_costs(void **state)
{
    (void)state;
    enum { SHORT = 5, LONG = 50 };
    static xmpi_profile_point_t short_point[WANDER_ITERATIONS / SHORT];
    static xmpi_profile_point_t long_point[WANDER_ITERATIONS / LONG];
    static xmpi_profile_parts_t short_parts[WANDER_ITERATIONS / SHORT];
    static xmpi_profile_parts_t long_parts[WANDER_ITERATIONS / LONG];
    static const double speeds[WANDER_MEMBERS] = {1, 1, 1, 1};
    const double through = pace * LONG / width * pace * LONG / width;
    const double flatter = through / 12 + through / 4;
    xmpi_profile_t of_short, of_long;
    record_wandering(SHORT, &of_short, short_point, short_parts);
    record_wandering(LONG, &of_long, long_point, long_parts);
    for (int interval = 5; interval <= LONG; interval *= 10) {
        double one = xmpi_profile_imbalance(&of_short, 100, 300, interval, WANDER_MEMBERS, speeds);
        double other = xmpi_profile_imbalance(&of_long, 100, 300, interval, WANDER_MEMBERS, speeds);
        assert_true(one > 1.01);
        if (fabs(other - one) > flatter * (one - 1))
            fail_msg("divided every %d iterations: %g and %g differ by more than a share of %g",
                     interval, one, other, flatter);
    }
}

static void assert_refused(const char *text, const char *place)
{
    xmpi_profile_t profile;
    xmpi_error_t error = {""};
    write_file(path, text);
    assert_int_equal(xmpi_profile_read(path, &profile, &error), XMPI_ERR_INPUT);
    if (strstr(error.text, place) == NULL)
        fail_msg("message \"%s\" has no \"%s\"", error.text, place);
    assert_null(profile.point);
}

/* The last speed of a class counts, on the machine that it was measured on. */
static void what_it_is_of_is_recorded(void **state)
{
    (void)state;
    xmpi_profile_t profile;
    xmpi_profile_origin_t here = origin;
    xmpi_error_t error;
    char why[400];
    assert_int_equal(xmpi_profile_begin(path, &origin, &error), XMPI_OK);
    for (int i = 1; i <= 3; i++) {
        xmpi_class_speed_t class = {"fast", 10. * i}, other = {"slow", i};
        xmpi_profile_append(path, (xmpi_profile_point_t){10 * i, 2.5 * i}, NULL, &error);
        assert_int_equal(xmpi_profile_append_class(path, &class, &error), XMPI_OK);
        assert_int_equal(xmpi_profile_append_class(path, &other, &error), XMPI_OK);
    }
    assert_int_equal(xmpi_profile_read(path, &profile, &error), XMPI_OK);
    assert_int_equal(profile.points, 3);
    assert_true(xmpi_profile_is_of(&profile, &here, why, sizeof why));
    near(xmpi_profile_speed(&profile, &here, "fast"), 30);
    near(xmpi_profile_speed(&profile, &here, "slow"), 3);
    near(xmpi_profile_speed(&profile, &here, "other"), 0);
    strcpy(here.machine, "another");
    near(xmpi_profile_speed(&profile, &here, "fast"), 0);
    assert_true(xmpi_profile_is_of(&profile, &here, why, sizeof why));
    strcpy(here.loop, "loop.c:13");
    assert_false(xmpi_profile_is_of(&profile, &here, why, sizeof why));
    assert_string_equal(why, "it is of the loop sub/loop.c:12");
    xmpi_profile_free(&profile);
}

/* What rows weigh is recorded by parts of the domain, which need not be whole rows, and again when
 * it is known better. */
static void what_rows_weigh_is_recorded(void **state)
{
    enum { ROWS = 100 };
    (void)state;
    xmpi_profile_t profile;
    xmpi_profile_parts_t parts;
    xmpi_error_t error;
    double prefix[ROWS + 1] = {0}, before[XMPI_PROFILE_PARTS + 1];
    const xmpi_block_t heavy = {.count = 30, .displ = 20};
    for (int i = 0; i < ROWS; i++)
        prefix[i + 1] = prefix[i] + (i >= 20 && i < 50 ? 8 : 1);
    assert_int_equal(xmpi_profile_begin(path, &origin, &error), XMPI_OK);
    assert_int_equal(xmpi_profile_append(path, (xmpi_profile_point_t){10, 60}, NULL, &error),
                     XMPI_OK);
    for (int i = 0; i < XMPI_PROFILE_PARTS; i++)
        parts.work[i] = 1;
    assert_int_equal(xmpi_profile_append_weights(path, &parts, &error), XMPI_OK);
    xmpi_profile_take_weights(prefix, ROWS, &parts);
    assert_int_equal(xmpi_profile_append_weights(path, &parts, &error), XMPI_OK);
    assert_int_equal(xmpi_profile_read(path, &profile, &error), XMPI_OK);
    assert_true(xmpi_profile_weights(&profile, before));
    double share = xmpi_profile_share(before, ROWS, &heavy);
    if (fabs(share - 240. / 310) > 0.02)
        fail_msg("rows with %g of the work have %g of the weights", 240. / 310, share);
    assert_false(xmpi_profile_shares(&profile, 0, 10, before)); /* that is something else */
    profile.weighed = false;
    assert_false(xmpi_profile_weights(&profile, before));
    xmpi_profile_free(&profile);
}

static void texts_fit_in_a_line(void **state)
{
    (void)state;
    char text[XMPI_PROFILE_TEXT];
    xmpi_profile_text(text, "  a # of\nCPU \t");
    assert_string_equal(text, "a   of CPU");
}

static void mistakes_are_refused(void **state)
{
    (void)state;
    assert_refused("", "empty");
    assert_refused("# nothing\n", "empty");
    assert_refused("1 2\n2\n", ":2:");
    assert_refused("1 2\n2 3 4\n", ":2:");
    assert_refused("1 2 x\n", ":1:");
    assert_refused("1 2\n\n2 1\n", ":3:");
    assert_refused("1 2\n1 3\n", ":2:");
    assert_refused("0 2\n", ":1:");
    assert_refused("1 nan\n", ":1:");
    assert_refused("1 inf\n", ":1:");
    assert_refused("1 -3\n", ":1:");
    assert_refused("domain 0\n1 2\n", ":1:");
    assert_refused("domain many\n1 2\n", ":1:");
    assert_refused("1 2\nclass a\n", ":2:");
    assert_refused("1 2\nclass a 0\n", ":2:");
    assert_refused("1 2\nclass a nan\n", ":2:");
    assert_refused("1 2\nclass a 3 4\n", ":2:");
    assert_refused("1 2\nweights 1 2 3\n", ":2:");
    assert_refused("classes 3\n1 2\n", ":1:");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_recorded_is_read),
        cmocka_unit_test(where_the_work_is_is_recorded_too),
        cmocka_unit_test(work_that_wanders_takes_longer),
        cmocka_unit_test(long_intervals_record_where_work_wanders),
        cmocka_unit_test(long_intervals_tell_what_wandering_costs),
        cmocka_unit_test(what_it_is_of_is_recorded),
        cmocka_unit_test(what_rows_weigh_is_recorded),
        cmocka_unit_test(texts_fit_in_a_line),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
