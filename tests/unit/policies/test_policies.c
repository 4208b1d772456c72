/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the policies: from a view to a plan, without MPI. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/planning/appointments.h"
#include "decide/policies/catalogue.h"
#include "decide/policy/policy.h"

enum { MEMBERS = 4, PES = 7 };

/* Four members on PEs of classes A A B B, three empty PEs of classes A B B. */
typedef struct {
    xmpi_member_t member[PES];
    xmpi_layout_t layout;
    xmpi_pe_t pe[PES];
    xmpi_resources_t resources;
    xmpi_sample_t samples[PES];
    xmpi_action_t action[4];
    xmpi_schedule_t schedule;
    xmpi_view_t view;
} scene_t;

static void scene_make(scene_t *s)
{
    static const int class_of[PES] = {0, 0, 1, 1, 0, 1, 1};
    memset(s, 0, sizeof *s);
    s->layout = (xmpi_layout_t){.domain = 1200, .members = MEMBERS, .member = s->member};
    s->resources = (xmpi_resources_t){.pes = PES,
                                      .pe = s->pe,
                                      .classes = 2,
                                      .class_name = {"A", "B"},
                                      .max_members = PES,
                                      .can_spawn = true,
                                      .anchor = 0};
    for (int i = 0; i < PES; i++) {
        s->pe[i].class_index = class_of[i];
        s->pe[i].process = i < MEMBERS ? i : -1;
    }
    for (int i = 0; i < MEMBERS; i++) {
        s->member[i] = (xmpi_member_t){i, {300, 300 * i}};
        s->samples[i].work = 300;
        s->samples[i].computation = class_of[i] == 0 ? 2 : 1; /* B is twice as fast */
    }
    s->schedule = (xmpi_schedule_t){.actions = 0, .action = s->action};
    s->view = (xmpi_view_t){.layout = &s->layout,
                            .resources = &s->resources,
                            .samples = s->samples,
                            .from_iteration = 100,
                            .iteration = 200,
                            .imbalance_threshold = 0.05,
                            .schedule = &s->schedule,
                            .seed = 1,
                            .remaining = -1,
                            .may_grow = true};
}

static xmpi_plan_t decided(const xmpi_policy_t *policy, const scene_t *s)
{
    xmpi_plan_t plan;
    xmpi_decision_t decision = {.chosen = -1};
    xmpi_error_t error = {""};
    xmpi_status_t status = policy->decide(&s->view, &plan, &decision, &error);
    if (status != XMPI_OK)
        fail_msg("%s", error.text);
    if (plan.places > 0 &&
        xmpi_plan_check_in_loop(&plan, &s->layout, &s->resources, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    return plan;
}

static void balance_divides_by_measured_speed(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    xmpi_plan_t plan = decided(&xmpi_policy_balance, &s);
    assert_int_equal(plan.places, MEMBERS);
    assert_int_equal(plan.place[0].block.count, 200);
    assert_int_equal(plan.place[3].block.count, 400);
    assert_string_equal(xmpi_plan_kind(&plan, &s.layout), "rebalance");
    xmpi_plan_free(&plan);
}

static void balance_tolerates_a_small_imbalance(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    for (int i = 0; i < MEMBERS; i++)
        s.samples[i].computation = 1 + 0.01 * i; /* 2.9 %: below TH1 */
    xmpi_plan_t plan = decided(&xmpi_policy_balance, &s);
    assert_int_equal(plan.places, 0);
    s.samples[3].computation = 1.06; /* 5.7 % */
    plan = decided(&xmpi_policy_balance, &s);
    assert_int_equal(plan.places, MEMBERS);
    xmpi_plan_free(&plan);
}

static void balance_needs_no_sample_of_everybody(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.samples[2].work = 0; /* had no rows: taken for as fast as the other of its class */
    s.samples[2].computation = 0;
    xmpi_plan_t plan = decided(&xmpi_policy_balance, &s);
    assert_int_equal(plan.place[2].block.count, 400);
    xmpi_plan_free(&plan);
}

static void balance_asks_for_weights_and_divides_by_them(void **state)
{
    (void)state;
    scene_t s;
    xmpi_plan_t plan;
    double prefix[1201];
    scene_make(&s);
    for (int row = 0; row <= 1200; row++) /* the last third weighs nothing */
        prefix[row] = row < 800 ? row : 800;
    s.view.weighted = true;
    assert_int_equal(
        xmpi_policy_balance.decide(&s.view, &plan, &(xmpi_decision_t){.chosen = -1}, NULL),
        XMPI_NEEDS_WEIGHTS);
    assert_int_equal(plan.places, 0);
    s.view.prefix = prefix;
    plan = decided(&xmpi_policy_balance, &s);
    assert_int_equal(plan.places, MEMBERS);
    for (int i = 0; i < MEMBERS; i++) {
        const xmpi_block_t *block = &plan.place[i].block;
        double weight = prefix[block->displ + block->count] - prefix[block->displ];
        assert_true(weight <= (i < 2 ? 134 : 267)); /* a sixth, a third, and a row */
    }
    xmpi_plan_free(&plan);
    s.action[s.schedule.actions++] = (xmpi_action_t){XMPI_ACTION_SPAWN, 1, 1, 150, 1};
    s.view.prefix = NULL;
    assert_int_equal(
        xmpi_policy_schedule.decide(&s.view, &plan, &(xmpi_decision_t){.chosen = -1}, NULL),
        XMPI_NEEDS_WEIGHTS);
}

/* The scene is 2 s against 1 s in 10 iterations; balanced, it is 1.33 s. */
static bool rebalances(int64_t remaining, int64_t iteration, double row_bytes)
{
    scene_t s;
    xmpi_calibration_t calibration = {0};
    xmpi_model_t model = {0};
    xmpi_predictor_t predictor;
    xmpi_moved_array_t array = {
        .scheme = XMPI_SCHEME_DISTRIBUTED, .rows = 1200, .row_bytes = row_bytes};
    xmpi_error_t error = {""};
    scene_make(&s);
    for (int i = 0; i < MEMBERS; i++) {
        s.samples[i].iterations = 10;
        s.samples[i].wall = 2;
    }
    for (int i = 0; i < XMPI_LINKS; i++)
        calibration.link[i] = (xmpi_link_t){1e-3, 1e-9, 1e-3, 1e-9, 1e9};
    for (int i = 0; i < XMPI_CURVES; i++)
        calibration.curve[i] = (xmpi_curve_t){.points = 1, .point = {{1, 0.01}}};
    calibration.gamma = 1e-9;
    xmpi_situation_t at = {.layout = &s.layout,
                           .resources = &s.resources,
                           .samples = s.samples,
                           .calibration = &calibration,
                           .model = &model,
                           .arrays = 1,
                           .array = &array,
                           .iteration = iteration,
                           .creation = XMPI_CURVE_CONCURRENT};
    if (xmpi_predictor_make(&predictor, &at, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    s.view.predictor = &predictor;
    s.view.remaining = remaining;
    s.view.iteration = iteration;
    xmpi_plan_t plan = decided(&xmpi_policy_balance, &s);
    bool changes = plan.places > 0;
    if (!changes)
        assert_non_null(strstr(plan.reason, "a move takes longer than it saves"));
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&predictor);
    return changes;
}

/* At 67 ms saved in an iteration, and some 100 rows of 10 MB that a member sends in a second. */
static void balance_moves_only_what_pays(void **state)
{
    (void)state;
    assert_true(rebalances(100, 10, 8));
    assert_true(rebalances(100, 10, 10000000));
    assert_false(rebalances(3, 10, 10000000));
    assert_true(rebalances(3, 10, 8));
    assert_false(rebalances(0, 10, 8));
    assert_true(rebalances(-1, 10, 10000000));   /* 100 iterations are hoped for */
    assert_false(rebalances(-1, 10, 200000000)); /* and that would take more */
    assert_true(rebalances(-1, 5000, 200000000));
}

static void balance_says_why_it_keeps(void **state)
{
    (void)state;
    scene_t s;
    xmpi_history_t history = {0};
    scene_make(&s);
    for (int i = 0; i < MEMBERS; i++) {
        s.samples[i].iterations = 10;
        s.samples[i].cpu = s.samples[i].computation * (i == 0 ? 0.5 : 1);
    }
    assert_int_equal(xmpi_history_add(&history, &s.layout, &s.resources, s.samples, 3, 0.05),
                     XMPI_OK);
    s.view.history = &history;
    xmpi_plan_t plan = decided(&xmpi_policy_balance, &s);
    assert_int_equal(plan.places, 0);
    assert_string_equal(plan.reason, "computation times differ by 50.0 %: a burst of interference");
    xmpi_history_free(&history);
}

static void schedule_grows_by_class_when_due(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.action[s.schedule.actions++] = (xmpi_action_t){XMPI_ACTION_SPAWN, 2, 1, 150, 1};
    xmpi_plan_t plan = decided(&xmpi_policy_schedule, &s);
    assert_int_equal(plan.places, 6);
    assert_int_equal(plan.place[4].origin, XMPI_NEW);
    assert_int_equal(plan.place[4].pe, 5);
    assert_int_equal(plan.place[5].pe, 6);
    assert_int_equal(plan.place[5].block.count, 240); /* as fast as the others of class B */
    assert_int_equal(plan.place[0].block.count, 120);
    xmpi_plan_free(&plan);
    s.view.from_iteration = 150; /* not due any more: balances */
    plan = decided(&xmpi_policy_schedule, &s);
    assert_int_equal(plan.places, MEMBERS);
    xmpi_plan_free(&plan);
}

/* Keeps the appointment of SHARES at iteration 150 of loop 2. */
static xmpi_plan_t kept(scene_t *s, xmpi_share_t *shares, int n)
{
    xmpi_appointment_t appointment = {.loop = 2, .iteration = 150, .places = n, .line = 7};
    s->schedule = (xmpi_schedule_t){
        .appointments = 1, .appointment = &appointment, .shares = n, .share = shares};
    s->view.loop = 2;
    return decided(&xmpi_policy_schedule, s);
}

static void layouts_of_a_schedule_are_followed(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    xmpi_share_t shares[] = {{0, 500}, {6, 0}, {3, 700}};
    xmpi_plan_t plan = kept(&s, shares, 3);
    assert_int_equal(plan.places, 3);
    assert_int_equal(plan.place[0].origin, XMPI_STAYS);
    assert_int_equal(plan.place[1].origin, XMPI_NEW);
    assert_int_equal(plan.place[1].pe, 6);
    assert_int_equal(plan.place[2].from, 3);
    assert_int_equal(plan.place[2].block.displ, 500);
    assert_int_equal(plan.place[2].block.count, 700);
    assert_string_equal(plan.reason, "schedule: the layout in line 7");
    xmpi_plan_free(&plan);
    xmpi_share_t turned[] = {{3, 1}, {0, 1199}}; /* members stay in their order */
    plan = kept(&s, turned, 2);
    assert_int_equal(plan.place[0].from, 0);
    assert_int_equal(plan.place[1].from, 3);
    assert_int_equal(plan.place[1].block.count, 1199);
    xmpi_plan_free(&plan);
    xmpi_share_t same[] = {{0, 300}, {1, 300}, {2, 300}, {3, 300}};
    assert_int_equal(kept(&s, same, 4).places, 0);
    assert_int_equal(kept(&s, NULL, 0).places, 0);
}

static void layouts_come_in_their_loop_and_iteration(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    xmpi_share_t all = {0, 1200};
    xmpi_appointment_t two[] = {{.loop = 2, .iteration = 150, .places = 1},
                                {.loop = 2, .iteration = 250, .places = 1}};
    s.schedule =
        (xmpi_schedule_t){.appointments = 2, .appointment = two, .shares = 1, .share = &all};
    s.view.loop = 1;
    assert_int_equal(decided(&xmpi_policy_schedule, &s).places, 0);
    s.view.loop = 2;
    s.view.iteration = 149;
    assert_int_equal(decided(&xmpi_policy_schedule, &s).places, 0);
    s.view.from_iteration = 150;
    s.view.iteration = 249;
    assert_int_equal(decided(&xmpi_policy_schedule, &s).places, 0);
    assert_int_equal(xmpi_appointment_until(&s.schedule, 2, 0, 1000), 150);
    assert_int_equal(xmpi_appointment_until(&s.schedule, 2, 150, 1000), 100);
    assert_int_equal(xmpi_appointment_until(&s.schedule, 2, 150, 10), 10);
    assert_int_equal(xmpi_appointment_until(&s.schedule, 2, 250, 1000), 1000);
    assert_int_equal(xmpi_appointment_until(&s.schedule, 1, 0, 1000), 1000);
}

static void layouts_of_another_domain_are_refused(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    xmpi_share_t few = {0, 1100};
    xmpi_appointment_t one = {.loop = 1, .iteration = 150, .places = 1, .line = 3};
    xmpi_plan_t plan;
    xmpi_error_t error = {""};
    s.view.loop = 1;
    s.schedule =
        (xmpi_schedule_t){.appointments = 1, .appointment = &one, .shares = 1, .share = &few};
    assert_int_equal(
        xmpi_policy_schedule.decide(&s.view, &plan, &(xmpi_decision_t){.chosen = -1}, &error),
        XMPI_ERR_INPUT);
    assert_string_equal(error.text,
                        "the layout in line 3 of the schedule has 1100 rows, the loop 1200");
    assert_int_equal(plan.places, 0);
}

/* Nodes as in thesis Figs 4.14-4.17: three quad, two dual; MEMBERS on each. */
typedef struct {
    xmpi_pe_t pe[16];
    xmpi_member_t member[16];
    xmpi_resources_t resources;
    xmpi_layout_t layout;
} cluster_t;

static void cluster_make(cluster_t *c, const int members[5])
{
    static const int size[5] = {4, 4, 4, 2, 2};
    memset(c, 0, sizeof *c);
    c->resources = (xmpi_resources_t){.pe = c->pe,
                                      .classes = 2,
                                      .class_name = {"quad", "dual"},
                                      .max_members = 16,
                                      .can_spawn = true,
                                      .anchor = 0};
    c->layout.member = c->member;
    for (int node = 0; node < 5; node++)
        for (int i = 0; i < size[node]; i++) {
            xmpi_pe_t *pe = &c->pe[c->resources.pes++];
            snprintf(pe->node, sizeof pe->node, "node%d", node);
            pe->class_index = node >= 3;
            pe->process = i < members[node] ? c->layout.members : -1;
            if (i < members[node])
                c->member[c->layout.members].process = c->layout.members, c->layout.members++;
        }
}

/* The node that gets (or loses, when LEAVING) one more process. */
static const char *chosen_node(const int members[5], xmpi_placement_t placement, bool leaving,
                               int class_index)
{
    static cluster_t c;
    xmpi_selection_t s;
    const char *node = "none";
    cluster_make(&c, members);
    assert_int_equal(xmpi_selection_make(&s, &c.resources, &c.layout, placement), XMPI_OK);
    bool found =
        leaving ? xmpi_select_leaver(&s, class_index) : xmpi_select_joiner(&s, class_index);
    for (int i = 0; i < c.resources.pes && found; i++)
        if (leaving ? c.pe[i].process >= 0 && s.leaves[c.pe[i].process] : s.taken[i])
            node = c.pe[i].node;
    xmpi_selection_free(&s);
    return node;
}

static void processes_are_placed_as_in_the_thesis(void **state)
{
    (void)state;
    const int spawning[5] = {2, 1, 0, 1, 1}, removing[5] = {1, 1, 0, 2, 1};
    assert_string_equal(chosen_node(spawning, XMPI_PLACE_ALL, false, 0), "node2"); /* Fig. 4.14 */
    assert_string_equal(chosen_node(spawning, XMPI_PLACE_OCCUPIED, false, 0), "node1"); /* 4.15 */
    assert_string_equal(chosen_node(removing, XMPI_PLACE_ALL, true, 1), "node3");       /* 4.16 */
    assert_string_equal(chosen_node(removing, XMPI_PLACE_OCCUPIED, true, 1), "node4");  /* 4.17 */
}

static void placement_ends_where_there_is_no_room(void **state)
{
    (void)state;
    const int full_dual[5] = {1, 0, 0, 2, 2}, empty_quad[5] = {0, 0, 0, 1, 1};
    assert_string_equal(chosen_node(full_dual, XMPI_PLACE_ALL, false, 1), "none");
    assert_string_equal(chosen_node(full_dual, XMPI_PLACE_ALL, true, 0), "none"); /* the anchor */
    /* No quad node is occupied, but a quad is asked for. */
    assert_string_equal(chosen_node(empty_quad, XMPI_PLACE_OCCUPIED, false, 0), "node0");
}

static void schedule_removes_the_last_but_not_the_anchor(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.action[s.schedule.actions++] = (xmpi_action_t){XMPI_ACTION_REMOVE, 2, XMPI_ANY_CLASS, 200, 1};
    xmpi_plan_t plan = decided(&xmpi_policy_schedule, &s);
    assert_int_equal(plan.places, 2);
    assert_int_equal(plan.place[1].from, 1);
    xmpi_plan_free(&plan);
    s.action[0].class_index = 0;
    plan = decided(&xmpi_policy_schedule, &s);
    assert_int_equal(plan.places, 3); /* rank 1 of class A leaves, rank 0 is the anchor */
    assert_int_equal(plan.place[0].from, 0);
    assert_int_equal(plan.place[1].from, 2);
    xmpi_plan_free(&plan);
}

/* Carries PLAN out on the scene: joiners get process numbers from NEXT_PROCESS on. */
static void follow(scene_t *s, const xmpi_plan_t *plan, int *next_process)
{
    xmpi_member_t member[PES] = {0};
    for (int i = 0; i < PES; i++)
        s->pe[i].process = -1;
    for (int i = 0; i < plan->places; i++) {
        const xmpi_place_t *place = &plan->place[i];
        member[i].block = place->block;
        member[i].process =
            place->origin == XMPI_STAYS ? s->member[place->from].process : (*next_process)++;
    }
    /* Where a member is matters to classes only; any free PE will do here. */
    memcpy(s->member, member, sizeof member);
    s->layout.members = plan->places;
    for (int i = 0; i < plan->places; i++)
        s->pe[i].process = s->member[i].process;
}

static void random_plans_are_legal_and_reproducible(void **state)
{
    (void)state;
    int grown = 0, shrunk = 0, exchanged = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        scene_t s;
        int next_process = 100;
        scene_make(&s);
        s.view.seed = seed;
        for (int step = 0; step < 50; step++) {
            s.view.iteration = 100 * step;
            xmpi_plan_t plan = decided(&xmpi_policy_random, &s);
            xmpi_plan_t again = decided(&xmpi_policy_random, &s);
            assert_int_equal(plan.places, again.places);
            assert_memory_equal(plan.place, again.place, (size_t)plan.places * sizeof *plan.place);
            const char *kind = xmpi_plan_kind(&plan, &s.layout);
            grown += strcmp(kind, "grow") == 0;
            shrunk += strcmp(kind, "shrink") == 0;
            exchanged += strcmp(kind, "exchange") == 0;
            follow(&s, &plan, &next_process);
            xmpi_plan_free(&plan);
            xmpi_plan_free(&again);
        }
    }
    assert_true(grown > 500 && shrunk > 500 && exchanged > 100);
}

static void plans_that_cannot_be_followed_are_found(void **state)
{
    (void)state;
    scene_t s;
    xmpi_plan_t plan;
    xmpi_error_t error;
    scene_make(&s);
    assert_int_equal(xmpi_plan_alloc(&plan, 2), XMPI_OK);
    plan.place[0] = (xmpi_place_t){XMPI_STAYS, 0, -1, {600, 0}};
    plan.place[1] = (xmpi_place_t){XMPI_NEW, -1, 4, {600, 600}};
    assert_int_equal(xmpi_plan_check(&plan, &s.layout, &s.resources, &error), XMPI_OK);
    plan.place[1].pe = 2; /* occupied */
    assert_int_equal(xmpi_plan_check(&plan, &s.layout, &s.resources, &error), XMPI_ERR_INTERNAL);
    plan.place[1] = (xmpi_place_t){XMPI_STAYS, 0, -1, {600, 600}}; /* twice */
    assert_int_equal(xmpi_plan_check(&plan, &s.layout, &s.resources, &error), XMPI_ERR_INTERNAL);
    plan.place[1] = (xmpi_place_t){XMPI_STAYS, 1, -1, {599, 600}}; /* a row is missing */
    assert_int_equal(xmpi_plan_check(&plan, &s.layout, &s.resources, &error), XMPI_ERR_INTERNAL);
    plan.place[1].block.count = 600;
    plan.place[0].from = 1; /* the anchor would leave */
    plan.place[1].from = 2;
    assert_int_equal(xmpi_plan_check(&plan, &s.layout, &s.resources, &error), XMPI_ERR_INTERNAL);
    s.resources.anchor = -1;
    assert_int_equal(xmpi_plan_check(&plan, &s.layout, &s.resources, &error), XMPI_OK);
    plan.place[0] = (xmpi_place_t){XMPI_STAYS, 0, -1, {600, 600}}; /* by hand, but not in a loop */
    plan.place[1] = (xmpi_place_t){XMPI_STAYS, 1, -1, {600, 0}};
    assert_int_equal(xmpi_plan_check(&plan, &s.layout, &s.resources, &error), XMPI_OK);
    assert_int_equal(xmpi_plan_check_in_loop(&plan, &s.layout, &s.resources, &error),
                     XMPI_ERR_INTERNAL);
    plan.place[1].block = (xmpi_block_t){600, 1}; /* rows twice */
    assert_int_equal(xmpi_plan_check(&plan, &s.layout, &s.resources, &error), XMPI_ERR_INTERNAL);
    plan.place[0].block = (xmpi_block_t){600, 0};
    s.resources.max_members = 1;
    plan.place[1] = (xmpi_place_t){XMPI_NEW, -1, 4, {600, 600}}; /* too many */
    assert_int_equal(xmpi_plan_check(&plan, &s.layout, &s.resources, &error), XMPI_ERR_INTERNAL);
    xmpi_plan_free(&plan);
}

static void names_find_policies(void **state)
{
    (void)state;
    assert_ptr_equal(xmpi_policy_find("balance"), &xmpi_policy_balance);
    assert_ptr_equal(xmpi_policy_find("schedule"), &xmpi_policy_schedule);
    assert_ptr_equal(xmpi_policy_find("random"), &xmpi_policy_random);
    assert_null(xmpi_policy_find("off"));
    assert_null(xmpi_policy_find(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balance_divides_by_measured_speed),
        cmocka_unit_test(balance_tolerates_a_small_imbalance),
        cmocka_unit_test(balance_needs_no_sample_of_everybody),
        cmocka_unit_test(balance_asks_for_weights_and_divides_by_them),
        cmocka_unit_test(balance_moves_only_what_pays),
        cmocka_unit_test(balance_says_why_it_keeps),
        cmocka_unit_test(schedule_grows_by_class_when_due),
        cmocka_unit_test(layouts_of_a_schedule_are_followed),
        cmocka_unit_test(layouts_come_in_their_loop_and_iteration),
        cmocka_unit_test(layouts_of_another_domain_are_refused),
        cmocka_unit_test(processes_are_placed_as_in_the_thesis),
        cmocka_unit_test(placement_ends_where_there_is_no_room),
        cmocka_unit_test(schedule_removes_the_last_but_not_the_anchor),
        cmocka_unit_test(random_plans_are_legal_and_reproducible),
        cmocka_unit_test(plans_that_cannot_be_followed_are_found),
        cmocka_unit_test(names_find_policies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
