/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of disks in the prediction model, and of blocks and members that are chosen by them. */
#include "unit/model/predict_scene.h"

#include "decide/planning/divide.h"
#include "decide/policies/catalogue.h"
#include "decide/predict/disks.h"
#include "libraries/glpk_library.h"

/* A row takes 0.1 units of work: 1/300 s on A (members 0 and 1), 1/600 s on B. */

static void expect_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * fabs(b)))
        fail_msg("%.17g, expected %.17g", a, b);
}

/* An array of 100 kB a row. */
static void store_rows(scene_t *s)
{
    s->at.arrays = 1;
    s->array[0] = (xmpi_moved_array_t){
        .scheme = XMPI_SCHEME_DISTRIBUTED, .rows = DOMAIN_ROWS, .row_bytes = 1e5};
}

static void set_memory(scene_t *s, int pe, double rows, double bandwidth)
{
    s->pe[pe].memory = rows * 1e5;
    s->pe[pe].disk_bandwidth = bandwidth;
}

static xmpi_view_t view_of(scene_t *s)
{
    return (xmpi_view_t){.layout = &s->layout,
                         .resources = &s->resources,
                         .samples = s->samples,
                         .iteration = 10,
                         .remaining = 1000,
                         .imbalance_threshold = 0.05,
                         .predictor = &s->predictor};
}

static xmpi_plan_t asked_for(scene_t *s, xmpi_mheta_layout_t division)
{
    xmpi_plan_t plan;
    xmpi_view_t view = view_of(s);
    view.division = division;
    xmpi_decision_t decision = {.chosen = -1};
    xmpi_error_t error = {""};
    if (xmpi_policy_balance.decide(&view, &plan, &decision, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    return plan;
}

static xmpi_plan_t divided(scene_t *s)
{
    return asked_for(s, XMPI_MHETA_BEST);
}

static void expect_blocks(const xmpi_plan_t *plan, const int64_t *count, int64_t within)
{
    assert_int_equal(plan->places, MEMBERS);
    for (int i = 0; i < MEMBERS; i++)
        if (llabs(plan->place[i].block.count - count[i]) > within)
            fail_msg("member %d: %ld rows, expected %ld", i, (long)plan->place[i].block.count,
                     (long)count[i]);
}

static void expect_divided(scene_t *s, const int64_t *count)
{
    start(s);
    xmpi_plan_t plan = divided(s);
    expect_blocks(&plan, count, 1);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s->predictor);
}

static void expect_asked_for(scene_t *s, xmpi_mheta_layout_t division, const int64_t *count)
{
    start(s);
    xmpi_plan_t plan = asked_for(s, division);
    expect_blocks(&plan, count, 1);
    assert_non_null(strstr(plan.reason, "from the layout that is asked for"));
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s->predictor);
}

/* What does not fit is read and written in each iteration: 300 rows, 60 MB, at 100 MB/s. */
static void rows_that_do_not_fit_take_the_disk(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    store_rows(&s);
    set_memory(&s, 0, 100, 1e8);
    start(&s);
    xmpi_prediction_t prediction = predicted(&s, &stay, 10);
    expect_near(prediction.computation, 10);
    expect_near(prediction.io, 6);
    xmpi_predictor_free(&s.predictor);
    s.array[0].constant = 1; /* it is only read */
    start(&s);
    expect_near(predicted(&s, &stay, 10).io, 3);
    xmpi_predictor_free(&s.predictor);
    set_memory(&s, 0, 300, 1e8);
    start(&s);
    expect_near(predicted(&s, &stay, 10).io + 1, 1);
    xmpi_predictor_free(&s.predictor);
}

/* With memory for 100 rows, of which a piece takes 5 (512 KiB): 10 pieces come and go, so that 50
 * rows stay, and 250 of 300 are read; computing 295 rows hides its time of that, and the first
 * piece is waited for. */
static void what_is_read_ahead_takes_what_is_not_hidden(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    store_rows(&s);
    s.array[0].constant = s.array[0].paged = s.array[0].ahead = 1;
    set_memory(&s, 0, 100, 2e7); /* 0.005 s for a row */
    start(&s);
    expect_near(predicted(&s, &stay, 10).io, 10 * (0.025 + 245 * 0.005 - 295. / 300));
    xmpi_predictor_free(&s.predictor);
    s.pe[0].disk_latency = 1e-3; /* hidden with the bytes: 0.026 s for a piece */
    start(&s);
    expect_near(predicted(&s, &stay, 10).io, 10 * (0.026 + 245 * 0.026 / 5 - 295. / 300));
    xmpi_predictor_free(&s.predictor);
    s.array[0].constant = 0; /* as much is written behind */
    start(&s);
    expect_near(predicted(&s, &stay, 10).io, 10 * (0.026 + (245 + 250) * 0.026 / 5 - 295. / 300));
    xmpi_predictor_free(&s.predictor);
    s.pe[0].disk_latency = 0;
    s.array[0].constant = 1;
    s.array[0].ahead = 0; /* as XMPI_OOC_AHEAD=0 has it: nothing is hidden */
    start(&s);
    expect_near(predicted(&s, &stay, 10).io, 10 * 250 * 0.005);
    xmpi_predictor_free(&s.predictor);
    s.array[0].ahead = 1;
    set_memory(&s, 0, 100, 1e8); /* 0.001 s: all is hidden, but the first piece */
    start(&s);
    expect_near(predicted(&s, &stay, 10).io, 10 * 0.005);
    xmpi_predictor_free(&s.predictor);
}

/* What the structure of the loop says of an array: it is read three times, and written once. */
static void passes_are_counted(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    store_rows(&s);
    s.array[0].reads = 3;
    s.array[0].writes = 1;
    set_memory(&s, 0, 100, 1e8);
    start(&s);
    expect_near(predicted(&s, &stay, 10).io, 10 * 300 * (3 + 1) * 0.001);
    xmpi_predictor_free(&s.predictor);
}

/* Of an array in a loop whose count is known at run time only: what members have seen, also where
 * it is no whole number. */
static void passes_that_were_seen_count_where_nothing_else_is_known(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    store_rows(&s);
    s.array[0].passes = 2.5;
    set_memory(&s, 0, 100, 1e8);
    start(&s);
    expect_near(predicted(&s, &stay, 10).io, 10 * 300 * 2.5 * 2 * 0.001);
    xmpi_predictor_free(&s.predictor);
    s.array[0].constant = 1;
    start(&s);
    expect_near(predicted(&s, &stay, 10).io, 10 * 300 * 2.5 * 0.001);
    xmpi_predictor_free(&s.predictor);
    s.array[0].reads = 1;
    start(&s);
    expect_near(predicted(&s, &stay, 10).io, 10 * 300 * 0.001);
    xmpi_predictor_free(&s.predictor);
}

/* Two arrays of which one is read ahead, 100 kB of each a row, in pieces of two rows: the other is
 * read as before. */
static void the_others_are_read_when_they_are_needed(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    store_rows(&s);
    s.at.arrays = 2;
    s.array[1] = s.array[0];
    s.array[0].constant = s.array[1].constant = s.array[0].paged = s.array[0].ahead = 1;
    set_memory(&s, 0, 100, 2e7);
    start(&s);
    expect_near(predicted(&s, &stay, 10).io, 10 * (300 * 0.005 + 0.01 + 298 * (0.005 - 1. / 300)));
    xmpi_predictor_free(&s.predictor);
    s.array[1].paged = s.array[1].ahead = 1; /* both: computing hides its time once; 26 rows stay */
    start(&s);
    expect_near(predicted(&s, &stay, 10).io, 10 * (0.02 + 272 * 0.01 - 298. / 300));
    xmpi_predictor_free(&s.predictor);
}

/* A row takes as long as its computation where that hides its reading, else as its reading, of
 * which 50 need none: t = (x - 46.7) / 200 on member 0 at 20 MB/s, the others t = x / 300 and x /
 * 600. */
static void blocks_go_by_what_is_not_hidden(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    store_rows(&s);
    s.array[0].constant = s.array[0].paged = s.array[0].ahead = 1;
    set_memory(&s, 0, 100, 1e8);
    expect_divided(&s, (int64_t[]){200, 200, 400, 400});
    set_memory(&s, 0, 100, 2e7);
    expect_divided(&s, (int64_t[]){182, 203, 407, 407});
    s.array[0].ahead = 0; /* t = x / 300 + (x - 50) / 200 */
    expect_divided(&s, (int64_t[]){117, 217, 433, 433});
    s.array[0].paged = 0; /* x / 120: only what fits */
    expect_divided(&s, (int64_t[]){100, 220, 440, 440});
}

/* With a slow disk a member keeps what fits, with a quick one it takes more. The computation of all
 * is balanced from the start: only the disk is a reason. */
static void blocks_go_by_memory(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    store_rows(&s);
    for (int i = 0; i < MEMBERS; i++) {
        s.member[i].block = (xmpi_block_t){i < 2 ? 200 : 400, i < 2 ? 200 * i : 400 * (i - 1)};
        s.samples[i].work = i < 2 ? 200 : 400;
        s.samples[i].computation = 20. / 3;
    }
    start(&s);
    xmpi_plan_t plan = divided(&s);
    assert_int_equal(plan.places, 0);
    xmpi_predictor_free(&s.predictor);
    set_memory(&s, 0, 100, 2e7);
    start(&s);
    plan = divided(&s);
    expect_blocks(&plan, (int64_t[]){100, 220, 440, 440}, 1);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
    set_memory(&s, 0, 100, 1e8); /* 1/300 + 1/500 s for a row */
    start(&s);
    plan = divided(&s);
    expect_blocks(&plan, (int64_t[]){133, 213, 427, 427}, 1);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

/* Two members on one node have half of its memory each. */
static void members_share_the_memory_of_a_node(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    store_rows(&s);
    s.pe[1].node[0] = s.pe[0].node[0];
    for (int i = 0; i < 2; i++)
        set_memory(&s, i, 200, 2e7);
    start(&s);
    xmpi_plan_t plan = divided(&s);
    expect_blocks(&plan, (int64_t[]){100, 100, 500, 500}, 1);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

/* What every member stores beside its rows leaves less for them. */
static void what_all_have_takes_memory(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    store_rows(&s);
    s.at.arrays = 2;
    s.array[1] = (xmpi_moved_array_t){
        .scheme = XMPI_SCHEME_REPLICATED, .rows = DOMAIN_ROWS, .row_bytes = 1e7 / DOMAIN_ROWS};
    set_memory(&s, 0, 200, 2e7);
    start(&s);
    xmpi_plan_t plan = divided(&s);
    assert_int_equal(plan.places, MEMBERS);
    assert_true(llabs(plan.place[0].block.count - 100) <= 1);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

/* Where there is no room at all the time is long, but a time. */
static void no_memory_is_no_end(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    store_rows(&s);
    s.at.arrays = 2;
    s.array[1] = (xmpi_moved_array_t){
        .scheme = XMPI_SCHEME_REPLICATED, .rows = DOMAIN_ROWS, .row_bytes = 1e7};
    set_memory(&s, 0, 200, 2e7);
    start(&s);
    expect_near(predicted(&s, &stay, 10).io, 30); /* 300 rows at 0.01 s */
    xmpi_plan_t plan = divided(&s);
    assert_int_equal(plan.places, MEMBERS);
    assert_non_null(strstr(plan.reason, "computation and I/O times differ"));
    expect_blocks(&plan, (int64_t[]){57, 229, 457, 457}, 1);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

static void read_files(scene_t *s, int i, int64_t bytes, double seconds)
{
    s->samples[i].operations[XMPI_CLASS_IO] =
        (xmpi_operations_t){.calls = 10, .bytes = bytes, .seconds = seconds};
}

/* I/O of the program itself: the disk of member 2 is slow. */
static void a_slow_disk_is_a_reason_for_fewer_rows(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    for (int i = 0; i < MEMBERS; i++)
        read_files(&s, i, 300000, i == 2 ? 11 : 1);
    start(&s);
    assert_true(s.predictor.disks.follows);
    expect_near(predicted(&s, &stay, 10).io, 6); /* 5 + 11 s, of which 10 are computation's */
    xmpi_plan_t plan = divided(&s);
    expect_blocks(&plan, (int64_t[]){265, 265, 183, 487}, 2);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

/* The least I/O of such a program goes by its disks alone: three of them give 300 rows in a second,
 * that of member 2 gives 27. */
static void the_least_io_goes_by_what_the_program_reads(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    for (int i = 0; i < MEMBERS; i++)
        read_files(&s, i, 300000, i == 2 ? 11 : 1);
    expect_asked_for(&s, XMPI_MHETA_IC, (int64_t[]){388, 388, 36, 388});
}

/* I/O of one member, as that of results, is no reason to have fewer rows. */
static void io_that_does_not_follow_rows_moves_none(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    read_files(&s, 0, 300000, 4);
    start(&s);
    assert_false(s.predictor.disks.known);
    xmpi_plan_t plan = divided(&s);
    expect_blocks(&plan, (int64_t[]){200, 200, 400, 400}, 0);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

/* The layouts of the paper, whatever they cost: member 0 has room for 100 rows, the others for 500,
 * and members 0 and 1 compute half as quickly as the others. Without memory that is known all rows
 * fit. */
static void layouts_can_be_asked_for(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    store_rows(&s);
    expect_asked_for(&s, XMPI_MHETA_BAL, (int64_t[]){200, 200, 400, 400});
    expect_asked_for(&s, XMPI_MHETA_ICBAL, (int64_t[]){200, 200, 400, 400});
    for (int i = 0; i < MEMBERS; i++)
        set_memory(&s, i, i == 0 ? 100 : 500, 1e8);
    expect_asked_for(&s, XMPI_MHETA_BAL, (int64_t[]){200, 200, 400, 400});
    expect_asked_for(&s, XMPI_MHETA_IC, (int64_t[]){75, 375, 375, 375});
    expect_asked_for(&s, XMPI_MHETA_ICBAL, (int64_t[]){100, 220, 440, 440});
    /* what is there is what is asked for */
    start(&s);
    xmpi_plan_t plan = asked_for(&s, XMPI_MHETA_BLK);
    assert_int_equal(plan.places, 0);
    assert_non_null(strstr(plan.reason, "tolerated"));
    xmpi_predictor_free(&s.predictor);
}

/* --- how many members ---------------------------------------------------------------------------
 */

/* Members that amp goes on with, to be done in 2500 s, with as few as can be. */
static int amp_takes(scene_t *s)
{
    xmpi_plan_t plan;
    xmpi_decision_t decision = {.chosen = -1};
    xmpi_error_t error = {""};
    xmpi_view_t view = view_of(s);
    view.now = view.started = view.loop_started = 1000;
    view.goal = (xmpi_goal_t){XMPI_GOAL_SECONDS, 2500};
    view.tolerance = 0.01;
    view.may_grow = true;
    view.glpk = xmpi_glpk(&error);
    if (view.glpk == NULL)
        skip(); /* make GLPK=no */
    start(s);
    if (xmpi_policy_amp.decide(&view, &plan, &decision, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    int members = plan.places > 0 ? plan.places : MEMBERS;
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s->predictor);
    return members;
}

/* The first member, on A, and one on B compute all rows in time. With memory for 400 rows they
 * would read and write 400 of 1,200, some seconds in each iteration by a slow disk: as many stay as
 * hold them. A quick disk is no reason. */
static void amp_gives_back_no_memory_that_it_needs(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    store_rows(&s);
    assert_int_equal(amp_takes(&s), 2);
    for (int i = 0; i < PES; i++)
        set_memory(&s, i, 400, 1e7);
    assert_int_equal(amp_takes(&s), 3);
    for (int i = 0; i < PES; i++)
        set_memory(&s, i, 400, 1e10);
    assert_int_equal(amp_takes(&s), 2);
}

/* In the same time, with blocks of 300 rows and memory for 150: half of the rows take 6 s in each
 * iteration, and the goal is missed by far unless others come, whose memory takes the rest. */
static void amp_gets_memory_where_the_disk_is_slow(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    store_rows(&s);
    for (int i = 0; i < PES; i++)
        set_memory(&s, i, 150, 1e7);
    for (int i = 0; i < MEMBERS; i++)
        s.samples[i].operations[XMPI_CLASS_IO] =
            (xmpi_operations_t){.calls = 100, .bytes = 600000000, .seconds = 60};
    assert_int_equal(amp_takes(&s), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_do_not_fit_take_the_disk),
        cmocka_unit_test(what_is_read_ahead_takes_what_is_not_hidden),
        cmocka_unit_test(passes_are_counted),
        cmocka_unit_test(passes_that_were_seen_count_where_nothing_else_is_known),
        cmocka_unit_test(the_others_are_read_when_they_are_needed),
        cmocka_unit_test(blocks_go_by_memory),
        cmocka_unit_test(blocks_go_by_what_is_not_hidden),
        cmocka_unit_test(members_share_the_memory_of_a_node),
        cmocka_unit_test(what_all_have_takes_memory),
        cmocka_unit_test(no_memory_is_no_end),
        cmocka_unit_test(a_slow_disk_is_a_reason_for_fewer_rows),
        cmocka_unit_test(layouts_can_be_asked_for),
        cmocka_unit_test(the_least_io_goes_by_what_the_program_reads),
        cmocka_unit_test(io_that_does_not_follow_rows_moves_none),
        cmocka_unit_test(amp_gives_back_no_memory_that_it_needs),
        cmocka_unit_test(amp_gets_memory_where_the_disk_is_slow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
