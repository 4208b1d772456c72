/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of what is remembered of intervals: interference (thesis Alg. 5), and speeds that are
 * smoothed without lag. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decide/policies/catalogue.h"
#include "decide/policy/policy.h"

enum { MEMBERS = 4, PES = 6 };
static const double th1 = 0.05, th2 = 0.05;

/* Members 0 to 3 on PEs 1 to 4 of one class; PEs 0 and 5 are empty. */
typedef struct {
    xmpi_member_t member[PES];
    xmpi_layout_t layout;
    xmpi_pe_t pe[PES];
    xmpi_resources_t resources;
    xmpi_sample_t samples[PES];
    xmpi_history_t history;
    double speed[PES]; /* of PEs that are not shared */
    uint64_t random;
} scene_t;

static void scene_make(scene_t *s)
{
    memset(s, 0, sizeof *s);
    s->layout = (xmpi_layout_t){.domain = 400, .members = MEMBERS, .member = s->member};
    s->resources = (xmpi_resources_t){
        .pes = PES, .pe = s->pe, .classes = 1, .class_name = {"A"}, .max_members = PES};
    s->random = 1;
    for (int i = 0; i < PES; i++) {
        s->pe[i].process = i >= 1 && i <= MEMBERS ? i - 1 : -1;
        s->speed[i] = 100;
    }
    for (int i = 0; i < MEMBERS; i++)
        s->member[i] = (xmpi_member_t){i, {100, 100 * i}};
}

/* About normal, mean 0 and variance 1: a sum of twelve shares. */
static double noise(scene_t *s)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        s->random = s->random * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(s->random >> 11) * 0x1p-53;
    }
    return sum;
}

/* An interval of ITERATIONS in which LOAD processes share the PE of member 1, and times of
 * iterations vary by the share DEVIATION. */
static void interval(scene_t *s, int iterations, double load, double deviation, int window)
{
    for (int i = 0; i < MEMBERS; i++) {
        double dedicated = (double)s->member[i].block.count * iterations / s->speed[i + 1];
        double seconds = dedicated * (i == 1 ? 1 + load : 1);
        seconds *= 1 + deviation * noise(s) / sqrt(iterations);
        s->samples[i] = (xmpi_sample_t){.iterations = iterations,
                                        .wall = 2 * seconds,
                                        .computation = seconds,
                                        .deviation = deviation * seconds / iterations,
                                        .cpu = fmin(dedicated, seconds),
                                        .work = (double)s->member[i].block.count * iterations};
    }
    assert_int_equal(
        xmpi_history_add(&s->history, &s->layout, &s->resources, s->samples, window, th2), XMPI_OK);
}

/* Decides and follows; whether there was a rebalance. */
static bool rebalanced(scene_t *s)
{
    xmpi_plan_t plan;
    xmpi_view_t view = {.layout = &s->layout,
                        .resources = &s->resources,
                        .samples = s->samples,
                        .history = &s->history,
                        .imbalance_threshold = th1};
    assert_int_equal(
        xmpi_policy_balance.decide(&view, &plan, &(xmpi_decision_t){.chosen = -1}, NULL), XMPI_OK);
    for (int i = 0; i < plan.places; i++)
        s->member[i].block = plan.place[i].block;
    bool changed = plan.places > 0;
    xmpi_plan_free(&plan);
    return changed;
}

/* --- interference --------------------------------------------------------------------------------
 */

/* The load of §6.2.3: short bursts, longer ones, then one that lasts. Intervals 2, 5-6, 9-12, and
 * from 16 on. */
static bool is_loaded(int n)
{
    return n == 2 || n == 5 || n == 6 || (n >= 9 && n <= 12) || n >= 16;
}

/* Bit n is set when there is a rebalance after interval n of that load. */
static unsigned reactions(int window)
{
    scene_t s;
    unsigned bits = 0;
    scene_make(&s);
    for (int n = 0; n < 24; n++) {
        interval(&s, 10, is_loaded(n) ? 1 : 0, 0, window);
        bits |= (unsigned)rebalanced(&s) << n;
    }
    xmpi_history_free(&s.history);
    return bits;
}

static unsigned bit(int n)
{
    return 1u << n;
}

static void windows_of_1_react_to_every_burst(void **state)
{
    (void)state;
    /* When it begins, and when it is over. */
    assert_int_equal(reactions(1), bit(2) | bit(3) | bit(5) | bit(7) | bit(9) | bit(13) | bit(16));
}

static void windows_of_3_react_to_longer_bursts(void **state)
{
    (void)state;
    assert_int_equal(reactions(3), bit(11) | bit(13) | bit(18));
}

static void windows_of_5_react_to_long_term_load(void **state)
{
    (void)state;
    assert_int_equal(reactions(5), bit(20));
}

/* Bursts on different members are one interference of the system (evaluateGlobalDedicated). */
static void interference_may_wander(void **state)
{
    scene_t s;
    (void)state;
    scene_make(&s);
    for (int n = 0; n < 3; n++) {
        interval(&s, 10, 0, 0, 3);
        s.history.intervals--; /* once more, with a member that lacked the CPU */
        s.samples[n].cpu *= 0.9;
        xmpi_history_add(&s.history, &s.layout, &s.resources, s.samples, 3, th2);
        assert_int_equal(xmpi_history_interference(&s.history),
                         n < 2 ? XMPI_BURST : XMPI_LONG_TERM);
    }
    xmpi_history_free(&s.history);
}

static void th2_tells_noise_from_interference(void **state)
{
    (void)state;
    xmpi_sample_t sample = {.computation = 1, .cpu = 0.96};
    assert_false(xmpi_sample_is_shared(&sample, th2));
    sample.cpu = 0.94;
    assert_true(xmpi_sample_is_shared(&sample, th2));
    sample.cpu = 3.5; /* threads */
    assert_false(xmpi_sample_is_shared(&sample, th2));
    sample = (xmpi_sample_t){.computation = 0};
    assert_false(xmpi_sample_is_shared(&sample, th2));
}

/* --- speeds --------------------------------------------------------------------------------------
 */

static void noise_is_averaged_out(void **state)
{
    double raw = 0, smooth = 0;
    scene_t s;
    (void)state;
    scene_make(&s);
    for (int n = 0; n < 400; n++) {
        interval(&s, 10, 0, 0.06, 3);
        if (n < 20)
            continue;
        double measured = s.samples[0].work / s.samples[0].computation;
        raw += (measured - 100) * (measured - 100);
        smooth += (s.history.speed[1].speed - 100) * (s.history.speed[1].speed - 100);
    }
    assert_true(sqrt(smooth) < 0.5 * sqrt(raw));
    xmpi_history_free(&s.history);
}

/* Also where the noise within an interval does not tell that between intervals. */
static void changes_are_followed_at_once(void **state)
{
    (void)state;
    for (int within = 0; within < 2; within++) {
        scene_t s;
        scene_make(&s);
        for (int n = 0; n < 50; n++) {
            interval(&s, 10, 0, 0.03, 3);
            if (!within)
                s.samples[0].deviation = 0;
        }
        s.speed[1] = 70;
        interval(&s, 10, 0, 0.03, 3);
        assert_true(fabs(s.history.speed[1].speed - 70) < 3);
        xmpi_history_free(&s.history);
    }
}

/* Loads that come and go do not make the history believe in noise. */
static void steps_are_no_noise(void **state)
{
    scene_t s;
    (void)state;
    scene_make(&s);
    for (int n = 0; n < 24; n++) {
        interval(&s, 10, is_loaded(n) ? 1 : 0, 0.02, 1);
        double measured = s.samples[1].work / s.samples[1].computation;
        assert_true(fabs(s.history.speed[2].speed / measured - 1) < 0.05);
    }
    xmpi_history_free(&s.history);
}

/* A change that is too small to be seen in one interval is seen after some. */
static void drifts_are_followed(void **state)
{
    scene_t s;
    (void)state;
    scene_make(&s);
    for (int n = 0; n < 50; n++)
        interval(&s, 10, 0, 0.03, 3);
    for (int n = 0; n < 30; n++) {
        s.speed[1] *= 1.01;
        interval(&s, 10, 0, 0.03, 3);
        assert_true(fabs(s.history.speed[1].speed / s.speed[1] - 1) < 0.06);
    }
    xmpi_history_free(&s.history);
}

static void speeds_of_pes_that_were_left_are_kept(void **state)
{
    scene_t s;
    (void)state;
    scene_make(&s);
    interval(&s, 10, 0, 0.01, 3);
    assert_true(s.history.speed[4].speed > 90);
    s.layout.members = 3;
    s.pe[4].process = -1;
    xmpi_history_add(&s.history, &s.layout, &s.resources, s.samples, 3, th2);
    assert_true(s.history.speed[4].speed > 90);
    assert_true(s.history.speed[4].away == 1);
    assert_true(s.history.speed[4].age == s.samples[0].wall);
    assert_true(s.history.speed[3].speed > 90 && s.history.speed[3].away == 0);
    s.layout.members = 4; /* it comes back, and is half as quick */
    s.pe[4].process = 3;
    s.speed[4] /= 2;
    interval(&s, 10, 0, 0.01, 3);
    assert_true(s.history.speed[4].away == 0 && s.history.speed[4].age == 0);
    assert_true(s.history.speed[4].speed < 60);
    xmpi_history_free(&s.history);
}

static void samples_that_say_nothing_do_no_harm(void **state)
{
    scene_t s;
    (void)state;
    scene_make(&s);
    interval(&s, 10, 0, 0.01, 3);
    s.samples[0] = (xmpi_sample_t){.iterations = 10};                      /* no rows */
    s.samples[1] = (xmpi_sample_t){.iterations = 10, .work = NAN};         /* a bad counter */
    s.samples[2] = (xmpi_sample_t){.iterations = 10, .work = 5, .cpu = 1}; /* no time */
    xmpi_history_add(&s.history, &s.layout, &s.resources, s.samples, 3, th2);
    for (int i = 1; i <= MEMBERS; i++)
        assert_true(fabs(s.history.speed[i].speed - 100) < 5);
    xmpi_history_free(&s.history);
}

/* --- what noise may do ---------------------------------------------------------------------------
 */

/* An iteration of 1 ms in which any member may take SPIKE times as long, once in 20, and whose
 * noise is DEVIATION. */
static void tiny_interval(scene_t *s, double deviation, double spike)
{
    for (int i = 0; i < MEMBERS; i++) {
        bool late = spike > 1 && noise(s) > 1.645;
        double dedicated = 1e-5 * (double)s->member[i].block.count * 100 / s->speed[i + 1];
        double seconds = dedicated * fmax(0.1, 1 + deviation * noise(s)) * (late ? spike : 1);
        s->samples[i] = (xmpi_sample_t){.iterations = 1,
                                        .wall = seconds,
                                        .computation = seconds,
                                        .cpu = seconds,
                                        .work = (double)s->member[i].block.count};
    }
    assert_int_equal(xmpi_history_add(&s->history, &s->layout, &s->resources, s->samples, 1, th2),
                     XMPI_OK);
}

/* Decides by a model in which a move takes at least MOVE seconds, and follows. */
static bool rebalanced_where_it_pays(scene_t *s, double move, const double *prefix)
{
    xmpi_calibration_t calibration = {.gamma = 1e-9};
    xmpi_predictor_t predictor;
    xmpi_plan_t plan;
    for (int i = 0; i < XMPI_LINKS; i++)
        calibration.link[i] = (xmpi_link_t){1e-9, 1e-12, 1e-9, 1e-12, 1e9};
    for (int i = 0; i < XMPI_CURVES; i++)
        calibration.curve[i] = (xmpi_curve_t){.points = 1, .point = {{1, 0.01}}};
    calibration.agreement[XMPI_AGREE_REBALANCE].seconds = move;
    xmpi_situation_t at = {.layout = &s->layout,
                           .resources = &s->resources,
                           .samples = s->samples,
                           .history = &s->history,
                           .calibration = &calibration,
                           .iteration = 1000};
    assert_int_equal(xmpi_predictor_make(&predictor, &at, NULL), XMPI_OK);
    xmpi_view_t view = {.layout = &s->layout,
                        .resources = &s->resources,
                        .samples = s->samples,
                        .history = &s->history,
                        .predictor = &predictor,
                        .weighted = prefix != NULL,
                        .prefix = prefix,
                        .remaining = 100000,
                        .iteration = 1000,
                        .imbalance_threshold = th1};
    assert_int_equal(
        xmpi_policy_balance.decide(&view, &plan, &(xmpi_decision_t){.chosen = -1}, NULL), XMPI_OK);
    for (int i = 0; i < plan.places; i++)
        s->member[i].block = plan.place[i].block;
    bool changed = plan.places > 0;
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&predictor);
    return changed;
}

static int moves_of(int intervals, double deviation, double spike, double slow)
{
    int moves = 0;
    scene_t s;
    scene_make(&s);
    s.speed[1] *= slow;
    for (int n = 0; n < intervals; n++) {
        tiny_interval(&s, deviation, spike);
        moves += rebalanced_where_it_pays(&s, 0.01, NULL);
    }
    xmpi_history_free(&s.history);
    return moves;
}

/* Though a move would pay for itself many times over if what it is for were no noise. */
static void noise_moves_no_rows(void **state)
{
    (void)state;
    assert_true(moves_of(1000, 0.02, 1, 1) <= 1);
    assert_true(moves_of(1000, 0.1, 1, 1) <= 4);
    assert_true(moves_of(1000, 0.3, 1, 1) <= 10);
    assert_true(moves_of(1000, 0.05, 4, 1) <= 25); /* a core that comes late, once in 20 */
}

static void what_lasts_is_followed(void **state)
{
    (void)state;
    for (int spike = 1; spike <= 4; spike += 3) {
        scene_t s;
        int moves = 0;
        scene_make(&s);
        s.speed[1] = 50;
        for (int n = 0; n < 100; n++) {
            tiny_interval(&s, 0.05, spike);
            moves += rebalanced_where_it_pays(&s, 0.01, NULL);
        }
        assert_in_range(moves, 1, 6);
        assert_in_range(s.member[0].block.count, 50, 64); /* ideal: 57 */
        xmpi_history_free(&s.history);
    }
}

/* Iterations of an interval in which there is more and more to do differ, but not for noise. */
static void work_that_differs_is_no_noise(void **state)
{
    scene_t s;
    (void)state;
    scene_make(&s);
    for (int n = 0; n < 5; n++)
        interval(&s, 10, 0, 0.01, 3);
    s.member[0].block.count = 120;
    s.member[1].block.count = 80;
    interval(&s, 10, 0, 0.01, 3);
    for (int i = 0; i < MEMBERS; i++)
        s.samples[i].deviation = 0.5 * s.samples[i].computation / 10;
    xmpi_history_add(&s.history, &s.layout, &s.resources, s.samples, 3, th2);
    assert_true(rebalanced(&s));
    xmpi_history_free(&s.history);
}

/* Noise that is averaged out in long intervals is not taken for that of the short ones before. */
static void long_intervals_are_less_noisy(void **state)
{
    scene_t s;
    (void)state;
    scene_make(&s);
    for (int n = 0; n < 8; n++)
        interval(&s, 1, 0, 0.4, 3);
    for (int n = 0; n < 3; n++)
        interval(&s, 100, 0, 0.4, 3);
    for (int i = 1; i <= MEMBERS; i++)
        assert_true(s.history.speed[i].error < 0.1);
    xmpi_history_free(&s.history);
}

/* Iterations that differ as others take the CPU make a speed uncertain. */
static void what_others_take_is_noise(void **state)
{
    scene_t s;
    (void)state;
    scene_make(&s);
    interval(&s, 10, 1, 0.5, 3);
    assert_true(s.history.speed[2].error > 0.1);
    xmpi_history_free(&s.history);
}

/* Where one has more work than another that is no slower, and of its class, less evidence is
 * enough to make them even. */
static void what_noise_made_uneven_is_soon_even(void **state)
{
    (void)state;
    for (int class_index = 0; class_index < 2; class_index++) {
        scene_t s;
        scene_make(&s);
        s.member[0].block.count = 140;
        s.member[1].block = (xmpi_block_t){60, 140};
        s.pe[1].class_index = class_index;
        interval(&s, 10, 0, 0.01, 3);
        for (int i = 1; i <= MEMBERS; i++) {
            s.history.speed[i].speed = 100;
            s.history.speed[i].error = 0.15;
        }
        assert_int_equal(rebalanced(&s), class_index == 0);
        xmpi_history_free(&s.history);
    }
}

/* Where work wanders nobody waits until a speed that has just changed has lasted. */
static void wandering_work_does_not_wait_for_speeds(void **state)
{
    static double prefix[401];
    scene_t s;
    (void)state;
    for (int i = 0; i < 400; i++)
        prefix[i + 1] = prefix[i] + 1 + (i < 100);
    for (int weighted = 0; weighted < 2; weighted++) {
        scene_make(&s);
        for (int n = 0; n < 20; n++)
            tiny_interval(&s, 0.01, 1);
        s.speed[1] = 50;
        tiny_interval(&s, 0.01, 1);
        assert_int_equal(rebalanced_where_it_pays(&s, 0.01, weighted ? prefix : NULL), weighted);
        xmpi_history_free(&s.history);
    }
}

/* Speeds are uncertain, but it is known that the work has gone elsewhere. */
static void work_that_wanders_is_followed(void **state)
{
    static double prefix[401];
    scene_t s;
    (void)state;
    for (int weighted = 0; weighted < 2; weighted++) {
        xmpi_plan_t plan;
        scene_make(&s);
        for (int n = 0; n < 8; n++)
            interval(&s, 1, 0, 0.1, 3);
        for (int i = 0; i < MEMBERS; i++) {
            s.samples[i].work = 100 + 4 * i;
            s.samples[i].computation = (100 + 4 * i) / s.history.speed[i + 1].speed;
        }
        for (int i = 0; i < 400; i++)
            prefix[i + 1] = prefix[i] + 1 + 0.04 * (i / 100);
        for (int i = 1; i <= MEMBERS; i++)
            s.history.speed[i].speed = 100;
        xmpi_view_t view = {.layout = &s.layout,
                            .resources = &s.resources,
                            .samples = s.samples,
                            .history = &s.history,
                            .weighted = weighted,
                            .prefix = weighted ? prefix : NULL,
                            .imbalance_threshold = th1};
        assert_int_equal(
            xmpi_policy_balance.decide(&view, &plan, &(xmpi_decision_t){.chosen = -1}, NULL),
            XMPI_OK);
        assert_int_equal(plan.places, weighted ? MEMBERS : 0);
        xmpi_plan_free(&plan);
        xmpi_history_free(&s.history);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_of_1_react_to_every_burst),
        cmocka_unit_test(windows_of_3_react_to_longer_bursts),
        cmocka_unit_test(windows_of_5_react_to_long_term_load),
        cmocka_unit_test(interference_may_wander),
        cmocka_unit_test(th2_tells_noise_from_interference),
        cmocka_unit_test(noise_is_averaged_out),
        cmocka_unit_test(changes_are_followed_at_once),
        cmocka_unit_test(steps_are_no_noise),
        cmocka_unit_test(drifts_are_followed),
        cmocka_unit_test(speeds_of_pes_that_were_left_are_kept),
        cmocka_unit_test(samples_that_say_nothing_do_no_harm),
        cmocka_unit_test(noise_moves_no_rows),
        cmocka_unit_test(what_lasts_is_followed),
        cmocka_unit_test(work_that_differs_is_no_noise),
        cmocka_unit_test(work_that_wanders_is_followed),
        cmocka_unit_test(long_intervals_are_less_noisy),
        cmocka_unit_test(what_others_take_is_noise),
        cmocka_unit_test(what_noise_made_uneven_is_soon_even),
        cmocka_unit_test(wandering_work_does_not_wait_for_speeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
