/* SPDX-License-Identifier: BSD-3-Clause
 * The first layout of a loop, before anything of it was measured: a known program on known nodes
 * begins balanced, and what is not known is left as it is. */
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

enum { MEMBERS = 4, ROWS = 1000, BOUND = 100 };

/* Seconds of an iteration with equal blocks on the slowest PE are WORK / 4. */
static const double work = 4, speed[MEMBERS] = {1, 1, 2, 4};

typedef struct {
    xmpi_member_t member[MEMBERS];
    xmpi_layout_t layout;
    xmpi_pe_t pe[MEMBERS];
    xmpi_resources_t resources;
    xmpi_schedule_t schedule;
    xmpi_wishes_t wishes;
    xmpi_moved_array_t array;
    xmpi_profile_origin_t here;
    xmpi_profile_point_t point;
    xmpi_profile_parts_t parts;
    xmpi_profile_t profile;
    double prefix[ROWS + 1];
    xmpi_occasion_t at;
    xmpi_sample_t samples[MEMBERS];
    xmpi_leader_t leader;
    xmpi_step_t step;
} scene_t;

static void lay_out_equally(scene_t *s)
{
    for (int i = 0; i < MEMBERS; i++)
        s->member[i] = (xmpi_member_t){i, {ROWS / MEMBERS, i * ROWS / MEMBERS}};
    s->layout = (xmpi_layout_t){.domain = ROWS, .members = MEMBERS, .member = s->member};
}

/* PEs of three classes, A, A, B and C. */
static void make_nodes(scene_t *s)
{
    static const int class_index[MEMBERS] = {0, 0, 1, 2};
    s->resources = (xmpi_resources_t){.pes = MEMBERS,
                                      .pe = s->pe,
                                      .classes = 3,
                                      .class_name = {"A", "B", "C"},
                                      .max_members = MEMBERS,
                                      .anchor = -1};
    for (int i = 0; i < MEMBERS; i++) {
        s->pe[i].process = i;
        s->pe[i].class_index = class_index[i];
        s->pe[i].node[0] = (char)('a' + i);
    }
}

static void make_profile(scene_t *s)
{
    static const char name[] = "ABC";
    s->here = (xmpi_profile_origin_t){ROWS, "loop.c:1", "work", "a machine"};
    s->point = (xmpi_profile_point_t){BOUND, work * BOUND};
    for (int i = 0; i < XMPI_PROFILE_PARTS; i++)
        s->parts.work[i] = work * BOUND / XMPI_PROFILE_PARTS;
    s->profile = (xmpi_profile_t){
        .points = 1, .point = &s->point, .parts = &s->parts, .origin = s->here, .classes = 3};
    for (int i = 0; i < 3; i++) {
        s->profile.class_speed[i].name[0] = name[i];
        s->profile.class_speed[i].speed = speed[i + 1];
    }
}

static void make(scene_t *s)
{
    memset(s, 0, sizeof *s);
    lay_out_equally(s);
    make_nodes(s);
    make_profile(s);
    xmpi_calibration_assume(&s->leader.calibration);
    s->wishes = (xmpi_wishes_t){
        .window = 3, .imbalance = 0.03, .interference = 0.05, .schedule = &s->schedule};
    s->array =
        (xmpi_moved_array_t){.scheme = XMPI_SCHEME_DISTRIBUTED, .rows = ROWS, .row_bytes = 8};
    s->at = (xmpi_occasion_t){.policy = &xmpi_policy_balance,
                              .wishes = &s->wishes,
                              .layout = &s->layout,
                              .resources = &s->resources,
                              .arrays = 1,
                              .array = &s->array,
                              .profile = &s->profile,
                              .here = &s->here,
                              .has_moves = true,
                              .loop = 1,
                              .bound = BOUND,
                              .first = true};
}

/* The classes of the profile with a calibration that knows ratios. */
static void calibrate(scene_t *s, double unit)
{
    s->leader.calibration.classes = 3;
    memcpy(s->leader.calibration.class_speed, s->profile.class_speed,
           3 * sizeof *s->profile.class_speed);
    for (int i = 0; i < 3; i++)
        s->leader.calibration.class_speed[i].speed *= unit;
    s->profile.points = 0;
}

static xmpi_step_outcome_t opened(scene_t *s)
{
    if (!xmpi_leader_can_open(&s->leader, &s->at))
        return XMPI_STEP_KEEPS;
    xmpi_leader_open(&s->leader, &s->at, s->samples, &s->step);
    return s->step.outcome;
}

static void end(scene_t *s)
{
    xmpi_step_free(&s->step);
    xmpi_leader_free(&s->leader);
}

static void assert_blocks(const scene_t *s, const int64_t *count)
{
    assert_int_equal(s->step.plan.places, MEMBERS);
    for (int i = 0; i < MEMBERS; i++)
        assert_int_equal(s->step.plan.place[i].block.count, count[i]);
}

static void assert_keeps(scene_t *s)
{
    assert_int_equal(opened(s), XMPI_STEP_KEEPS);
    assert_int_equal(s->step.plan.places, 0);
    end(s);
}

static void a_profile_gives_the_first_layout(void **state)
{
    (void)state;
    scene_t s;
    make(&s);
    assert_int_equal(opened(&s), XMPI_STEP_CHANGES);
    assert_blocks(&s, (const int64_t[]){125, 125, 250, 500});
    assert_true(fabs(s.samples[0].wall - work / 4) < 1e-9);
    end(&s);
}

static void so_does_a_calibration(void **state)
{
    (void)state;
    scene_t s;
    make(&s);
    calibrate(&s, 1e7);
    assert_int_equal(opened(&s), XMPI_STEP_CHANGES);
    assert_blocks(&s, (const int64_t[]){125, 125, 250, 500});
    end(&s);
}

/* In another program machines may differ from what was calibrated by as much. */
static void a_calibration_is_believed_less(void **state)
{
    (void)state;
    scene_t s;
    for (int calibrated = 0; calibrated < 2; calibrated++) {
        make(&s);
        s.profile.class_speed[1].speed = s.profile.class_speed[2].speed = 1.2;
        if (calibrated)
            calibrate(&s, 1);
        assert_int_equal(opened(&s), calibrated ? XMPI_STEP_KEEPS : XMPI_STEP_CHANGES);
        end(&s);
    }
}

static void weights_are_asked_for_and_divided(void **state)
{
    (void)state;
    scene_t s;
    make(&s);
    s.at.weighted = true;
    for (int i = 0; i <= ROWS; i++) /* the last half weighs three times as much */
        s.prefix[i] = i < ROWS / 2 ? i : ROWS / 2 + 3. * (i - ROWS / 2);
    for (int i = 0; i < XMPI_PROFILE_PARTS; i++)
        s.parts.work[i] *= i < XMPI_PROFILE_PARTS / 2 ? 0.5 : 1.5;
    assert_int_equal(opened(&s), XMPI_STEP_WEIGHS);
    xmpi_step_free(&s.step);
    s.at.prefix = s.prefix;
    assert_int_equal(opened(&s), XMPI_STEP_CHANGES);
    assert_blocks(&s, (const int64_t[]){250, 250, 167, 333});
    end(&s);
}

/* Weights that are not those of the work: nobody knows how it divides. */
static void weights_that_the_profile_denies_are_left(void **state)
{
    (void)state;
    scene_t s;
    make(&s);
    s.at.weighted = true;
    for (int i = 0; i <= ROWS; i++)
        s.prefix[i] = i < ROWS / 2 ? i : ROWS / 2 + 3. * (i - ROWS / 2);
    s.at.prefix = s.prefix;
    assert_keeps(&s);
    make(&s); /* and rows that weigh alike, where they took unlike work */
    for (int i = 0; i < XMPI_PROFILE_PARTS; i++)
        s.parts.work[i] *= i < XMPI_PROFILE_PARTS / 2 ? 0.5 : 1.5;
    assert_keeps(&s);
}

static void a_profile_of_something_else_is_left(void **state)
{
    (void)state;
    scene_t s;
    make(&s);
    strcpy(s.here.loop, "other.c:1");
    assert_keeps(&s);
    make(&s);
    s.here.domain++;
    assert_keeps(&s);
    make(&s);
    strcpy(s.here.counter, "PAPI_FP_OPS");
    assert_keeps(&s);
    make(&s);
    strcpy(s.here.machine, "another machine");
    assert_keeps(&s);
    make(&s);
    strcpy(s.resources.class_name[2], "D");
    assert_keeps(&s);
    make(&s);
    memset(&s.profile.origin, 0, sizeof s.profile.origin); /* of a version that did not say it */
    assert_keeps(&s);
}

/* Work is the program's: what is of another machine are the speeds. */
static void on_another_machine_the_calibration_counts(void **state)
{
    (void)state;
    scene_t s;
    make(&s);
    calibrate(&s, 1);
    s.profile.points = 1;
    strcpy(s.here.machine, "another machine");
    assert_int_equal(opened(&s), XMPI_STEP_CHANGES);
    assert_blocks(&s, (const int64_t[]){125, 125, 250, 500});
    end(&s);
}

/* Also for policies that divide rows in between: what they reckon with begins balanced, as a share
 * of the static time that is to be saved. */
static void members_that_come_and_go_begin_balanced(void **state)
{
    (void)state;
    static const xmpi_policy_t *const policies[] = {&xmpi_policy_amp, &xmpi_policy_hpmp,
                                                    &xmpi_policy_smp};
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        scene_t s;
        make(&s);
        s.at.policy = policies[i];
        assert_int_equal(opened(&s), XMPI_STEP_CHANGES);
        end(&s);
    }
}

static void what_cannot_be_divided_is_left(void **state)
{
    (void)state;
    scene_t s;
    make(&s);
    s.at.sizes = true; /* blocks are the program's own */
    assert_keeps(&s);
    make(&s);
    s.at.movable = true;
    assert_keeps(&s);
    make(&s);
    s.at.policy = NULL;
    assert_keeps(&s);
    make(&s);
    s.at.policy = &xmpi_policy_schedule; /* it does what the file says, when it says so */
    assert_keeps(&s);
    make(&s);
    s.wishes.division = XMPI_MHETA_BLK;
    assert_keeps(&s);
    make(&s);
    s.at.iteration = 7; /* it has gone on from a checkpoint */
    assert_keeps(&s);
    make(&s);
    s.pe[1].shared = true;
    assert_keeps(&s);
    make(&s);
    s.pe[3].process = -1;
    assert_keeps(&s);
}

/* Three short iterations of much data. */
static void a_move_has_to_pay(void **state)
{
    (void)state;
    scene_t s;
    make(&s);
    s.array.row_bytes = 1e9;
    s.at.bound = 2;
    assert_keeps(&s);
    make(&s);
    s.array.row_bytes = 1e9;
    s.at.bound = 1000000;
    assert_int_equal(opened(&s), XMPI_STEP_CHANGES);
    end(&s);
}

/* What an earlier run has learnt of rows that nobody has weighed divides them, also where the work
 * was recorded before it was learnt. */
static void learnt_rows_are_divided(void **state)
{
    (void)state;
    scene_t s;
    make(&s);
    s.profile.weighed = true;
    for (int i = 0; i < XMPI_PROFILE_PARTS; i++)
        s.profile.weight.work[i] = i < XMPI_PROFILE_PARTS / 2 ? 3 : 1;
    assert_int_equal(opened(&s), XMPI_STEP_CHANGES);
    assert_blocks(&s, (const int64_t[]){83, 83, 167, 667});
    end(&s);
    strcpy(s.here.loop, "loop.c:2");
    assert_keeps(&s);
}

/* The members have the blocks of the plan. */
static void follow(scene_t *s)
{
    for (int i = 0; i < s->step.plan.places; i++)
        s->member[i].block = s->step.plan.place[i].block;
    xmpi_step_free(&s->step);
}

/* An interval on PEs of these speeds. */
static double pass(scene_t *s, const double *real)
{
    double longest = 0;
    for (int i = 0; i < MEMBERS; i++) {
        double own = 10 * work * (double)s->member[i].block.count / ROWS;
        s->samples[i] = (xmpi_sample_t){
            .iterations = 10, .work = own, .computation = own / real[i], .cpu = own / real[i]};
        longest = fmax(longest, own / real[i]);
    }
    for (int i = 0; i < MEMBERS; i++)
        s->samples[i].wall = longest;
    s->at.samples = s->samples;
    s->at.interval_start = s->at.iteration;
    s->at.iteration += 10;
    xmpi_leader_step(&s->leader, &s->at, &s->step);
    s->at.first = false;
    return longest;
}

/* What was foretold is right: nothing is left to do. */
static void what_begins_balanced_stays(void **state)
{
    (void)state;
    scene_t s;
    make(&s);
    assert_int_equal(opened(&s), XMPI_STEP_CHANGES);
    follow(&s);
    for (int i = 0; i < 5; i++) {
        assert_true(pass(&s, speed) < 10 * work / 8 * 1.01);
        assert_int_equal(s.step.outcome, XMPI_STEP_KEEPS);
        xmpi_step_free(&s.step);
    }
    end(&s);
}

/* The profile is of yesterday, and the nodes are other ones today: an interval shows it. */
static void a_stale_profile_costs_an_interval(void **state)
{
    (void)state;
    static const double today[MEMBERS] = {4, 2, 1, 1};
    scene_t s;
    make(&s);
    assert_int_equal(opened(&s), XMPI_STEP_CHANGES);
    follow(&s);
    pass(&s, today);
    assert_int_equal(s.step.outcome, XMPI_STEP_CHANGES);
    assert_blocks(&s, (const int64_t[]){500, 250, 125, 125});
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_profile_gives_the_first_layout),
        cmocka_unit_test(so_does_a_calibration),
        cmocka_unit_test(a_calibration_is_believed_less),
        cmocka_unit_test(weights_are_asked_for_and_divided),
        cmocka_unit_test(weights_that_the_profile_denies_are_left),
        cmocka_unit_test(a_profile_of_something_else_is_left),
        cmocka_unit_test(on_another_machine_the_calibration_counts),
        cmocka_unit_test(members_that_come_and_go_begin_balanced),
        cmocka_unit_test(what_cannot_be_divided_is_left),
        cmocka_unit_test(a_move_has_to_pay),
        cmocka_unit_test(learnt_rows_are_divided),
        cmocka_unit_test(what_begins_balanced_stays),
        cmocka_unit_test(a_stale_profile_costs_an_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
