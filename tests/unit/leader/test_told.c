/* SPDX-License-Identifier: BSD-3-Clause
 * What is said of the work of rows, and whether they go by it. */
#include "unit/leader/density_run.h"

enum { LONG = 60 };

static double draw(run_t *r, double least, double most)
{
    return least + (most - least) * xmpi_random_below(&r->random, 10001) / 10000;
}

/* Two to seven steps. */
static void draw_steps(run_t *r, double *row)
{
    int steps = 2 + (int)xmpi_random_below(&r->random, 6);
    for (int i = 0; i < ROWS; i++)
        row[i] =
            i == 0 || i * steps / ROWS != (i - 1) * steps / ROWS ? draw(r, 0.2, 10) : row[i - 1];
}

/* Seconds of the run in the blocks of its begin. */
static double stay(const run_t *made)
{
    run_t r = *made;
    double seconds = 0;
    for (int i = 0; i < LONG; i++)
        seconds += compute(&r);
    return seconds;
}

/* Weights that have nothing to do with the work, of 120 drawn programs on equal and unequal
 * processors: rows end in balance, and no run takes much longer than in the blocks of its begin. */
static void weights_that_are_wrong_are_left(void **state)
{
    (void)state;
    static run_t r;
    static double weight[ROWS];
    int mistaken = 0, unbalanced = 0;
    for (int k = 0; k < 120; k++) {
        run_make(&r, 2 + k % (MOST - 1));
        r.random = (uint64_t)k + 1;
        draw_steps(&r, r.row);
        draw_steps(&r, weight);
        for (int i = 0; i < r.members && k % 3 == 0; i++)
            r.speed[i] = 1 + i % 3;
        tell(&r, weight);
        double at_begin = stay(&r);
        for (int i = 0; i < LONG; i++)
            pass(&r);
        mistaken += r.leader.told.mistaken;
        unbalanced += r.last > 1.15 * ideal(&r) + heaviest_row(&r);
        if (r.seconds > 1.05 * at_begin)
            fail_msg("program %d takes %g times as long as in equal blocks", k,
                     r.seconds / at_begin);
        xmpi_leader_free(&r.leader);
    }
    if (mistaken < 60 || unbalanced > 3)
        fail_msg("of 120 programs the weights of %d are found to be wrong, and %d end out of "
                 "balance",
                 mistaken, unbalanced);
}

/* Intervals of less than a millisecond show caches and interrupts, not rows. */
static void weights_are_not_judged_by_what_is_too_short(void **state)
{
    (void)state;
    static run_t r;
    static double weight[ROWS];
    for (int k = 0; k < 120; k++) {
        run_make(&r, 2 + k % (MOST - 1));
        r.random = (uint64_t)k + 1;
        draw_steps(&r, r.row);
        draw_steps(&r, weight);
        for (int i = 0; i < r.members; i++)
            r.speed[i] = 1e8;
        tell(&r, weight);
        for (int i = 0; i < LONG; i++)
            pass(&r);
        assert_false(r.leader.told.mistaken);
        xmpi_leader_free(&r.leader);
    }
}

/* One member in four has no more than 0.6 of its CPU, and another one in each interval. */
static void load(run_t *r)
{
    for (int i = 0; i < r->members; i++)
        r->speed[i] = xmpi_random_below(&r->random, 4) == 0 ? 0.6 : 1;
}

/* The samples say so. */
static void see_load(run_t *r)
{
    for (int i = 0; i < r->members; i++)
        r->samples[i].cpu *= r->speed[i];
}

/* Weights that are right, of rows that stay or wander, also on processors that others use. */
static void weights_that_are_right_are_kept(void **state)
{
    (void)state;
    static run_t r;
    enum { STAYS, WANDERS, LOADS, KINDS };
    for (int k = 0; k < 120; k++) {
        run_make(&r, 2 + k % (MOST - 1));
        r.random = (uint64_t)k + 1;
        r.scatter = k % 2 == 0 ? 0.01 : 0.03;
        draw_steps(&r, r.row);
        for (int i = 0; i < LONG; i++) {
            for (int row = 0; row < ROWS && k % KINDS == WANDERS; row++)
                r.row[row] *= 1 + 0.1 * noise(&r);
            tell(&r, r.row);
            if (k % KINDS == LOADS)
                load(&r);
            compute(&r);
            if (k % KINDS == LOADS)
                see_load(&r);
            decide(&r);
        }
        if (r.leader.told.mistaken)
            fail_msg("the weights of program %d are right", k);
        xmpi_leader_free(&r.leader);
    }
}

/* As an epidemic goes through rows that have about as many contacts each: work comes to the first
 * half of the rows, and becomes much there. */
static void spread(run_t *r, int interval)
{
    double taken = 1 / (1 + exp(-(interval - 30) / 5.));
    for (int i = 0; i < ROWS; i++)
        r->row[i] = 1 + (i < ROWS / 2 ? 20 * taken * draw(r, 0.5, 1.5) : 0);
}

static void work_that_spreads_is_followed_by_its_times(void **state)
{
    (void)state;
    static run_t r, equal;
    static double weight[ROWS];
    for (int members = 4; members <= MOST; members *= 2) {
        double at_begin = 0, best = 0;
        run_make(&r, members);
        run_make(&equal, members);
        for (int i = 0; i < ROWS; i++)
            weight[i] = draw(&r, 0.9, 1.1);
        tell(&r, weight);
        for (int i = 0; i < LONG; i++) {
            spread(&r, i);
            memcpy(equal.row, r.row, sizeof r.row);
            at_begin += compute(&equal);
            best += ideal(&r);
            pass(&r);
        }
        double share = (at_begin - r.seconds) / (at_begin - best);
        if (r.found != 1 || r.reasons < 10 || share < 0.8)
            fail_msg("%d members: %g of what can be saved, found %d times, %d plans say so",
                     members, share, r.found, r.reasons);
        xmpi_leader_free(&r.leader);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_that_are_wrong_are_left),
        cmocka_unit_test(weights_are_not_judged_by_what_is_too_short),
        cmocka_unit_test(weights_that_are_right_are_kept),
        cmocka_unit_test(work_that_spreads_is_followed_by_its_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
