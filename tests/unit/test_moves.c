/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of plans for movable loops: who goes where, without MPI. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "decide/policies/catalogue.h"
#include "decide/policies/decide.h"
#include "decide/policies/moves.h"

enum { MEMBERS = 3, PES = 5 };

/* Three members, a row each, on the first PEs; nothing stays. */
typedef struct {
    xmpi_member_t member[MEMBERS];
    xmpi_layout_t layout;
    xmpi_pe_t pe[PES];
    xmpi_resources_t resources;
    xmpi_sample_t samples[MEMBERS];
    xmpi_view_t view;
} scene_t;

static void scene_make(scene_t *s)
{
    memset(s, 0, sizeof *s);
    s->layout = (xmpi_layout_t){.domain = MEMBERS, .members = MEMBERS, .member = s->member};
    s->resources = (xmpi_resources_t){
        .pes = PES, .pe = s->pe, .classes = 1, .max_members = PES, .can_spawn = true, .anchor = -1};
    for (int i = 0; i < PES; i++)
        s->pe[i].process = i < MEMBERS ? i : -1;
    for (int i = 0; i < MEMBERS; i++)
        s->member[i] = (xmpi_member_t){i, {1, i}};
    s->view = (xmpi_view_t){.layout = &s->layout,
                            .resources = &s->resources,
                            .samples = s->samples,
                            .movable = true,
                            .seed = 1};
}

static xmpi_plan_t decided(const scene_t *s, const xmpi_policy_t *policy)
{
    xmpi_plan_t plan;
    xmpi_decision_t decision;
    xmpi_error_t error = {""};
    if (xmpi_policy_decide(policy, &s->view, &plan, &decision, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    if (plan.places > 0 && xmpi_plan_check(&plan, &s->layout, &s->resources, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    return plan;
}

static void nobody_moves_without_a_reason(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    xmpi_plan_t plan = decided(&s, &xmpi_policy_balance);
    assert_int_equal(plan.places, 0);
    plan = decided(&s, NULL);
    assert_int_equal(plan.places, 0);
}

static void withdrawn_places_are_left(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.pe[0].withdrawn = s.pe[1].withdrawn = s.pe[3].withdrawn = true;
    xmpi_plan_t plan = decided(&s, NULL);
    assert_int_equal(plan.places, MEMBERS);
    assert_int_equal(plan.place[0].origin, XMPI_TAKES_OVER);
    assert_int_equal(plan.place[0].pe, 4); /* the only one that is idle and may be used */
    assert_int_equal(plan.place[1].origin, XMPI_STAYS);
    assert_string_equal(plan.reason, "1 members leave withdrawn processing elements, 1 cannot yet");
    assert_string_equal(xmpi_plan_kind(&plan, &s.layout), "exchange");
    xmpi_plan_free(&plan);
}

static void at_random_whoever_can(void **state)
{
    (void)state;
    scene_t s;
    int taken[MEMBERS] = {0}, exchanged = 0;
    scene_make(&s);
    s.resources.anchor = 0;
    s.samples[1].held = XMPI_HELD_HERE;
    for (int i = 0; i < 200; i++) {
        s.view.iteration = i;
        xmpi_plan_t plan = decided(&s, &xmpi_policy_random);
        for (int k = 0; k < plan.places; k++) {
            taken[k] += plan.place[k].origin == XMPI_TAKES_OVER;
            exchanged += plan.place[k].origin == XMPI_STAYS && plan.place[k].from != k;
        }
        xmpi_plan_free(&plan);
    }
    assert_int_equal(taken[0] + taken[1] + exchanged, 0);
    assert_true(taken[2] > 20);
    s.resources.anchor = -1;
    s.samples[1].held = XMPI_HELD_NOT;
    for (int i = 0; i < 200; i++) {
        s.view.iteration = i;
        xmpi_plan_t plan = decided(&s, &xmpi_policy_random);
        for (int k = 0; k < plan.places; k++) {
            taken[k] += plan.place[k].origin == XMPI_TAKES_OVER;
            exchanged += plan.place[k].origin == XMPI_STAYS && plan.place[k].from != k;
        }
        xmpi_plan_free(&plan);
    }
    assert_true(taken[0] > 20 && taken[1] > 20 && exchanged > 20);
}

static void all_stay_for_what_holds_all(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.samples[2].held = XMPI_HELD_ALL;
    s.pe[0].withdrawn = true;
    for (int i = 0; i < 50; i++) {
        s.view.iteration = i;
        xmpi_plan_t plan = decided(&s, &xmpi_policy_random);
        assert_int_equal(plan.places, 0);
    }
}

static void people_have_their_way(void **state)
{
    (void)state;
    scene_t s;
    xmpi_decision_t decision;
    xmpi_error_t error;
    xmpi_plan_t plan;
    scene_make(&s);
    s.view.wished = (xmpi_wished_move_t){XMPI_WISHED_SWAP, 0, 2};
    plan = decided(&s, &xmpi_policy_balance);
    assert_int_equal(plan.place[0].from, 2);
    assert_int_equal(plan.place[1].from, 1);
    assert_int_equal(plan.place[2].from, 0);
    xmpi_plan_free(&plan);
    s.view.wished = (xmpi_wished_move_t){XMPI_WISHED_MOVE, 1, 3};
    plan = decided(&s, NULL);
    assert_int_equal(plan.place[1].pe, 3);
    xmpi_plan_free(&plan);
    static const xmpi_wished_move_t wrong[] = {{XMPI_WISHED_MOVE, 1, 2},
                                               {XMPI_WISHED_MOVE, 1, PES},
                                               {XMPI_WISHED_MOVE, MEMBERS, 3},
                                               {XMPI_WISHED_SWAP, 1, MEMBERS}};
    for (int i = 0; i < 4; i++) {
        s.view.wished = wrong[i];
        assert_int_equal(xmpi_policy_decide(NULL, &s.view, &plan, &decision, &error), XMPI_ERR_INPUT);
    }
}

/* A plan that moves nobody twice is one; a plan of rows keeps its order. */
static void plans_are_checked(void **state)
{
    (void)state;
    scene_t s;
    xmpi_error_t error;
    scene_make(&s);
    s.view.wished = (xmpi_wished_move_t){XMPI_WISHED_SWAP, 0, 2};
    xmpi_plan_t plan = decided(&s, NULL);
    plan.place[0].from = 1;
    assert_int_equal(xmpi_plan_check(&plan, &s.layout, &s.resources, &error), XMPI_ERR_INTERNAL);
    plan.place[0].from = 2;
    plan.moves = false;
    assert_int_equal(xmpi_plan_check(&plan, &s.layout, &s.resources, &error), XMPI_ERR_INTERNAL);
    xmpi_plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_moves_without_a_reason),
        cmocka_unit_test(withdrawn_places_are_left),
        cmocka_unit_test(at_random_whoever_can),
        cmocka_unit_test(all_stay_for_what_holds_all),
        cmocka_unit_test(people_have_their_way),
        cmocka_unit_test(plans_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
