/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of pipelines in the prediction model, and of the policies that go by it. */
#include "unit/model/predict_scene.h"

#include "decide/mheta/mheta.h"
#include "decide/planning/divide.h"
#include "decide/planning/scenario.h"
#include "decide/policies/catalogue.h"
#include "decide/predict/disks.h"

/* A row takes 0.1 units of work: 1/300 s on A (members 0 and 1), 1/600 s on B. An iteration takes 1
 * s on A and 0.5 s on B. */

/* TILES in an iteration, in which SHARE of the computation is, one way. */
static void add_tiles(scene_t *s, int way, int tiles, double share)
{
    for (int i = 0; i < MEMBERS; i++)
        s->samples[i].tiles[way] =
            (xmpi_tiles_t){.number = 10 * tiles, .seconds = share * s->samples[i].computation};
}

static void observe_meeting(scene_t *s, double seconds)
{
    observe(s, XMPI_KIND_ALLREDUCE, MEMBERS, 1, 8, seconds);
}

static xmpi_view_t view_of(scene_t *s)
{
    return (xmpi_view_t){.layout = &s->layout,
                         .resources = &s->resources,
                         .samples = s->samples,
                         .iteration = 10,
                         .remaining = 1000,
                         .imbalance_threshold = 0.05,
                         .may_grow = true,
                         .predictor = &s->predictor};
}

static double communication(scene_t *s, const xmpi_plan_t *plan)
{
    start(s);
    double seconds = predicted(s, plan, 10).communication;
    xmpi_predictor_free(&s->predictor);
    return seconds;
}

/* The last one begins when the others have done a tile: 0.25 + 0.25 + 0.125 + 0.125 s, and 3 more
 * tiles of the slowest: 1.5 s, of which it computes one. */
static void what_is_waited_for_in_a_pipeline_is_no_transfer(void **state)
{
    (void)state;
    scene_t s;
    const int64_t equal[] = {150, 150, 150, 150, 150, 150, 150, 150};
    xmpi_plan_t plan = grown(4, equal);
    scene_make(&s);
    add_tiles(&s, 0, 4, 1);
    observe_meeting(&s, 0.6);
    near(communication(&s, &stay), 6);
    double lambda = (0.6 - 0.5) / call(XMPI_KIND_ALLREDUCE, 4, 8);
    /* Members of A A B B A B B C: tiles of 0.125, 0.0625 and 0.025 s. */
    double skew = 3 * 0.125 + 4 * 0.0625 + 0.025 + 3 * 0.125 - 0.5;
    near(communication(&s, &plan), 10 * (skew + lambda * call(XMPI_KIND_ALLREDUCE, 8, 8)));
    xmpi_plan_free(&plan);
}

/* Half of the computation is beside the pipeline: it begins at 0.5 and 0.25 s. */
static void computation_beside_a_pipeline_is_done_before(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    add_tiles(&s, 1, 4, 0.5);
    observe_meeting(&s, 0.3);
    near(communication(&s, &stay), 3);
    /* The last is member 0: from member 1 on, which begins at 0.5: 0.125 + 0.125 + 3 * 0.125, with
     * 1 alone. */
    double lambda = (0.3 - 0.125) / call(XMPI_KIND_ALLREDUCE, 4, 8);
    start(&s);
    near(s.predictor.correction[XMPI_KIND_ALLREDUCE][0], lambda);
    xmpi_predictor_free(&s.predictor);
}

/* What the model says beyond what was waited for is left out in the same proportion. */
static void skew_is_as_much_as_was_seen(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    add_tiles(&s, 0, 4, 1);
    observe_meeting(&s, 0.2); /* of 0.5 */
    start(&s);
    near(s.predictor.pipelines.seen, 0.4);
    near(predicted(&s, &stay, 10).communication, 2 + 10 * call(XMPI_KIND_ALLREDUCE, 4, 8));
    xmpi_predictor_free(&s.predictor);
}

static void expect_known(scene_t *s, bool known)
{
    start(s);
    assert_int_equal(s->predictor.pipelines.known, known);
    xmpi_predictor_free(&s->predictor);
}

/* One after the other iterations go on through the pipeline, unless something has all of them begin
 * anew; and neighbours that exchange have no first member. */
static void only_what_is_a_pipeline_is_one(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    add_tiles(&s, 0, 4, 0.5);
    expect_known(&s, false);
    add_tiles(&s, 1, 4, 0.5);
    expect_known(&s, true);
    s.samples[3].tiles[1].number = 30; /* the end of one is the begin of the other */
    expect_known(&s, true);
    add_tiles(&s, 1, 0, 0);
    observe_meeting(&s, 0.6);
    expect_known(&s, true);
    s.samples[0].tiles[0].number = 0;
    expect_known(&s, false);
    add_tiles(&s, 0, 4, 0.001); /* not worth it */
    expect_known(&s, false);
}

static xmpi_plan_t balanced(scene_t *s)
{
    xmpi_plan_t plan;
    xmpi_view_t view = view_of(s);
    xmpi_decision_t decision = {.chosen = -1};
    xmpi_error_t error = {""};
    if (xmpi_policy_balance.decide(&view, &plan, &decision, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    return plan;
}

/* One tile: who is slow only makes the others wait. Many: all are done at the same time. */
static void rows_are_divided_by_what_is_waited_for(void **state)
{
    (void)state;
    for (int tiles = 1; tiles <= 1000; tiles *= 1000) {
        scene_t s;
        scene_make(&s);
        add_tiles(&s, 0, tiles, 1);
        observe_meeting(&s, 2);
        start(&s);
        xmpi_plan_t plan = balanced(&s);
        assert_int_equal(plan.places, MEMBERS);
        for (int i = 0; i < 2; i++)
            assert_true(tiles == 1 ? plan.place[i].block.count == 1
                                   : llabs(plan.place[i].block.count - 200) <= 2);
        xmpi_plan_free(&plan);
        xmpi_predictor_free(&s.predictor);
    }
}

/* Of these members no division of any number of rows between neighbours is better. */
static void the_division_is_the_best_of_its_neighbours(void **state)
{
    (void)state;
    for (int tiles = 2; tiles < 30; tiles += 3) {
        scene_t s;
        xmpi_disk_costs_t costs;
        xmpi_block_t blocks[MEMBERS];
        double clock[3 * MEMBERS];
        scene_make(&s);
        add_tiles(&s, 0, tiles, 0.7);
        observe_meeting(&s, 2);
        start(&s);
        xmpi_plan_t plan = balanced(&s);
        assert_int_equal(xmpi_disk_costs_make(&costs, &s.predictor, &plan), XMPI_OK);
        for (int i = 0; i < plan.places; i++)
            blocks[i] = plan.place[i].block;
        double best = xmpi_mheta_iteration(&costs.model, blocks, clock, NULL);
        for (int from = 0; from < MEMBERS; from++)
            for (int to = 0; to < MEMBERS; to++)
                for (int64_t rows = 1; rows < blocks[from].count; rows *= 2) {
                    xmpi_block_t tried[MEMBERS];
                    memcpy(tried, blocks, sizeof tried);
                    tried[from].count -= rows;
                    tried[to].count += rows;
                    xmpi_blocks_chain(MEMBERS, tried);
                    assert_true(xmpi_mheta_iteration(&costs.model, tried, clock, NULL) >=
                                best * (1 - 1e-9));
                }
        xmpi_disk_costs_free(&costs);
        xmpi_plan_free(&plan);
        xmpi_predictor_free(&s.predictor);
    }
}

static int members_by_hpmp(scene_t *s)
{
    xmpi_plan_t plan;
    xmpi_decision_t decision = {.chosen = -1};
    xmpi_error_t error = {""};
    start(s);
    xmpi_view_t view = view_of(s);
    if (xmpi_policy_hpmp.decide(&view, &plan, &decision, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    int members = plan.places > 0 ? plan.places : MEMBERS;
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s->predictor);
    return members;
}

/* All alike. */
static void make_alike(scene_t *s)
{
    scene_make(s);
    s->resources.classes = 1;
    for (int i = 0; i < PES; i++)
        s->pe[i].class_index = 0;
    for (int i = 0; i < MEMBERS; i++)
        s->samples[i].computation = 10;
}

/* More members do nothing for a program in which one computes after the other. */
static void members_are_added_as_far_as_a_pipeline_gains_by_them(void **state)
{
    (void)state;
    for (int tiles = 1; tiles <= 100; tiles *= 100) {
        scene_t s;
        make_alike(&s);
        observe_meeting(&s, 3. / tiles);
        add_tiles(&s, 0, tiles, 1); /* the last one waits for 3 of them, of 1 / TILES seconds */
        assert_int_equal(members_by_hpmp(&s), tiles == 1 ? MEMBERS : PES);
    }
}

/* Of 4 kB rows there is memory for 100 of 300, and a disk for the others. */
static void set_memory(scene_t *s, double bandwidth)
{
    s->at.arrays = 1;
    s->array[0] = (xmpi_moved_array_t){
        .scheme = XMPI_SCHEME_DISTRIBUTED, .rows = DOMAIN_ROWS, .row_bytes = 4e3};
    for (int i = 0; i < PES; i++) {
        s->pe[i].memory = 4e5;
        s->pe[i].disk_bandwidth = bandwidth;
    }
}

/* What all wait for grows by more than computation shrinks; with a slow disk, which has half as
 * much to do for each of twice the members, that pays. */
static void members_are_added_for_their_memory(void **state)
{
    (void)state;
    scene_t s;
    make_alike(&s);
    observe_meeting(&s, 3);
    set_memory(&s, 1e9);
    assert_int_equal(members_by_hpmp(&s), MEMBERS);
    set_memory(&s, 5e5);
    assert_int_equal(members_by_hpmp(&s), PES);
}

/* What policies compare numbers of members by is what the plans come to that they are carried out
 * by. */
static void expect_scenarios_as_planned(scene_t *s)
{
    start(s);
    xmpi_view_t view = view_of(s);
    xmpi_decision_t decision = {.chosen = -1};
    xmpi_scenarios_t scenarios;
    assert_int_equal(xmpi_scenarios_make(&scenarios, &view, &decision), XMPI_OK);
    xmpi_scenarios_bound(&scenarios, true, false);
    for (int n = MEMBERS; n <= PES; n++) {
        int count[XMPI_CLASSES_MAX];
        xmpi_plan_t plan;
        xmpi_prediction_t prediction;
        double power = xmpi_configurations_strongest(scenarios.classes, scenarios.choice, n, count);
        assert_int_equal(xmpi_scenario_plan(&scenarios, count, &plan, &prediction), XMPI_OK);
        double seconds = xmpi_scenario_seconds(&scenarios, n, power);
        double expected = prediction.computation + prediction.io + prediction.communication;
        assert_true(fabs(seconds - scenarios.change[n] - expected) <= 0.01 * expected);
        xmpi_plan_free(&plan);
    }
    xmpi_scenarios_free(&scenarios);
    xmpi_predictor_free(&s->predictor);
}

static void scenarios_know_pipelines_and_disks(void **state)
{
    (void)state;
    scene_t s;
    make_alike(&s);
    observe_meeting(&s, 1);
    add_tiles(&s, 0, 4, 1);
    expect_scenarios_as_planned(&s);
    make_alike(&s);
    observe_meeting(&s, 0.01);
    set_memory(&s, 1e6);
    expect_scenarios_as_planned(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_waited_for_in_a_pipeline_is_no_transfer),
        cmocka_unit_test(computation_beside_a_pipeline_is_done_before),
        cmocka_unit_test(skew_is_as_much_as_was_seen),
        cmocka_unit_test(only_what_is_a_pipeline_is_one),
        cmocka_unit_test(rows_are_divided_by_what_is_waited_for),
        cmocka_unit_test(the_division_is_the_best_of_its_neighbours),
        cmocka_unit_test(members_are_added_as_far_as_a_pipeline_gains_by_them),
        cmocka_unit_test(members_are_added_for_their_memory),
        cmocka_unit_test(scenarios_know_pipelines_and_disks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
