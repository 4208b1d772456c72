/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of forecasts of speeds: what each says of a past, how much it has erred, which is chosen,
 * and that the one model of speeds goes by it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "decide/leader/leader.h"
#include "decide/model/forecast.h"
#include "decide/model/speeds.h"
#include "decide/policies/catalogue.h"

static double foretold(const xmpi_past_t *past, xmpi_forecast_kind_t kind)
{
    double error;
    return xmpi_forecast(past, kind, 100, &error);
}

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-5 * fabs(expected)))
        fail_msg("%.9g, not %.9g", value, expected);
}

/* Speeds of intervals of 10 s each, in a span of 100 s. */
static xmpi_past_t past_of(int n, const double *speed)
{
    xmpi_past_t past = {0};
    for (int i = 0; i < n; i++)
        xmpi_past_add(&past, speed[i], 10, 100, 100);
    return past;
}

static void each_says_what_it_is_called(void **state)
{
    (void)state;
    static const double speed[] = {1, 5, 3, 3, 8};
    xmpi_past_t past = past_of(5, speed);
    near(foretold(&past, XMPI_FORECAST_LAST), 8);
    near(foretold(&past, XMPI_FORECAST_MEAN), 4);
    near(foretold(&past, XMPI_FORECAST_MEDIAN), 3);
    near(foretold(&past, XMPI_FORECAST_LEVEL), 100);
    near(foretold(&past, XMPI_FORECAST_AUTO), 100);
    double smooth = 1, weight = 1 - exp(-0.4);
    for (int i = 1; i < 5; i++)
        smooth += weight * (speed[i] - smooth);
    near(foretold(&past, XMPI_FORECAST_EXPONENTIAL), smooth);
}

/* Means and medians are over time, not over intervals. */
static void long_intervals_count_more(void **state)
{
    (void)state;
    xmpi_past_t past = {0};
    xmpi_past_add(&past, 2, 30, 100, 100);
    xmpi_past_add(&past, 4, 10, 100, 100);
    xmpi_past_add(&past, 6, 10, 100, 100);
    near(foretold(&past, XMPI_FORECAST_MEAN), 160. / 50);
    near(foretold(&past, XMPI_FORECAST_MEDIAN), 2);
}

static void what_is_older_than_the_span_is_forgotten(void **state)
{
    (void)state;
    xmpi_past_t past = {0};
    xmpi_past_add(&past, 1, 10, 25, 100);
    xmpi_past_add(&past, 2, 10, 25, 100);
    xmpi_past_add(&past, 3, 10, 25, 100);
    near(foretold(&past, XMPI_FORECAST_MEAN), 2);
    xmpi_past_add(&past, 4, 10, 25, 100); /* the first one ended 30 s ago */
    near(foretold(&past, XMPI_FORECAST_MEAN), 3);
    xmpi_past_skip(&past, 100);
    near(foretold(&past, XMPI_FORECAST_MEAN), 3); /* there is nothing better */
    xmpi_past_add(&past, 9, 10, 25, 100);
    near(foretold(&past, XMPI_FORECAST_MEAN), 9);
    xmpi_past_add(&past, 7, 10, 0, 100); /* no span: the last one */
    near(foretold(&past, XMPI_FORECAST_MEAN), 7);
    near(foretold(&past, XMPI_FORECAST_EXPONENTIAL), 7);
}

/* However many intervals there are in it, the span is covered. */
static void many_intervals_are_one_point(void **state)
{
    (void)state;
    xmpi_past_t past = {0};
    for (int i = 0; i < 1000; i++)
        xmpi_past_add(&past, i < 950 ? 1 : 3, 1, 100, 100);
    assert_in_range(past.points, XMPI_PAST_MAX / 2, XMPI_PAST_MAX);
    double mean = foretold(&past, XMPI_FORECAST_MEAN);
    assert_true(mean > 1.85 && mean < 2.15); /* of the last 100 s, or a point more */
}

static void errors_are_those_of_what_was_foretold(void **state)
{
    (void)state;
    static const double speed[] = {1, 2, 1, 2};
    xmpi_past_t past = past_of(4, speed);
    double error, means[] = {1, 3. / 2, 4. / 3}, sum = 0;
    for (int i = 0; i < 3; i++)
        sum += 1 / means[i]; /* the last one is off by 1 each time */
    near(xmpi_forecast(&past, XMPI_FORECAST_LAST, 100, &error), 2);
    near(error, sum / 3 * sqrt(acos(-1) / 2));
    xmpi_past_t none = {0};
    near(xmpi_forecast(&none, XMPI_FORECAST_LAST, 100, &error) + 1, 1);
    assert_true(error < 0);
}

static void the_one_that_erred_least_is_chosen(void **state)
{
    (void)state;
    double steps[40], spikes[40], noise[40];
    for (int i = 0; i < 40; i++) {
        steps[i] = i < 20 ? 1 : 4; /* lasts: the last one knows at once */
        spikes[i] = i % 7 == 6 ? 0.2 : 1;
        noise[i] = i % 2 == 0 ? 0.9 : 1.1;
    }
    xmpi_past_t past = past_of(40, steps);
    assert_int_equal(xmpi_forecast_best(&past), XMPI_FORECAST_LAST);
    past = past_of(40, spikes);
    assert_int_equal(xmpi_forecast_best(&past), XMPI_FORECAST_MEDIAN);
    past = past_of(40, noise);
    xmpi_forecast_kind_t best = xmpi_forecast_best(&past);
    assert_true(best == XMPI_FORECAST_MEAN || best == XMPI_FORECAST_EXPONENTIAL);
    near(foretold(&past, XMPI_FORECAST_BEST), foretold(&past, best));
    assert_int_equal(xmpi_forecast_best(&(xmpi_past_t){0}), XMPI_FORECAST_LEVEL);
}

static void what_is_no_speed_is_not_taken_in(void **state)
{
    (void)state;
    xmpi_past_t past = {0};
    xmpi_past_add(&past, 0, 10, 100, 1);
    xmpi_past_add(&past, NAN, 10, 100, 1);
    xmpi_past_add(&past, INFINITY, 10, 100, 1);
    xmpi_past_add(&past, 1, 0, 100, 1);
    assert_int_equal(past.points, 0);
}

/* --- in the model of speeds --------------------------------------------------------------------
 */

/* A member on the first of two PEs of a class. */
typedef struct {
    xmpi_member_t member;
    xmpi_layout_t layout;
    xmpi_pe_t pe[2];
    xmpi_resources_t resources;
    xmpi_sample_t sample;
    xmpi_schedule_t schedule;
    xmpi_wishes_t wishes;
    xmpi_occasion_t at;
    xmpi_leader_t leader;
} scene_t;

static void scene_make(scene_t *s, const xmpi_policy_t *policy, xmpi_forecast_kind_t forecast,
                       double span)
{
    memset(s, 0, sizeof *s);
    s->member.block.count = 100;
    s->layout = (xmpi_layout_t){.domain = 100, .members = 1, .member = &s->member};
    s->pe[1].process = -1;
    s->resources = (xmpi_resources_t){
        .pes = 2, .pe = s->pe, .classes = 1, .max_members = 1, .can_spawn = true, .anchor = -1};
    s->wishes = (xmpi_wishes_t){.interval = 10,
                                .window = 1,
                                .interference = 0.05,
                                .schedule = &s->schedule,
                                .forecast = forecast,
                                .swap = {.history = span, .doubt = XMPI_SWAP_DOUBT}};
    s->at = (xmpi_occasion_t){.policy = policy,
                              .wishes = &s->wishes,
                              .layout = &s->layout,
                              .resources = &s->resources,
                              .samples = &s->sample};
}

static xmpi_power_t after(scene_t *s, int n, const double *speed)
{
    xmpi_speeds_t speeds;
    xmpi_evidence_t evidence = {&s->layout, &s->resources, &s->sample, &s->leader.history, NULL};
    for (int i = 0; i < n; i++) {
        xmpi_step_t step;
        s->sample = (xmpi_sample_t){
            .iterations = 10, .wall = 10, .computation = 10, .cpu = 10, .work = 10 * speed[i]};
        s->at.iteration += 10;
        xmpi_leader_step(&s->leader, &s->at, &step);
        xmpi_step_free(&step);
    }
    assert_int_equal(xmpi_speeds_make(&speeds, &evidence), XMPI_OK);
    xmpi_power_t power = speeds.member[0];
    xmpi_speeds_free(&speeds);
    xmpi_leader_free(&s->leader);
    return power;
}

static void speeds_are_foretold_as_the_user_says(void **state)
{
    (void)state;
    static const double speed[] = {1, 1, 1, 1, 1, 1, 1, 1, 2};
    scene_t s;
    scene_make(&s, NULL, XMPI_FORECAST_AUTO, 60);
    near(after(&s, 9, speed).speed, 2); /* it has changed */
    assert_int_equal(s.leader.history.pasts, 0);
    scene_make(&s, NULL, XMPI_FORECAST_MEDIAN, 60);
    near(after(&s, 9, speed).speed, 1);
    scene_make(&s, NULL, XMPI_FORECAST_MEAN, 40);
    near(after(&s, 9, speed).speed, 1.25);
}

static void a_policy_declares_that_it_goes_by_forecasts(void **state)
{
    (void)state;
    static const double speed[] = {1, 1, 0.2, 1, 1, 1, 0.2, 1, 1, 1, 0.2, 1, 1, 1, 0.2};
    scene_t s;
    scene_make(&s, &xmpi_policy_swap, XMPI_FORECAST_AUTO, 150);
    near(after(&s, 15, speed).speed, 1); /* the median erred least */
    scene_make(&s, &xmpi_policy_swap, XMPI_FORECAST_AUTO, 0);
    near(after(&s, 15, speed).speed, 0.2); /* no history: the last */
    scene_make(&s, &xmpi_policy_swap, XMPI_FORECAST_MEAN, 40);
    near(after(&s, 15, speed).speed, 0.8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_says_what_it_is_called),
        cmocka_unit_test(long_intervals_count_more),
        cmocka_unit_test(what_is_older_than_the_span_is_forgotten),
        cmocka_unit_test(many_intervals_are_one_point),
        cmocka_unit_test(errors_are_those_of_what_was_foretold),
        cmocka_unit_test(the_one_that_erred_least_is_chosen),
        cmocka_unit_test(what_is_no_speed_is_not_taken_in),
        cmocka_unit_test(speeds_are_foretold_as_the_user_says),
        cmocka_unit_test(a_policy_declares_that_it_goes_by_forecasts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
