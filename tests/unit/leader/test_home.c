/* SPDX-License-Identifier: BSD-3-Clause
 * What the division of rows loses is bounded. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "decide/leader/home.h"

enum { MEMBERS = 2, ROWS = 100 };

typedef struct {
    xmpi_member_t member[MEMBERS];
    xmpi_layout_t layout;
    xmpi_sample_t sample[MEMBERS];
    xmpi_home_t home;
} scene_t;

static void divide(scene_t *s, int64_t first)
{
    s->member[0].block = (xmpi_block_t){.count = first, .displ = 0};
    s->member[1].block = (xmpi_block_t){.count = ROWS - first, .displ = first};
    s->layout = (xmpi_layout_t){.domain = ROWS, .members = MEMBERS, .member = s->member};
}

/* An interval of 10 iterations in which a row takes so many seconds with either member. */
static void interval(scene_t *s, double one, double other, const double *prefix, int64_t remaining)
{
    const double row[MEMBERS] = {one, other};
    double longest = 0;
    for (int i = 0; i < MEMBERS; i++) {
        const xmpi_block_t *block = &s->member[i].block;
        double rows = prefix != NULL ? prefix[block->displ + block->count] - prefix[block->displ]
                                     : (double)block->count;
        s->sample[i] = (xmpi_sample_t){.iterations = 10, .computation = 10 * row[i] * rows};
        longest = fmax(longest, s->sample[i].computation);
    }
    for (int i = 0; i < MEMBERS; i++)
        s->sample[i].wall = longest;
    xmpi_home_note(&s->home, &s->layout, s->sample, prefix, remaining);
}

/* Whatever the loads do, to whoever follows them an interval late. */
static void loads_that_come_and_go_cost_little(void **state)
{
    (void)state;
    scene_t s = {0};
    double taken = 0, at_home = 0;
    enum { INTERVALS = 400 };
    divide(&s, ROWS / 2);
    for (int i = 0; i < INTERVALS; i++) {
        double one = i % 2 == 0 ? 1 : 2, other = i % 2 == 0 ? 2 : 1;
        interval(&s, one, other, NULL, 10 * (INTERVALS - 1 - i));
        taken += s.sample[0].wall;
        at_home += 10 * 2 * ROWS / 2;
        divide(&s, s.home.rests ? ROWS / 2 : i % 2 == 0 ? 67 : 33);
        xmpi_home_changed(&s.home, 1);
    }
    assert_true(s.home.rests_before > 0); /* it was tried again */
    assert_true(taken > at_home && taken < 1.05 * at_home);
    xmpi_home_free(&s.home);
}

static void what_gains_goes_on(void **state)
{
    (void)state;
    scene_t s = {0};
    xmpi_plan_t none = {0};
    divide(&s, ROWS / 2);
    interval(&s, 1, 2, NULL, -1);
    assert_true(isinf(xmpi_home_lasts(&s.home, &s.layout, &none, NULL)));
    divide(&s, 67);
    xmpi_home_changed(&s.home, 1);
    double before = xmpi_home_lasts(&s.home, &s.layout, &none, NULL);
    assert_true(before > 0 && before < s.home.seconds);
    for (int i = 0; i < 100; i++)
        interval(&s, 1, 2, NULL, -1);
    assert_false(s.home.rests);
    assert_true(xmpi_home_lasts(&s.home, &s.layout, &none, NULL) > 10 * before);
    xmpi_home_free(&s.home);
}

/* Rows that weigh more: an even division of the rows is none of the work. */
static void rows_count_by_their_weights(void **state)
{
    (void)state;
    scene_t s = {0};
    double prefix[ROWS + 1];
    for (int i = 0; i <= ROWS; i++)
        prefix[i] = i < 50 ? i : 50 + 3. * (i - 50);
    divide(&s, 50);
    interval(&s, 1, 1, prefix, 1000);
    divide(&s, 67);
    for (int i = 0; i < 100; i++)
        interval(&s, 1, 1, prefix, 1000);
    assert_false(s.home.rests);
    divide(&s, 90); /* 170 of 200 */
    for (int i = 0; i < 100 && !s.home.rests; i++)
        interval(&s, 1, 1, prefix, 1000);
    assert_true(s.home.rests);
    xmpi_home_free(&s.home);
}

/* With other members there is another begin. */
static void other_members_begin_anew(void **state)
{
    (void)state;
    scene_t s = {0};
    divide(&s, 50);
    interval(&s, 1, 1, NULL, 10);
    divide(&s, 90);
    for (int i = 0; i < 10; i++)
        interval(&s, 1, 1, NULL, 10);
    assert_true(s.home.rests);
    s.layout.domain = s.member[0].block.count;
    s.layout.members = 1;
    xmpi_home_note(&s.home, &s.layout, s.sample, NULL, 10);
    assert_false(s.home.rests);
    assert_int_equal(s.home.blocks, 1);
    assert_int_equal(s.home.block[0].count, 90);
    xmpi_home_free(&s.home);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_that_come_and_go_cost_little),
        cmocka_unit_test(what_gains_goes_on),
        cmocka_unit_test(rows_count_by_their_weights),
        cmocka_unit_test(other_members_begin_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
