/* SPDX-License-Identifier: BSD-3-Clause
 * Rows that differ in work, and nobody has said so: the leader with the policy balance over whole
 * runs, in which the times of blocks follow from the true work of rows, the true speeds of
 * processors and noise. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decide/leader/leader.h"
#include "decide/policies/catalogue.h"
#include "decide/planning/draw.h"

enum { MOST = 8, ROWS = 1200, INTERVALS = 30, ITERATIONS = 10 };

typedef struct {
    int members;
    xmpi_member_t member[MOST];
    xmpi_layout_t layout;
    xmpi_pe_t pe[MOST];
    xmpi_resources_t resources;
    xmpi_sample_t samples[MOST];
    xmpi_schedule_t schedule;
    xmpi_wishes_t wishes;
    xmpi_occasion_t at;
    xmpi_leader_t leader;
    uint64_t random;
    int iterations;              /* of an interval */
    double scatter;              /* share of its time that is chance */
    int shared;                  /* the member that has the CPU half of the time; 0: none */
    bool counted;                /* the counter tells the work; else it counts rows */
    double row[ROWS];            /* work */
    double speed[MOST];          /* work per second */
    int moves, settled;          /* so many until the members were in balance for the first time */
    double seconds, first, last; /* of the whole run, of an iteration at its begin and end */
} run_t;

static void run_make(run_t *r, int members)
{
    memset(r, 0, sizeof *r);
    r->members = members;
    r->layout = (xmpi_layout_t){.domain = ROWS, .members = members, .member = r->member};
    r->resources = (xmpi_resources_t){.pes = members,
                                      .pe = r->pe,
                                      .classes = 1,
                                      .max_members = members,
                                      .can_spawn = true,
                                      .anchor = -1};
    for (int i = 0; i < members; i++) {
        int64_t begin = (int64_t)ROWS * i / members, end = (int64_t)ROWS * (i + 1) / members;
        r->pe[i].process = i;
        r->member[i] = (xmpi_member_t){i, {end - begin, begin}};
        r->speed[i] = 1;
    }
    for (int i = 0; i < ROWS; i++)
        r->row[i] = 1;
    r->wishes = (xmpi_wishes_t){.interval = ITERATIONS,
                                .window = 1,
                                .imbalance = 0.1,
                                .interference = 0.2,
                                .schedule = &r->schedule};
    r->at = (xmpi_occasion_t){.policy = &xmpi_policy_balance,
                              .wishes = &r->wishes,
                              .layout = &r->layout,
                              .resources = &r->resources,
                              .samples = r->samples};
    r->random = 1;
    r->iterations = ITERATIONS;
    r->scatter = 0.01;
    r->settled = -1;
}

/* From -1 to 1. */
static double noise(run_t *r)
{
    return xmpi_random_below(&r->random, 2001) / 1000. - 1;
}

static double work_of(const run_t *r, xmpi_block_t block)
{
    double sum = 0;
    for (int64_t i = block.displ; i < block.displ + block.count; i++)
        sum += r->row[i];
    return sum;
}

/* Seconds of an iteration of the slowest member. */
static double compute(run_t *r)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i < r->members; i++) {
        double work = work_of(r, r->member[i].block);
        double seconds = work / r->speed[i] * (1 + r->scatter * noise(r));
        double units = r->counted ? work : (double)r->member[i].block.count;
        r->samples[i] = (xmpi_sample_t){
            .iterations = r->iterations,
            .wall = r->iterations * seconds,
            .computation = r->iterations * seconds,
            .cpu = r->iterations * seconds * (i == r->shared && i > 0 ? 0.5 : 1),
            .deviation = r->iterations < 2 ? 0 /* nobody knows */
                                           : r->scatter * seconds * sqrt(r->iterations / 3.),
            .work = r->iterations * units};
        least = fmin(least, seconds);
        most = fmax(most, seconds);
    }
    if (r->settled < 0 && most - least <= 0.1 * most)
        r->settled = r->moves;
    return most;
}

static void pass(run_t *r)
{
    xmpi_step_t step;
    r->last = compute(r);
    r->seconds += r->last;
    r->first = r->first > 0 ? r->first : r->last;
    r->at.interval_start = r->at.iteration;
    r->at.iteration += ITERATIONS;
    xmpi_leader_step(&r->leader, &r->at, &step);
    assert_true(step.outcome == XMPI_STEP_KEEPS || step.outcome == XMPI_STEP_CHANGES);
    for (int i = 0; i < step.plan.places; i++)
        r->member[i].block = step.plan.place[i].block;
    r->moves += step.plan.places > 0;
    xmpi_step_free(&step);
}

static void run(run_t *r)
{
    for (int i = 0; i < INTERVALS; i++)
        pass(r);
    xmpi_leader_free(&r->leader);
}

/* Seconds of an iteration if rows could be divided. */
static double ideal(const run_t *r)
{
    double speed = 0;
    for (int i = 0; i < r->members; i++)
        speed += r->speed[i];
    return work_of(r, (xmpi_block_t){ROWS, 0}) / speed;
}

/* --- rows that stay as they are ----------------------------------------------------------------
 */

static void set_band(run_t *r, int begin, int end, double work)
{
    for (int i = begin; i < end; i++)
        r->row[i] = work;
}

static void must_settle(run_t *r, const char *what, int moves)
{
    run(r);
    if (r->settled < 0 || r->settled > moves || r->last > 1.15 * ideal(r))
        fail_msg("%s, %d members: in balance after %d moves, %g times the ideal", what, r->members,
                 r->settled, r->last / ideal(r));
}

static void heavy_rows_are_found(void **state)
{
    (void)state;
    run_t r;
    for (int members = 2; members <= MOST; members *= 2) {
        run_make(&r, members);
        set_band(&r, 360, 540, 60);
        must_settle(&r, "heavy rows in the middle", 6);
        run_make(&r, members);
        set_band(&r, 0, 240, 10);
        must_settle(&r, "heavy rows at the begin", 6);
        run_make(&r, members);
        for (int i = 0; i < ROWS; i++)
            r.row[i] = 1 + 9. * i / ROWS;
        must_settle(&r, "a slope", 6);
    }
}

static void speeds_that_differ_are_no_density(void **state)
{
    (void)state;
    run_t r;
    for (int members = 2; members <= MOST; members *= 2) {
        run_make(&r, members);
        for (int i = 0; i < members; i++)
            r.speed[i] = 1 + i % 3;
        must_settle(&r, "other speeds", 2);
    }
}

static void both_are_told_apart(void **state)
{
    (void)state;
    run_t r;
    run_make(&r, 2);
    r.speed[1] = 3;
    set_band(&r, 360, 540, 60);
    must_settle(&r, "other speeds and heavy rows", 6);
    run_make(&r, 4);
    r.speed[1] = r.speed[2] = 2;
    for (int i = 0; i < ROWS; i++)
        r.row[i] = 1 + 9. * i / ROWS;
    must_settle(&r, "other speeds and a slope", 6);
}

static void what_the_counter_tells_is_taken(void **state)
{
    (void)state;
    run_t r;
    for (int members = 2; members <= 4; members *= 2) {
        run_make(&r, members);
        r.counted = true;
        r.speed[1] = 2;
        set_band(&r, 360, 540, 60);
        must_settle(&r, "counted work", 6);
    }
}

/* 200 densities of steps. */
static void any_density_is_found(void **state)
{
    (void)state;
    static run_t r;
    int late = 0;
    for (int k = 0; k < 200; k++) {
        run_make(&r, 2 << k % 3);
        r.random = (uint64_t)k + 1;
        int steps = 2 + (int)xmpi_random_below(&r.random, 6);
        for (int i = 0; i < ROWS; i++)
            r.row[i] = i * steps / ROWS != (i - 1) * steps / ROWS || i == 0
                           ? 0.2 + xmpi_random_below(&r.random, 1000) / 100.
                           : r.row[i - 1];
        run(&r);
        late += r.settled < 0 || r.settled > 6;
        if (r.last > 1.25 * ideal(&r))
            fail_msg("density %d: %g times the ideal", k, r.last / ideal(&r));
    }
    assert_in_range(late, 0, 10);
}

/* Members whose rows have none get some of the others', on the first sight of it. */
static void rows_without_work_are_found(void **state)
{
    (void)state;
    run_t r;
    for (int members = 2; members <= MOST; members *= 2)
        for (int counted = 0; counted < 2; counted++) {
            run_make(&r, members);
            r.counted = counted;
            set_band(&r, 0, ROWS / 2, 0);
            pass(&r);
            assert_int_equal(r.moves, 1);
            must_settle(&r, "no work in half of the rows", 6);
            run_make(&r, members);
            r.counted = counted;
            set_band(&r, 0, 500, 0);
            set_band(&r, 564, ROWS, 0);
            must_settle(&r, "work in a few rows", 8);
        }
}

/* The share of what a balanced layout saves of a run of ITERATIONS in blocks that are equal, where
 * a row takes 0.15 us and the leader says how long intervals are. */
static double share_of_possible(run_t *r, int iterations)
{
    static const double row = 0.15e-6;
    double seconds = 0;
    for (int i = 0; i < ROWS; i++)
        r->row[i] *= row;
    double equal = compute(r), best = ideal(r);
    r->wishes.interval = 0;
    r->at.interval_cost = 20e-6;
    for (int done = 0, next = 1; done < iterations; done += r->iterations) {
        xmpi_step_t step;
        r->iterations = next < iterations - done ? next : iterations - done;
        double longest = compute(r);
        seconds += r->iterations * longest;
        for (int i = 0; i < r->members; i++)
            r->samples[i].wall = r->iterations * longest;
        r->at.first = done == 0;
        r->at.interval_start = r->at.iteration;
        r->at.iteration += r->iterations;
        xmpi_leader_step(&r->leader, &r->at, &step);
        for (int i = 0; i < step.plan.places; i++)
            r->member[i].block = step.plan.place[i].block;
        next = (int)step.interval;
        xmpi_step_free(&step);
    }
    xmpi_leader_free(&r->leader);
    return (iterations * equal - seconds) / (iterations * (equal - best));
}

/* While rows are being learnt an interval in a layout that is not right yet is no longer than it
 * has to be. */
static void learning_takes_little_of_a_run(void **state)
{
    static const struct {
        int begin, end, work, iterations;
    } band[] = {{360, 540, 60, 1500}, {0, 120, 60, 2400}, {0, 450, 8, 4500}};
    (void)state;
    run_t r;
    for (int i = 0; i < 3; i++) {
        run_make(&r, 2);
        set_band(&r, band[i].begin, band[i].end, band[i].work);
        double share = share_of_possible(&r, band[i].iterations);
        if (share < 0.93)
            fail_msg("heavy rows from %d to %d: %g of the possible saving", band[i].begin,
                     band[i].end, share);
    }
}

/* --- rows that do not --------------------------------------------------------------------------
 */

/* Heavy rows are somewhere else at each interval: no layout is right for long. Whatever is tried,
 * most of the run is spent in a layout that is no worse than that of the begin. */
static void work_that_wanders_is_not_followed_for_ever(void **state)
{
    (void)state;
    run_t r;
    run_make(&r, 4);
    int moves[2] = {0, 0};
    for (int i = 0; i < 100; i++) {
        int begin = (int)xmpi_random_below(&r.random, ROWS - 120);
        set_band(&r, 0, ROWS, 1);
        set_band(&r, begin, begin + 120, 20);
        int before = r.moves;
        pass(&r);
        moves[i / 50] += r.moves - before;
    }
    xmpi_leader_free(&r.leader);
    if (moves[1] > 20)
        fail_msg("%d moves in 50 intervals, then %d", moves[0], moves[1]);
}

/* Heavy rows that are somewhere else from some interval on, with as much work in all, are found as
 * they were: what was best before is none of it. */
static void work_that_has_moved_is_found(void **state)
{
    enum { BEFORE = 12, TAKES = 8, AFTER = 20 };
    (void)state;
    for (int members = 2; members <= MOST; members *= 2)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            run_t r;
            run_make(&r, members);
            r.random = seed;
            int wide = 100 + (int)xmpi_random_below(&r.random, 200);
            int begin = (int)xmpi_random_below(&r.random, 400);
            int end = ROWS - wide - (int)xmpi_random_below(&r.random, 400);
            set_band(&r, begin, begin + wide, 20);
            for (int i = 0; i < BEFORE + (int)(seed % 4); i++)
                pass(&r);
            set_band(&r, 0, ROWS, 1);
            set_band(&r, end, end + wide, 20);
            int late = 0;
            for (int i = 0; i < AFTER; i++) {
                pass(&r);
                late += i >= TAKES && r.last > 1.2 * ideal(&r);
            }
            xmpi_leader_free(&r.leader);
            if (late > 0)
                fail_msg("%d members, seed %d: %d of %d intervals are not in balance", members,
                         (int)seed, late, AFTER - TAKES);
        }
}

/* Weights that the program tells are followed, whatever was learnt while it told none. */
static void what_is_told_counts(void **state)
{
    (void)state;
    double prefix[ROWS + 1] = {0};
    run_t r;
    run_make(&r, 4);
    r.counted = true;
    set_band(&r, 0, 300, 20);
    for (int i = 0; i < ROWS; i++)
        prefix[i + 1] = prefix[i] + r.row[i];
    r.leader.density = (xmpi_density_t){.differs = true,
                                        .exhausted = true,
                                        .given_up = 1,
                                        .best = 1,
                                        .members = 4,
                                        .best_blocks = 4,
                                        .best_block = calloc(4, sizeof(xmpi_block_t))};
    for (int i = 0; i < 4; i++)
        r.leader.density.best_block[i] = r.member[i].block;
    r.at.weighted = true;
    r.at.prefix = prefix;
    run(&r);
    assert_in_range((int)(1000 * r.last / ideal(&r)), 900, 1100);
}

/* A load that comes and stays, seen in the time that the processes had the CPU, is followed also
 * after no layout was good. */
static void a_load_is_followed_after_all(void **state)
{
    (void)state;
    run_t r;
    run_make(&r, 4);
    r.leader.density = (xmpi_density_t){.differs = true,
                                        .exhausted = true,
                                        .given_up = 1,
                                        .best = 300,
                                        .members = 4,
                                        .best_blocks = 4,
                                        .best_block = calloc(4, sizeof(xmpi_block_t))};
    for (int i = 0; i < 4; i++)
        r.leader.density.best_block[i] = r.member[i].block;
    r.speed[2] = 0.5;
    r.shared = 2;
    run(&r);
    assert_in_range((int)(1000 * r.last / ideal(&r)), 900, 1100);
}

/* A load that comes makes one member slower, not rows heavier. */
static void a_load_is_no_density(void **state)
{
    (void)state;
    run_t r;
    run_make(&r, 4);
    for (int i = 0; i < 20; i++) {
        r.speed[2] = i < 5 ? 1 : 0.5;
        pass(&r);
    }
    bool differs = r.leader.density.differs;
    xmpi_leader_free(&r.leader);
    assert_false(differs);
    assert_in_range((int)(1000 * r.last / ideal(&r)), 900, 1100);
}

/* Times that wander by a third from one iteration to the next are no density, whether an interval
 * is of one iteration or of several. */
static void noise_is_no_density(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (int iterations = 1; iterations <= 10; iterations += 9) {
            run_t r;
            run_make(&r, 4);
            r.random = seed;
            r.iterations = iterations;
            r.scatter = 0.3;
            for (int i = 0; i < INTERVALS; i++)
                pass(&r);
            bool differs = r.leader.density.differs;
            xmpi_leader_free(&r.leader);
            assert_false(differs);
        }
}

/* What a processing element without a member could do goes on to be comparable when rows are found
 * to differ: three, the third of which is as quick as the others and idle. */
static void idle_ones_stay_comparable(void **state)
{
    enum { UNITS = 625 }; /* of work, that the program counts for a row */
    (void)state;
    run_t r;
    xmpi_idle_t idle[MOST] = {[2] = {.share = 1, .seconds = 1, .rate = 1}};
    run_make(&r, 2);
    r.resources.pes = 3;
    r.pe[2].process = -1;
    set_band(&r, 360, 540, 60);
    for (int i = 0; i < 10 && !r.leader.density.differs; i++) {
        xmpi_step_t step;
        compute(&r);
        for (int k = 0; k < 2; k++)
            r.samples[k].work *= UNITS;
        r.at.idle = i == 0 ? idle : NULL; /* they are not asked each time */
        r.at.interval_start = r.at.iteration;
        r.at.iteration += ITERATIONS;
        xmpi_leader_step(&r.leader, &r.at, &step);
        for (int k = 0; k < step.plan.places; k++)
            r.member[k].block = step.plan.place[k].block;
        xmpi_step_free(&step);
    }
    const xmpi_speed_t *speed = r.leader.history.speed;
    bool differs = r.leader.density.differs;
    double member = speed[0].speed, other = speed[2].speed;
    xmpi_leader_free(&r.leader);
    assert_true(differs);
    if (!(other > member / 30 && other < member * 30))
        fail_msg("a member does %g units of work in a second, who is idle %g", member, other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heavy_rows_are_found),
        cmocka_unit_test(speeds_that_differ_are_no_density),
        cmocka_unit_test(both_are_told_apart),
        cmocka_unit_test(what_the_counter_tells_is_taken),
        cmocka_unit_test(any_density_is_found),
        cmocka_unit_test(learning_takes_little_of_a_run),
        cmocka_unit_test(rows_without_work_are_found),
        cmocka_unit_test(work_that_wanders_is_not_followed_for_ever),
        cmocka_unit_test(work_that_has_moved_is_found),
        cmocka_unit_test(what_is_told_counts),
        cmocka_unit_test(a_load_is_followed_after_all),
        cmocka_unit_test(a_load_is_no_density),
        cmocka_unit_test(noise_is_no_density),
        cmocka_unit_test(idle_ones_stay_comparable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
