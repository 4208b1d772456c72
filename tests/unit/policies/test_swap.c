/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the policy swap: the payback algebra and the presets by the paper's numbers (Sievert
 * 2003, ch. 5). */
#include "unit/policies/swap_scene.h"

/* --- the algebra -------------------------------------------------------------------------------
 */

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%.12g, not %.12g", value, expected);
}

static void payback_is_as_in_the_paper(void **state)
{
    (void)state;
    near(xmpi_swap_payback(10, 10, 1, 2), 2);
    near(xmpi_swap_payback(10, 10, 1, 4), 4. / 3);
    near(xmpi_swap_payback(10, 10, 7, 28), 4. / 3); /* whatever the unit is */
    assert_true(xmpi_swap_payback(10, 10, 2, 1) < 0);
    assert_true(isinf(xmpi_swap_payback(10, 10, 2, 2)));
}

static void presets_are_as_in_the_paper(void **state)
{
    (void)state;
    xmpi_swap_terms_t given = {-1, -1, -1, -1, 0, 0};
    xmpi_swap_terms_t terms = xmpi_swap_terms(XMPI_SWAP_GREEDY, &given);
    assert_true(isinf(terms.payback));
    near(terms.process_gain + terms.application_gain + terms.history, 0);
    terms = xmpi_swap_terms(XMPI_SWAP_SAFE, &given);
    near(terms.payback, 0.5);
    near(terms.process_gain, 0.2);
    near(terms.application_gain, 0);
    near(terms.history, 300);
    terms = xmpi_swap_terms(XMPI_SWAP_FRIENDLY, &given);
    assert_true(isinf(terms.payback));
    near(terms.process_gain, 0);
    near(terms.application_gain, 0.02);
    near(terms.history, 60);
    given = (xmpi_swap_terms_t){3, 0, -1, 10, 2, 0};
    terms = xmpi_swap_terms(XMPI_SWAP_SAFE, &given);
    near(terms.payback, 3);
    near(terms.process_gain, 0);
    near(terms.history, 10);
    assert_int_equal(terms.swaps, 2);
}

/* --- decisions ---------------------------------------------------------------------------------
 */

/* How many swaps are decided on. */
static int swaps(scene_t *s)
{
    xmpi_plan_t plan = decided(s);
    int n = xmpi_plan_joiners(&plan);
    xmpi_plan_free(&plan);
    return n;
}

static const double two_slow[] = {1, 0.5, 1, 0.5}, quick[] = {1, 0.6, 2};

/* One of two that are equally slow is no gain. */
static void sets_are_found_where_one_swap_gains_nothing(void **state)
{
    (void)state;
    scene_t s;
    for (int movable = 0; movable < 2; movable++) {
        scene_make(&s, 4, two_slow, 3, quick);
        s.view.movable = movable != 0;
        xmpi_plan_t plan = decided(&s);
        assert_int_equal(plan.places, 4);
        assert_int_equal(plan.moves, movable);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(plan.place[i].from, i);
            assert_int_equal(plan.place[i].origin, i % 2 == 1 ? XMPI_TAKES_OVER : XMPI_STAYS);
            assert_int_equal(plan.place[i].block.count, 60);
            assert_int_equal(plan.place[i].block.displ, 60 * i);
        }
        assert_true(plan.place[1].pe != 5 && plan.place[3].pe != 5); /* 0.6: there are quicker */
        assert_string_equal(xmpi_plan_kind(&plan, &s.layout), "exchange");
        assert_string_equal(plan.reason, "2 to quicker processing elements: an iteration of 20 s "
                                         "takes 10 s then, paid back after 0 iterations");
        xmpi_plan_free(&plan);
        s.view.swap.swaps = 1;
        assert_int_equal(swaps(&s), 0);
    }
}

static void processes_gain_enough(void **state)
{
    (void)state;
    scene_t s;
    static const double one_slow[] = {1, 0.5}, little[] = {0.58}, much[] = {0.62};
    scene_make(&s, 2, one_slow, 1, little);
    s.view.swap.process_gain = 0.2;
    assert_int_equal(swaps(&s), 0);
    s.view.swap.process_gain = 0;
    assert_int_equal(swaps(&s), 1);
    scene_make(&s, 2, one_slow, 1, much);
    s.view.swap.process_gain = 0.2;
    assert_int_equal(swaps(&s), 1);
}

/* What is as quick is no gain, also where all that is asked for is more than nothing. */
static void equals_do_not_change_places(void **state)
{
    (void)state;
    scene_t s;
    static const double same[] = {1, 1};
    scene_make(&s, 2, same, 2, same);
    assert_int_equal(swaps(&s), 0);
}

static void the_program_gains_enough(void **state)
{
    (void)state;
    scene_t s;
    static const double one_slow[] = {0.9, 0.89}, fast[] = {5};
    scene_make(&s, 2, one_slow, 1, fast); /* the other one is 1.1 % quicker */
    s.view.swap.application_gain = 0.02;
    assert_int_equal(swaps(&s), 0);
    assert_string_equal(s.decision.reason, "swaps would gain too little");
    s.view.swap.application_gain = 0.011;
    assert_int_equal(swaps(&s), 1);
}

static void a_swap_pays_for_itself(void **state)
{
    (void)state;
    scene_t s;
    xmpi_prediction_t change;
    static const double one_slow[] = {1, 0.5}, fast[] = {1};
    scene_make(&s, 2, one_slow, 1, fast);
    price(&s, 2);
    xmpi_plan_t plan = decided(&s);
    assert_int_equal(xmpi_predict(&s.predictor, &plan, 1, &change), XMPI_OK);
    double seconds = change.process + change.redistribution;
    assert_true(seconds > 1);
    xmpi_plan_free(&plan);
    assert_int_equal(s.decision.alternatives, 2);
    assert_int_equal(s.decision.chosen, 1);
    assert_string_equal(s.decision.alternative[0].label, "stay");
    assert_string_equal(s.decision.alternative[1].label, "1>2");
    near(s.decision.alternative[1].reconfiguration, seconds);
    near(s.decision.alternative[1].payback, seconds / 10); /* 20 s an iteration, then 10 s */
    s.view.swap.payback = 1.01 * seconds / 10;
    assert_int_equal(swaps(&s), 1);
    s.view.swap.payback = 0.99 * seconds / 10;
    assert_int_equal(swaps(&s), 0);
    assert_int_equal(s.decision.chosen, 0);
    assert_false(s.decision.alternative[1].feasible);
    s.view.swap.payback = INFINITY;
    s.view.remaining = (int64_t)(seconds / 10); /* the loop is over before */
    assert_int_equal(swaps(&s), 0);
    s.view.remaining++;
    assert_int_equal(swaps(&s), 1);
    xmpi_predictor_free(&s.predictor);
}

/* A speed that is not known, or not well enough, is no reason to go there. */
static void doubt_keeps_processes_where_they_are(void **state)
{
    (void)state;
    scene_t s;
    static const double one_slow[] = {1, 0.95}, fast[] = {1};
    scene_make(&s, 2, one_slow, 1, fast);
    assert_int_equal(swaps(&s), 1);
    s.seen[2].error = 0.03; /* 1 / 1.06 */
    assert_int_equal(swaps(&s), 0);
    s.seen[2].error = 0;
    s.seen[1].error = 0.03;
    assert_int_equal(swaps(&s), 0);
    s.seen[1].error = 0;
    s.seen[2].speed = 0; /* nobody was there */
    s.pe[2].class_index = 1;
    s.resources.classes = 2;
    assert_int_equal(swaps(&s), 0);
}

static void who_may_not_go_stays(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s, 4, two_slow, 3, quick);
    s.resources.anchor = 3;
    assert_int_equal(swaps(&s), 0);
    s.resources.anchor = 0;
    assert_int_equal(swaps(&s), 2);
    s.samples[1].held = XMPI_HELD_HERE;
    assert_int_equal(swaps(&s), 0);
    s.samples[1].held = XMPI_HELD_NOT;
    s.pe[4].withdrawn = s.pe[6].withdrawn = true; /* 0.6 is left, for one */
    assert_int_equal(swaps(&s), 0);
    s.pe[4].withdrawn = false;
    assert_int_equal(swaps(&s), 2);
    s.view.may_grow = false;
    assert_int_equal(swaps(&s), 0);
}

/* --- rows divided anew ---------------------------------------------------------------------------
 */

static int64_t rows_of(const xmpi_plan_t *plan, int rank)
{
    return plan->place[rank].block.count;
}

/* One idle PE is no gain to two that are equally slow, if rows stay; and who goes leaves the other
 * as slow, if they do not change places with those of the others. */
static void swaps_and_rows_are_decided_together(void **state)
{
    (void)state;
    scene_t s;
    static const double one[] = {1};
    scene_make(&s, 4, two_slow, 1, one);
    assert_int_equal(swaps(&s), 0);
    s.view.imbalance_threshold = 0.03;
    xmpi_plan_t plan = decided(&s);
    assert_string_equal(plan.reason,
                        "1 to quicker processing elements, rows divided anew: an iteration of 20 s "
                        "takes 11.5 s then, paid back after 0 iterations");
    assert_int_equal(plan.place[1].origin, XMPI_TAKES_OVER);
    assert_int_equal(plan.place[1].pe, 4);
    assert_int_equal(rows_of(&plan, 0), 69);
    assert_int_equal(rows_of(&plan, 1), 69);
    assert_int_equal(rows_of(&plan, 3), 34);
    assert_string_equal(s.decision.alternative[0].label, "stay");
    assert_string_equal(s.decision.alternative[1].label, "rebalance");
    assert_string_equal(s.decision.alternative[2].label, "1>4, rebalance");
    assert_int_equal(s.decision.chosen, 2);
    xmpi_plan_free(&plan);
    s.view.sizes = true; /* blocks are the program's own */
    assert_int_equal(swaps(&s), 0);
    s.view.sizes = false;
    s.view.movable = true;
    assert_int_equal(swaps(&s), 0);
}

/* Where a swap leaves nothing to balance rows stay; where nobody is quicker only they go. */
static void the_cheapest_of_equal_ways_is_taken(void **state)
{
    (void)state;
    scene_t s;
    static const double one_slow[] = {1, 0.5}, same[] = {1}, slow[] = {0.4};
    scene_make(&s, 2, one_slow, 1, same);
    s.view.imbalance_threshold = 0.03;
    price(&s, 1e-3);
    xmpi_plan_t plan = decided(&s);
    assert_int_equal(xmpi_plan_joiners(&plan), 1);
    assert_int_equal(rows_of(&plan, 0), 60);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
    scene_make(&s, 2, one_slow, 1, slow);
    s.view.imbalance_threshold = 0.03;
    price(&s, 1e-3);
    for (int may_grow = 0; may_grow < 2; may_grow++) {
        s.view.may_grow = may_grow != 0;
        plan = decided(&s);
        assert_int_equal(plan.places, 2);
        assert_int_equal(xmpi_plan_joiners(&plan), 0);
        assert_int_equal(rows_of(&plan, 0), 80);
        assert_string_equal(plan.reason, "computation times differ by 50.0 %");
        xmpi_plan_free(&plan);
    }
    xmpi_predictor_free(&s.predictor);
}

/* The terms of swapping are for swaps, whatever becomes of rows. */
static void both_pay_for_themselves(void **state)
{
    (void)state;
    scene_t s;
    static const double one[] = {1};
    scene_make(&s, 4, two_slow, 1, one);
    s.view.imbalance_threshold = 0.03;
    price(&s, 0.01);
    s.view.swap.payback = 1e-4;
    xmpi_plan_t plan = decided(&s);
    assert_int_equal(xmpi_plan_joiners(&plan), 0); /* a rebalance alone has its own */
    assert_int_equal(rows_of(&plan, 0), 80);
    assert_string_equal(s.decision.alternative[2].label, "1>4, rebalance");
    assert_false(s.decision.alternative[2].feasible);
    xmpi_plan_free(&plan);
    s.view.swap.payback = INFINITY;
    assert_int_equal(swaps(&s), 1);
    s.view.swap.process_gain = 1.1;
    assert_int_equal(swaps(&s), 0);
    xmpi_predictor_free(&s.predictor);
}

/* What rows weigh is asked for only where it matters. */
static void weights_are_asked_for_where_rows_would_change(void **state)
{
    (void)state;
    scene_t s;
    xmpi_plan_t plan;
    xmpi_error_t error;
    static const double one[] = {1}, slow[] = {0.5}, equal[] = {1, 1, 1, 1};
    double prefix[241];
    scene_make(&s, 4, two_slow, 1, one);
    s.view.imbalance_threshold = 0.03;
    s.view.weighted = true;
    assert_int_equal(xmpi_policy_decide(&xmpi_policy_swap, &s.view, &plan, &s.decision, &error),
                     XMPI_NEEDS_WEIGHTS);
    for (int i = 0; i <= 240; i++)
        prefix[i] = i < 120 ? i : 120 + 3. * (i - 120); /* the second half weighs three times */
    s.view.prefix = prefix;
    plan = decided(&s);
    assert_int_equal(xmpi_plan_joiners(&plan), 1);
    assert_true(rows_of(&plan, 0) > 100 && rows_of(&plan, 3) < 30);
    xmpi_plan_free(&plan);
    scene_make(&s, 4, equal, 1, slow);
    s.view.imbalance_threshold = 0.03;
    s.view.weighted = true;
    assert_int_equal(swaps(&s), 0);
}

/* People are told what would come of a move, or have it, whatever the policy is. */
static void a_move_by_hand_says_when_it_is_paid_back(void **state)
{
    (void)state;
    scene_t s;
    xmpi_error_t error;
    xmpi_plan_t plan;
    static const double one_slow[] = {1, 0.5}, other[] = {1, 0.25};
    scene_make(&s, 2, one_slow, 2, other);
    price(&s, 2);
    s.view.swap.process_gain = 9; /* the policy would not */
    s.view.wished =
        (xmpi_wished_move_t){.kind = XMPI_WISHED_MOVE, .asks = true, .rank = 1, .other = 2};
    plan = decided(&s);
    assert_int_equal(plan.places, 0);
    double payback, seconds;
    assert_int_equal(sscanf(plan.reason,
                            "dry run: rank 1 moves to processing element 2 on n2: paid "
                            "back after %lf iterations (%lf s; one of 20 s takes 10 s then)",
                            &payback, &seconds),
                     2);
    assert_true(payback > 0 && fabs(seconds / 10 / payback - 1) < 0.1);
    assert_string_equal(plan.reason + strlen(plan.reason) - 6, " then)");
    s.view.wished.other = 3;
    plan = decided(&s);
    assert_non_null(strstr(plan.reason, "element 3 on n3: never paid back ("));
    assert_non_null(strstr(plan.reason, "an iteration of 20 s takes 40 s then)"));
    s.samples[0].work = s.samples[1].work = 0; /* nothing has been seen yet */
    s.view.wished.asks = false;
    plan = decided(&s);
    assert_int_equal(sscanf(plan.reason,
                            "asked for: rank 1 moves to processing element 3 on n3: takes %lf s",
                            &seconds),
                     1);
    assert_int_equal(plan.place[1].pe, 3);
    assert_int_equal(plan.place[1].block.displ, 60);
    assert_false(plan.moves);
    xmpi_plan_free(&plan);
    s.view.wished = (xmpi_wished_move_t){.kind = XMPI_WISHED_SWAP, .rank = 0, .other = 1};
    assert_int_equal(xmpi_policy_decide(NULL, &s.view, &plan, &s.decision, &error), XMPI_ERR_INPUT);
    assert_string_equal(error.text, "swap is for movable and resizable loops");
    s.view.wished = (xmpi_wished_move_t){.kind = XMPI_WISHED_MOVE, .rank = 0, .other = 2};
    s.resources.anchor = s.layout.member[0].process;
    assert_int_equal(xmpi_policy_decide(NULL, &s.view, &plan, &s.decision, &error), XMPI_ERR_INPUT);
    assert_non_null(
        strstr(error.text, "rank 0 stays where it is: new processes are spawned from there"));
    s.resources.can_spawn = false;
    assert_int_equal(xmpi_policy_decide(NULL, &s.view, &plan, &s.decision, &error), XMPI_ERR_INPUT);
    assert_non_null(
        strstr(error.text, "rank 0 stays where it is: it has what the program keeps on rank 0"));
    s.resources.anchor = -1;
    s.samples[0].held = XMPI_HELD_HERE;
    assert_int_equal(xmpi_policy_decide(NULL, &s.view, &plan, &s.decision, &error), XMPI_ERR_INPUT);
    assert_non_null(strstr(error.text, "rank 0 cannot move now: something is open"));
    xmpi_predictor_free(&s.predictor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(payback_is_as_in_the_paper),
        cmocka_unit_test(presets_are_as_in_the_paper),
        cmocka_unit_test(sets_are_found_where_one_swap_gains_nothing),
        cmocka_unit_test(processes_gain_enough),
        cmocka_unit_test(equals_do_not_change_places),
        cmocka_unit_test(the_program_gains_enough),
        cmocka_unit_test(a_swap_pays_for_itself),
        cmocka_unit_test(doubt_keeps_processes_where_they_are),
        cmocka_unit_test(who_may_not_go_stays),
        cmocka_unit_test(swaps_and_rows_are_decided_together),
        cmocka_unit_test(the_cheapest_of_equal_ways_is_taken),
        cmocka_unit_test(both_pay_for_themselves),
        cmocka_unit_test(weights_are_asked_for_where_rows_would_change),
        cmocka_unit_test(a_move_by_hand_says_when_it_is_paid_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
