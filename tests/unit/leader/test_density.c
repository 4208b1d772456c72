/* SPDX-License-Identifier: BSD-3-Clause
 * Rows that differ in work, and nobody has said so. */
#include "unit/leader/density_run.h"

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

/* Two to seven steps. */
static void draw_steps(run_t *r)
{
    int steps = 2 + (int)xmpi_random_below(&r->random, 6);
    for (int i = 0; i < ROWS; i++)
        r->row[i] = i * steps / ROWS != (i - 1) * steps / ROWS || i == 0
                        ? 0.2 + xmpi_random_below(&r->random, 1000) / 100.
                        : r->row[i - 1];
}

/* Some rows that are 60 times as heavy as the others. */
static void draw_band(run_t *r)
{
    int wide = 60 + (int)xmpi_random_below(&r->random, 300);
    int begin = (int)xmpi_random_below(&r->random, (uint64_t)(ROWS - wide));
    set_band(r, begin, begin + wide, 60);
}

/* 150 densities of either kind, 2 to 16 members, and noise as on a quiet machine and three times as
 * much. */
static void any_density_is_found(void **state)
{
    (void)state;
    static run_t r;
    int late[4] = {0};
    for (int kind = 0; kind < 4; kind++)
        for (int k = 0; k < 150; k++) {
            run_make(&r, 2 + k % (MOST - 1));
            r.random = (uint64_t)k + 1;
            r.scatter = kind / 2 == 0 ? 0.01 : 0.03;
            if (kind % 2 == 0)
                draw_steps(&r);
            else
                draw_band(&r);
            run(&r);
            late[kind] += r.settled < 0 || r.settled > 6;
            if (r.last > 1.15 * ideal(&r) + heaviest_row(&r))
                fail_msg("density %d of kind %d: %g times the ideal", k, kind, r.last / ideal(&r));
        }
    if (late[0] + late[1] + late[2] + late[3] > 6)
        fail_msg("of 150 densities %d, %d, %d and %d take more than 6 moves", late[0], late[1],
                 late[2], late[3]);
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

/* Rows of which an earlier run has told, but not how quick processors are: one move. Where the work
 * is somewhere else now, they are learnt anew. */
static void what_was_learnt_is_not_learnt_again(void **state)
{
    (void)state;
    const xmpi_profile_origin_t origin = {ROWS, "loop.c:1", "work", "a machine"};
    xmpi_profile_point_t point = {10, 1};
    for (int members = 2; members <= MOST; members *= 2)
        for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
            run_t r;
            double prefix[ROWS + 1] = {0};
            run_make(&r, members);
            set_band(&r, 360, 540, 60);
            for (int i = 0; i < ROWS; i++)
                prefix[i + 1] = prefix[i] + r.row[i];
            xmpi_profile_t profile = {
                .points = 1, .point = &point, .origin = origin, .weighed = true};
            xmpi_profile_take_weights(prefix, ROWS, &profile.weight);
            for (int i = 0; i < members && !elsewhere; i++)
                r.speed[i] = 1 + i % 3;
            set_band(&r, 0, ROWS, elsewhere ? 1 : r.row[0]);
            set_band(&r, elsewhere ? 700 : 360, elsewhere ? 880 : 540, 60);
            r.at.profile = &profile;
            r.at.here = &origin;
            r.at.first = true;
            pass(&r);
            r.at.first = false;
            must_settle(&r, "rows that are known", elsewhere ? 6 : 2);
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
        if (share < 0.95)
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

/* Heavy rows that go through the domain, a few rows in each interval: no layout is better than the
 * one before, but each is better than going back would be. */
static void work_that_goes_on_slowly_is_followed(void **state)
{
    enum { STEPS = 80, WIDE = 400 };
    (void)state;
    for (int members = 2; members <= 4; members *= 2) {
        run_t r;
        run_make(&r, members);
        double best = 0;
        for (int i = 0; i < STEPS; i++) {
            set_band(&r, 0, ROWS, 1);
            set_band(&r, 10 * i, 10 * i + WIDE, 20);
            best += ideal(&r);
            pass(&r);
        }
        xmpi_leader_free(&r.leader);
        if (r.seconds > (members == 2 ? 1.2 : 1.4) * best)
            fail_msg("%d members take %g times the ideal", members, r.seconds / best);
    }
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
                late += i >= TAKES && r.last > 1.2 * ideal(&r) + heaviest_row(&r);
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

/* Weights that the program tells and that wander: intervals grow as long as rows stay, and no more
 * when they have to move. */
static void what_wanders_is_looked_at_as_often(void **state)
{
    (void)state;
    double prefix[ROWS + 1] = {0};
    int moves = 0, grown = 0;
    run_t r;
    run_make(&r, 4);
    r.counted = true;
    r.wishes.interval = 0;
    r.at.interval_cost = 100e-6;
    r.at.weighted = true;
    for (int i = 0, next = 1; i < 40; i++) {
        xmpi_step_t step;
        int begin = i < 20 ? 20 * i : 400;
        set_band(&r, 0, ROWS, 1e-5);
        set_band(&r, begin, begin + 400, 1e-4);
        for (int k = 0; k < ROWS; k++)
            prefix[k + 1] = prefix[k] + r.row[k];
        r.iterations = next;
        double longest = compute(&r);
        for (int k = 0; k < r.members; k++)
            r.samples[k].wall = next * longest;
        r.at.interval_start = r.at.iteration;
        r.at.iteration += next;
        r.at.prefix = NULL; /* they are gathered when somebody asks */
        xmpi_leader_step(&r.leader, &r.at, &step);
        r.at.prefix = prefix;
        if (step.outcome == XMPI_STEP_WEIGHS)
            xmpi_leader_step_again(&r.leader, &r.at, &step);
        bool moved = step.plan.places > 0;
        for (int k = 0; k < step.plan.places; k++)
            r.member[k].block = step.plan.place[k].block;
        if (moved)
            assert_true(step.interval <= next);
        moves += moved;
        grown += step.interval > next;
        next = (int)step.interval;
        xmpi_step_free(&step);
    }
    xmpi_leader_free(&r.leader);
    if (moves < 15 || grown < 3)
        fail_msg("%d moves, and %d intervals longer than the one before", moves, grown);
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
                                        .best = 1,
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
        cmocka_unit_test(what_was_learnt_is_not_learnt_again),
        cmocka_unit_test(learning_takes_little_of_a_run),
        cmocka_unit_test(rows_without_work_are_found),
        cmocka_unit_test(work_that_wanders_is_not_followed_for_ever),
        cmocka_unit_test(work_that_goes_on_slowly_is_followed),
        cmocka_unit_test(work_that_has_moved_is_found),
        cmocka_unit_test(what_is_told_counts),
        cmocka_unit_test(what_wanders_is_looked_at_as_often),
        cmocka_unit_test(a_load_is_followed_after_all),
        cmocka_unit_test(a_load_is_no_density),
        cmocka_unit_test(noise_is_no_density),
        cmocka_unit_test(idle_ones_stay_comparable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
