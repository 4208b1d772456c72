/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of idle PEs that are seen: what the load of a node leaves, what follows for speeds, and
 * that processes go where it is quicker and not where it only was. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "act/machine/load.h"
#include "act/machine/rate.h"
#include "base/process/seconds.h"
#include "decide/leader/leader.h"
#include "decide/policies/catalogue.h"
#include "decide/planning/start.h"
#include "support/command.h"

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%.12g, not %.12g", value, expected);
}

/* A node with so many CORES, of which BUSY were in use for ten seconds. */
static double share(double cores, double busy, int members, double used)
{
    xmpi_load_t load = {.cores = cores, .busy = 10 * busy, .seconds = 10};
    return xmpi_load_share(&load, members, used);
}

static void others_leave_what_they_do_not_want(void **state)
{
    (void)state;
    near(share(1, 0, 0, 0), 1);
    near(share(1, 0.3, 0, 0), 0.7);
    near(share(1, 1, 0, 0), 0.5); /* one wants all of it */
    near(share(2, 1, 0, 0), 1);   /* there is another core */
    near(share(2, 2, 0, 0), 2. / 3);
    near(share(4, 2.5, 0, 0), 1);
    assert_true(share(1, -1, 0, 0) + share(0, 0, 0, 0) <= 0); /* no answer */
}

/* A program is no load to itself. */
static void what_members_use_is_no_load(void **state)
{
    (void)state;
    near(share(2, 1, 1, 1), 1);
    near(share(2, 2, 1, 1), 2. / 3); /* a member and one more */
    near(share(2, 0.4, 1, 0.4), 1);
    near(share(1, 1, 1, 1), 0.5); /* the member's core */
    near(share(1, 0.2, 0, 0.5), 1);
}

static void the_file_is_read(void **state)
{
    (void)state;
    xmpi_cpu_use_t use;
    char *dir = scratch_make(), path[4096];
    snprintf(path, sizeof path, "%s/stat", dir);
    write_file(path, "cpu  1 1 1 1 1 1 1 1 0 0\ncpu0 100 200 300 7 9 10 20 70 0 0\nintr 5\n");
    assert_true(xmpi_cpu_use(dir, "a", &use));
    near(use.cores, 1);
    near(use.busy, 7); /* 100 ticks a second */
    snprintf(path, sizeof path, "%s/a", dir);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/a/stat", dir);
    write_file(path, "cpu0 100 0 0 7\n");
    assert_true(xmpi_cpu_use(dir, "a", &use));
    near(use.busy, 1);
    write_file(path, "nothing\n");
    assert_false(xmpi_cpu_use(dir, "a", &use));
    assert_false(xmpi_cpu_use("/nowhere", "a", &use));
    assert_true(xmpi_cpu_use("/proc", "", &use));
    assert_true(use.cores >= 1 && use.busy > 0);
    scratch_remove(dir);
}

/* By its CPU time: more than any CPU of today does not, and not much less when asked again. */
static void the_rate_of_this_cpu_is_measured(void **state)
{
    (void)state;
    double cpu = xmpi_seconds_cpu(), rate = xmpi_rate_measure();
    assert_true(xmpi_seconds_cpu() - cpu < 100 * xmpi_rate_seconds);
    assert_true(rate > 1 && rate < 1e6);
    double again = xmpi_rate_measure();
    assert_true(again > rate / 10 && again < 10 * rate);
}

/* --- the start -----------------------------------------------------------------------------------
 */

enum { PROCESSES = 6 };

/* Two processes on each of three nodes of two cores, which are of CLASSES (NULL: of none). Who of
 * ACTIVE is chosen, as "013". */
static void assert_chosen_of(const int *classes, const double *rate, const double *busy, int active,
                             const char *expected)
{
    xmpi_start_process_t process[PROCESSES];
    char chosen[PROCESSES], text[PROCESSES + 1] = "";
    for (int i = 0; i < PROCESSES; i++)
        process[i] = (xmpi_start_process_t){
            i / 2,
            classes != NULL ? classes[i / 2] : XMPI_ANY_CLASS,
            {.cores = 2, .busy = busy[i / 2], .seconds = 1, .rate = rate[i / 2]}};
    assert_int_equal(xmpi_start_choose(process, PROCESSES, 3, active, chosen), XMPI_OK);
    for (int i = 0; i < PROCESSES; i++)
        if (chosen[i])
            sprintf(text + strlen(text), "%d", i);
    assert_string_equal(text, expected);
}

static void assert_chosen(const double *rate, const double *busy, int active, const char *expected)
{
    assert_chosen_of(NULL, rate, busy, active, expected);
}

static void the_quickest_processes_begin(void **state)
{
    (void)state;
    static const double same[] = {100, 110, 95}, last[] = {100, 100, 300}, none[] = {100, 0, 300},
                        idle[] = {0, 0, 0}, first[] = {2, 0, 0}, all[] = {2, 2, 2};
    assert_chosen(same, idle, 3, "012");
    assert_chosen(same, first, 3, "023"); /* the first one stays */
    assert_chosen(same, first, 5, "02345");
    assert_chosen(last, idle, 2, "04");
    assert_chosen(last, idle, 3, "045");
    assert_chosen(none, idle, 3, "012"); /* nobody knows the second */
    assert_chosen(same, all, 6, "012345");
    assert_chosen(same, idle, 1, "0");
}

/* What differs within a class is the moment of the measurement, also where that was of the slowest
 * class; what others want there counts all the same. */
static void those_of_a_class_are_equally_quick(void **state)
{
    (void)state;
    static const int one[] = {0, 0, 0}, two[] = {0, 1, 1};
    static const double moments[] = {100, 60, 160}, classes[] = {100, 150, 60},
                        none[] = {100, 0, 160}, idle[] = {0, 0, 0}, second[] = {0, 2, 0};
    assert_chosen(moments, idle, 2, "04");
    assert_chosen_of(one, moments, idle, 2, "01");
    assert_chosen_of(one, moments, second, 4, "0145");
    assert_chosen_of(two, classes, idle, 3, "023");
    assert_chosen_of(two, classes, second, 3, "045");
    assert_chosen_of(one, none, idle, 3, "012"); /* nobody knows the second */
}

/* --- speeds ------------------------------------------------------------------------------------
 */

enum { PES = 5, MEMBERS = 2 };

/* Two members that do 100 units a second where nobody else is; two more PEs of their class, and one
 * of another. */
typedef struct {
    xmpi_member_t member[MEMBERS];
    xmpi_layout_t layout;
    xmpi_pe_t pe[PES];
    xmpi_resources_t resources;
    xmpi_sample_t samples[MEMBERS];
    xmpi_idle_t seen[PES];
    xmpi_schedule_t schedule;
    xmpi_wishes_t wishes;
    xmpi_occasion_t at;
    xmpi_leader_t leader;
    xmpi_step_t step;
    double work[MEMBERS]; /* in an interval */
} scene_t;

static void scene_make(scene_t *s)
{
    memset(s, 0, sizeof *s);
    s->layout = (xmpi_layout_t){.domain = 200, .members = MEMBERS, .member = s->member};
    s->resources = (xmpi_resources_t){
        .pes = PES, .pe = s->pe, .classes = 2, .max_members = PES, .can_spawn = true, .anchor = -1};
    for (int i = 0; i < PES; i++)
        s->pe[i] = (xmpi_pe_t){.class_index = i == 4, .process = i < MEMBERS ? i : -1};
    for (int i = 0; i < MEMBERS; i++)
        s->member[i] = (xmpi_member_t){i, {100, 100 * i}};
    s->work[0] = s->work[1] = 1000;
    s->wishes = (xmpi_wishes_t){.interval = 10,
                                .imbalance = 1,
                                .window = 1,
                                .interference = 0.05,
                                .schedule = &s->schedule};
    s->wishes.swap = (xmpi_swap_terms_t){.payback = INFINITY, .doubt = XMPI_SWAP_DOUBT};
    s->at = (xmpi_occasion_t){.policy = &xmpi_policy_swap,
                              .wishes = &s->wishes,
                              .layout = &s->layout,
                              .resources = &s->resources,
                              .samples = s->samples,
                              .idle = s->seen};
}

/* An interval in which members have this share of their PEs. */
static void sampled_interval(scene_t *s, double members_share, double cpu)
{
    xmpi_step_free(&s->step);
    for (int i = 0; i < MEMBERS; i++)
        s->samples[i] = (xmpi_sample_t){.iterations = 10,
                                        .wall = 10 / members_share,
                                        .computation = 10 / members_share,
                                        .cpu = cpu,
                                        .work = s->work[i]};
    s->at.iteration += 10;
    xmpi_leader_step(&s->leader, &s->at, &s->step);
    assert_int_not_equal(s->step.outcome, XMPI_STEP_FAILED);
}

static void interval(scene_t *s, double members_share)
{
    sampled_interval(s, members_share, 10);
}

static void scene_free(scene_t *s)
{
    xmpi_step_free(&s->step);
    xmpi_leader_free(&s->leader);
}

static xmpi_power_t power_of(const scene_t *s, int pe)
{
    xmpi_speeds_t speeds;
    xmpi_evidence_t evidence = {&s->layout, &s->resources, s->samples, &s->leader.history, NULL};
    assert_int_equal(xmpi_speeds_make(&speeds, &evidence), XMPI_OK);
    xmpi_power_t power = speeds.pe[pe];
    xmpi_speeds_free(&speeds);
    return power;
}

static void capacity_is_what_a_member_would_do_alone(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.seen[2] = (xmpi_idle_t){.share = 1, .seconds = 10};
    s.seen[3] = (xmpi_idle_t){.share = 0.5, .seconds = 10};
    s.seen[4] = (xmpi_idle_t){.share = 1, .seconds = 10};
    interval(&s, 0.5);
    assert_int_equal(power_of(&s, 0).origin, XMPI_SPEED_MEASURED);
    near(power_of(&s, 0).speed, 50);
    assert_int_equal(power_of(&s, 2).origin, XMPI_SPEED_SEEN);
    near(power_of(&s, 2).speed, 100);
    near(power_of(&s, 3).speed, 50);
    assert_int_equal(power_of(&s, 4).origin, XMPI_SPEED_OF_ALL); /* nobody knows that class */
    memset(s.seen, 0, sizeof s.seen);
    interval(&s, 0.5);
    assert_int_equal(power_of(&s, 2).origin, XMPI_SPEED_REMEMBERED); /* it was not asked */
    near(power_of(&s, 2).speed, 100);
    near(power_of(&s, 2).age, 20);
    scene_free(&s);
}

/* CPU time is told by samples, of which one may have seen next to nothing. */
static void one_interval_does_not_make_others_look_quick(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    for (int i = 0; i < 8; i++) {
        s.seen[2] = (xmpi_idle_t){.share = 1, .seconds = 10};
        sampled_interval(&s, 1, i == 4 ? 0.1 : 10);
    }
    assert_true(power_of(&s, 2).speed < 130 && power_of(&s, 2).speed > 100);
    scene_free(&s);
}

/* A class that no member was on is known by work of ours, by which the leader's PE is known, too;
 * but not as well. */
static void a_rate_stands_for_a_class_that_nobody_was_on(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.seen[4] = (xmpi_idle_t){.share = 0.5, .seconds = 10, .rate = 600};
    interval(&s, 1);
    assert_int_equal(power_of(&s, 4).origin, XMPI_SPEED_OF_ALL); /* in what units? */
    s.seen[0].rate = 200;
    interval(&s, 1);
    assert_int_equal(power_of(&s, 4).origin, XMPI_SPEED_SEEN);
    near(power_of(&s, 4).speed, 150);
    assert_true(power_of(&s, 4).error >= 0.2);
    s.seen[0].rate = s.seen[4].rate = 0; /* they are remembered */
    interval(&s, 1);
    near(power_of(&s, 4).speed, 150);
    assert_int_equal(s.step.outcome, XMPI_STEP_KEEPS); /* one alone, and not surely enough */
    s.layout.members = 1;
    s.pe[1].process = -1;
    s.member[0].block.count = 200;
    s.seen[4] = (xmpi_idle_t){.share = 1, .seconds = 10, .rate = 600};
    interval(&s, 1);
    assert_true(power_of(&s, 4).error >= 0.2);
    assert_int_equal(s.step.outcome, XMPI_STEP_CHANGES);
    assert_int_equal(s.step.plan.place[0].pe, 4);
    scene_free(&s);
}

/* Members of one class that do not do the same make others of it uncertain. */
static void a_class_is_known_as_well_as_its_members_are_alike(void **state)
{
    (void)state;
    scene_t s;
    for (int differ = 0; differ < 2; differ++) {
        scene_make(&s);
        s.seen[2] = (xmpi_idle_t){.share = 1, .seconds = 10};
        s.work[1] = differ ? 500 : 1000;
        interval(&s, 1);
        assert_true(differ ? power_of(&s, 2).error > 0.3 : power_of(&s, 2).error < 0.1);
        scene_free(&s);
    }
}

/* All members are equally slow, so that their class is; which one is better is seen alone. */
static void processes_go_where_nobody_else_is(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    interval(&s, 0.5);
    assert_int_equal(s.step.outcome, XMPI_STEP_KEEPS);
    s.seen[2] = s.seen[3] = (xmpi_idle_t){.share = 1, .seconds = 10};
    interval(&s, 0.5);
    assert_int_equal(s.step.outcome, XMPI_STEP_CHANGES);
    assert_int_equal(xmpi_plan_joiners(&s.step.plan), 2);
    s.seen[3] = (xmpi_idle_t){.share = 0.5, .seconds = 10}; /* one alone gains nothing */
    interval(&s, 0.5);
    assert_int_equal(s.step.outcome, XMPI_STEP_KEEPS);
    scene_free(&s);
}

/* The members' own load is none: they do not take flight from themselves. */
static void nobody_goes_for_its_own_load(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    for (int i = 0; i < 20; i++) {
        s.seen[2] = s.seen[3] = (xmpi_idle_t){.share = share(1, 0, 0, 0), .seconds = 10};
        interval(&s, 1);
        assert_int_equal(s.step.outcome, XMPI_STEP_KEEPS);
    }
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_leave_what_they_do_not_want),
        cmocka_unit_test(what_members_use_is_no_load),
        cmocka_unit_test(the_file_is_read),
        cmocka_unit_test(the_quickest_processes_begin),
        cmocka_unit_test(those_of_a_class_are_equally_quick),
        cmocka_unit_test(the_rate_of_this_cpu_is_measured),
        cmocka_unit_test(capacity_is_what_a_member_would_do_alone),
        cmocka_unit_test(one_interval_does_not_make_others_look_quick),
        cmocka_unit_test(a_rate_stands_for_a_class_that_nobody_was_on),
        cmocka_unit_test(a_class_is_known_as_well_as_its_members_are_alike),
        cmocka_unit_test(processes_go_where_nobody_else_is),
        cmocka_unit_test(nobody_goes_for_its_own_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
