/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the prediction model: every equation against a case computed by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decide/predict.h"

enum { MEMBERS = 4, PES = 8, DOMAIN_ROWS = 1200 };

static const double alpha = 1e-3, beta = 1e-6, gamma_ = 2e-6;

/* Four members on nodes of their own, of classes A A B B; empty PEs of classes A B B C. */
typedef struct {
    xmpi_member_t member[PES];
    xmpi_layout_t layout;
    xmpi_pe_t pe[PES];
    xmpi_resources_t resources;
    xmpi_sample_t samples[PES];
    xmpi_calibration_t calibration;
    xmpi_model_t model;
    xmpi_moved_array_t array[2];
    xmpi_situation_t at;
    xmpi_predictor_t predictor;
} scene_t;

static void set_curve(scene_t *s, xmpi_curve_kind_t kind, double seconds)
{
    s->calibration.curve[kind] = (xmpi_curve_t){.points = 1, .point = {{1, seconds}}};
}

static void calibrate(scene_t *s)
{
    for (int i = 0; i < XMPI_LINKS; i++)
        s->calibration.link[i] = (xmpi_link_t){alpha, beta, alpha, beta, 1e9};
    s->calibration.gamma = gamma_;
    set_curve(s, XMPI_CURVE_CONCURRENT, 0.5);
    set_curve(s, XMPI_CURVE_REMOVE, 0.001);
    set_curve(s, XMPI_CURVE_PARK, 0.002);
    set_curve(s, XMPI_CURVE_WAKE, 0.003);
    s->calibration.classes = 3;
    strcpy(s->calibration.class_speed[0].name, "A");
    strcpy(s->calibration.class_speed[1].name, "B");
    strcpy(s->calibration.class_speed[2].name, "C");
    for (int i = 0; i < 3; i++)
        s->calibration.class_speed[i].speed = (double[]){10, 20, 50}[i];
}

/* Ten iterations of 120 units of work; A does 30 units a second, B 60: 10 s and 5 s of work. */
static void scene_make(scene_t *s)
{
    static const int class_of[PES] = {0, 0, 1, 1, 0, 1, 1, 2};
    memset(s, 0, sizeof *s);
    s->layout = (xmpi_layout_t){.domain = DOMAIN_ROWS, .members = MEMBERS, .member = s->member};
    s->resources = (xmpi_resources_t){.pes = PES,
                                      .pe = s->pe,
                                      .classes = 3,
                                      .class_name = {"A", "B", "C"},
                                      .max_members = PES,
                                      .can_spawn = true,
                                      .anchor = 0,
                                      .started = MEMBERS};
    for (int i = 0; i < PES; i++) {
        s->pe[i].class_index = class_of[i];
        s->pe[i].process = i < MEMBERS ? i : -1;
        s->pe[i].node[0] = (char)('a' + i);
    }
    for (int i = 0; i < MEMBERS; i++) {
        s->member[i] = (xmpi_member_t){i, {300, 300 * i}};
        s->samples[i] = (xmpi_sample_t){
            .iterations = 10, .wall = 12, .work = 300, .computation = class_of[i] == 0 ? 10 : 5};
    }
    calibrate(s);
    s->at = (xmpi_situation_t){.layout = &s->layout,
                               .resources = &s->resources,
                               .samples = s->samples,
                               .calibration = &s->calibration,
                               .model = &s->model,
                               .array = s->array,
                               .iteration = 10,
                               .creation = XMPI_CURVE_CONCURRENT};
}

/* All members make CALLS calls of BYTES bytes in an iteration, which take SECONDS together. */
static void observe(scene_t *s, xmpi_kind_t kind, int members, double calls, double bytes,
                    double seconds)
{
    for (int i = 0; i < MEMBERS; i++) {
        xmpi_sample_t *sample = &s->samples[i];
        sample->observed[sample->observed_kinds++] =
            (xmpi_observed_t){.kind = (int16_t)kind,
                              .members = members,
                              .calls = (int64_t)(10 * calls),
                              .bytes = (int64_t)(10 * calls * bytes),
                              .seconds = 10 * seconds};
    }
}

static void start(scene_t *s)
{
    xmpi_error_t error = {""};
    if (xmpi_predictor_make(&s->predictor, &s->at, &error) != XMPI_OK)
        fail_msg("%s", error.text);
}

static xmpi_prediction_t predicted(scene_t *s, const xmpi_plan_t *plan, int64_t iterations)
{
    xmpi_prediction_t prediction;
    assert_int_equal(xmpi_predict(&s->predictor, plan, iterations, &prediction), XMPI_OK);
    return prediction;
}

static const xmpi_plan_t stay = {.places = 0};

/* The members stay, and N new ones come on PEs 4, 5, ...; blocks of COUNT rows. */
static xmpi_plan_t grown(int n, const int64_t *count)
{
    xmpi_plan_t plan;
    int64_t displ = 0;
    assert_int_equal(xmpi_plan_alloc(&plan, MEMBERS + n), XMPI_OK);
    for (int i = 0; i < plan.places; i++) {
        xmpi_place_t place = {.origin = XMPI_STAYS, .from = i, .pe = -1};
        if (i >= MEMBERS)
            place = (xmpi_place_t){.origin = XMPI_NEW, .from = -1, .pe = i};
        place.block = (xmpi_block_t){count[i], displ};
        displ += count[i];
        plan.place[i] = place;
    }
    assert_int_equal(displ, DOMAIN_ROWS);
    return plan;
}

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected) + 1e-15))
        fail_msg("%.12g instead of %.12g", value, expected);
}

static double call(xmpi_kind_t kind, int members, double bytes)
{
    xmpi_link_t link = {alpha, beta, alpha, beta, 1e9};
    xmpi_mpi_call_t c = {.kind = kind, .members = members, .bytes = bytes};
    return xmpi_mpi_seconds(&c, &link, gamma_);
}

/* --- computation ------------------------------------------------------------------------------ */

static void eq_5_1_the_slowest_member_and_communication_make_the_interval(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    observe(&s, XMPI_KIND_ALLREDUCE, MEMBERS, 1, 8, 0.2);
    start(&s);
    xmpi_prediction_t p = predicted(&s, &stay, 20);
    near(p.computation, 20);         /* 600 units of a member of class A, 30 a second */
    near(p.communication, 20 * 0.2); /* as measured */
    near(p.io, 0);
    near(p.process, 0);
    near(p.redistribution, 0);
    near(p.total, 24);
    xmpi_predictor_free(&s.predictor);
}

static void eq_5_3_balanced_layouts_take_all_work_by_all_speed(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    start(&s);
    xmpi_plan_t plan = grown(0, (int64_t[]){200, 200, 400, 400});
    xmpi_prediction_t p = predicted(&s, &plan, 10);
    near(p.computation, 1200.0 / (30 + 30 + 60 + 60));
    near(xmpi_predict_work(&s.predictor, 10), 1200);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

static void weights_of_rows_count_instead_of_rows(void **state)
{
    (void)state;
    scene_t s;
    double prefix[DOMAIN_ROWS + 1] = {0};
    scene_make(&s);
    for (int i = 0; i < DOMAIN_ROWS; i++) /* the last half weighs three times as much */
        prefix[i + 1] = prefix[i] + (i < DOMAIN_ROWS / 2 ? 1 : 3);
    s.at.prefix = prefix;
    start(&s);
    xmpi_plan_t plan = grown(0, (int64_t[]){300, 300, 300, 300});
    /* A: 300 of 2400 of the weight at 30 a second, 5 s; B: 900 of them at 60 a second. */
    near(predicted(&s, &plan, 10).computation, 7.5);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

static void unused_pes_have_the_speed_of_their_class(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.samples[3].computation = 10; /* one of the two of class B is as slow as A */
    start(&s);
    near(xmpi_predict_speed(&s.predictor, 4), 30);
    near(xmpi_predict_speed(&s.predictor, 3), 30);
    near(xmpi_predict_speed(&s.predictor, 5), 45); /* the mean of class B */
    xmpi_predictor_free(&s.predictor);
}

static void unused_classes_have_the_speed_that_the_calibration_tells(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    start(&s);
    near(xmpi_predict_speed(&s.predictor, 7), 50 * 3); /* A: 30 for 10, B: 60 for 20 */
    xmpi_predictor_free(&s.predictor);
    s.calibration.classes = 2;
    start(&s);
    near(xmpi_predict_speed(&s.predictor, 7), 45); /* unknown: the mean of all */
    xmpi_predictor_free(&s.predictor);
    s.model.class_speed[2] = 77; /* seen earlier in this run */
    start(&s);
    near(xmpi_predict_speed(&s.predictor, 7), 77);
    xmpi_predictor_free(&s.predictor);
}

static void work_that_grows_is_extrapolated(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.at.iteration = 30;
    for (int i = 0; i < 3; i++) /* 100, 110, 120 units an iteration at iterations 5, 15, 25 */
        xmpi_model_add_work(&s.model, 10 * i + 10, 10, 10 * (100 + 10 * i));
    start(&s);
    near(xmpi_predict_work(&s.predictor, 10), 10 * 130);     /* its middle is iteration 35 */
    near(xmpi_predict_work(&s.predictor, 1000), 1000 * 240); /* not beyond twice the last */
    xmpi_predictor_free(&s.predictor);
}

static void irregular_work_follows_the_profile_with_a_correction(void **state)
{
    (void)state;
    scene_t s;
    xmpi_profile_point_t point[] = {{10, 1000}, {20, 4000}, {30, 5000}};
    xmpi_profile_t profile = {.points = 3, .point = point};
    scene_make(&s);
    s.at.profile = &profile;
    start(&s);
    near(xmpi_profile_work(&profile, 5, 15), 500 + 1500);
    near(xmpi_profile_work(&profile, 25, 40), 500 + 1000);
    /* 1200 units were measured where the profile has 1000: 20 % more. */
    near(xmpi_predict_work(&s.predictor, 15), 1.2 * (3000 + 500));
    /* The slowest member took 20 % longer than predicted: it had more than its share. */
    xmpi_model_learn_irregular(&s.model, 10, 12);
    near(s.model.irregular, 1.1);
    near(xmpi_predict_work(&s.predictor, 15), 1.1 * 1.2 * (3000 + 500));
    xmpi_predictor_free(&s.predictor);
}

/* --- communication ----------------------------------------------------------------------------
 */

/* All work was in the rows of the first two members, and will be in those of the others, as the
 * profile says: 1200 units, half of them each at 60 a second. */
static void work_that_wanders_is_followed_by_the_parts_of_the_profile(void **state)
{
    (void)state;
    scene_t s;
    xmpi_profile_point_t point[] = {{10, 1200}, {20, 2400}};
    static xmpi_profile_parts_t parts[2];
    xmpi_profile_t profile = {.points = 2, .point = point, .parts = parts};
    memset(parts, 0, sizeof parts);
    for (int i = 0; i < XMPI_PROFILE_PARTS / 2; i++) {
        parts[0].work[i] = parts[1].work[i] = 2400. / XMPI_PROFILE_PARTS;
        parts[1].work[XMPI_PROFILE_PARTS / 2 + i] = 2400. / XMPI_PROFILE_PARTS;
    }
    scene_make(&s);
    s.at.profile = &profile;
    start(&s);
    near(predicted(&s, &stay, 10).computation, 10);
    xmpi_plan_t plan = grown(0, (int64_t[]){600, 300, 200, 100});
    near(predicted(&s, &plan, 10).computation, 20); /* 600 units at 30 a second */
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

static void eq_5_4_and_5_5_correct_the_estimate(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    /* Estimated: 2 (alpha + 8 beta + 8 gamma); measured 1.5 times that. */
    double estimated = call(XMPI_KIND_ALLREDUCE, 4, 8);
    observe(&s, XMPI_KIND_ALLREDUCE, MEMBERS, 1, 8, 1.5 * estimated);
    start(&s);
    xmpi_plan_t plan = grown(4, (int64_t[]){150, 150, 150, 150, 150, 150, 150, 150});
    near(predicted(&s, &plan, 10).communication, 10 * 1.5 * call(XMPI_KIND_ALLREDUCE, 8, 8));
    near(xmpi_predict_communication(&s.predictor, 8), 1.5 * call(XMPI_KIND_ALLREDUCE, 8, 8));
    near(xmpi_predict_communication(&s.predictor, 1), 0);
    xmpi_predictor_teach(&s.predictor, &s.model);
    xmpi_predictor_free(&s.predictor);
    xmpi_plan_free(&plan);
    near(s.model.correction[XMPI_KIND_ALLREDUCE][0], 1.5);
}

static void blocks_shrink_with_more_members_but_halos_and_reductions_do_not(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    double before = call(XMPI_KIND_ALLGATHERV, 4, 2400) + call(XMPI_KIND_SENDRECV, 4, 2400);
    observe(&s, XMPI_KIND_ALLGATHERV, MEMBERS, 1, 2400, call(XMPI_KIND_ALLGATHERV, 4, 2400));
    observe(&s, XMPI_KIND_SENDRECV, 0, 1, 2400, call(XMPI_KIND_SENDRECV, 4, 2400));
    start(&s);
    near(predicted(&s, &stay, 1).communication, before);
    near(xmpi_predict_communication(&s.predictor, 8),
         call(XMPI_KIND_ALLGATHERV, 8, 1200) + call(XMPI_KIND_SENDRECV, 8, 2400));
    xmpi_predictor_free(&s.predictor);
}

/* With blocks of different sizes it can be seen what follows the rows. */
static void what_follows_the_rows_is_seen_in_unequal_blocks(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    observe(&s, XMPI_KIND_SENDRECV, 0, 1, 2400, 0.1);
    observe(&s, XMPI_KIND_ALLGATHER, MEMBERS, 1, 1200, 0.1);
    for (int i = 0; i < MEMBERS; i++) {
        int64_t rows = i % 2 ? 400 : 200;
        s.member[i].block = (xmpi_block_t){rows, 600 * (i / 2) + (i % 2 ? 200 : 0)};
        s.samples[i].observed[0].bytes = 10 * 8 * rows; /* the messages follow the rows */
    }
    start(&s);
    assert_true(s.predictor.exchange[0].row_bytes > 0);
    near(s.predictor.exchange[0].row_bytes, 8);
    assert_true(s.predictor.exchange[1].row_bytes == 0); /* all have the same */
    xmpi_predictor_free(&s.predictor);
}

/* Only waiting that was not hidden behind computation counts. */
static void posted_messages_cost_what_is_waited_for(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    double estimated = call(XMPI_KIND_SEND, 4, 100000);
    observe(&s, XMPI_KIND_SEND, 0, 1, 100000, 0.1 * estimated);
    observe(&s, XMPI_KIND_WAIT, 0, 1, 0, 0.2 * estimated);
    for (int i = 0; i < MEMBERS; i++)
        s.samples[i].observed[0].posted = true;
    start(&s);
    near(predicted(&s, &stay, 10).communication, 10 * 0.3 * estimated);
    near(xmpi_predict_communication(&s.predictor, 8), 0.3 * estimated);
    xmpi_predictor_free(&s.predictor);
}

static void messages_on_one_node_take_its_link(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.calibration.link[XMPI_LINK_NODE] = (xmpi_link_t){alpha / 10, beta, alpha / 10, beta, 1e9};
    for (int i = 0; i < MEMBERS; i++)
        s.pe[i].node[0] = 'a';
    double here = 2 * (alpha / 10 + 8 * beta + 8 * gamma_);
    observe(&s, XMPI_KIND_ALLREDUCE, MEMBERS, 1, 8, here);
    start(&s);
    near(predicted(&s, &stay, 1).communication, here);
    xmpi_plan_t plan = grown(4, (int64_t[]){150, 150, 150, 150, 150, 150, 150, 150});
    near(predicted(&s, &plan, 1).communication, call(XMPI_KIND_ALLREDUCE, 8, 8));
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

/* --- I/O, changes ------------------------------------------------------------------------------
 */

static void io_follows_the_rows(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    for (int i = 0; i < MEMBERS; i++)
        s.samples[i].operations[XMPI_CLASS_IO] = (xmpi_operations_t){10, 3000, 1.5};
    start(&s);
    near(predicted(&s, &stay, 10).io, 1.5);
    xmpi_plan_t plan = grown(0, (int64_t[]){200, 200, 400, 400});
    near(predicted(&s, &plan, 10).io, 2); /* beside the slowest member of those with most */
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

static void eq_5_6_and_5_7_of_processes(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    start(&s);
    xmpi_plan_t plan = grown(3, (int64_t[]){200, 200, 200, 200, 200, 100, 100});
    near(predicted(&s, &plan, 10).process, 3 * 0.5);
    s.pe[5].parked = true;
    near(predicted(&s, &plan, 10).process, 2 * 0.5 + 0.003);
    s.model.process[0] = s.model.process[1] = (xmpi_correction_t){4, 2};
    near(predicted(&s, &plan, 10).process, 2 * (2 * 0.5 + 0.003));
    near(xmpi_predict_process(&s.predictor, 0, 0, 4, 0), 2 * 4 * 0.001);
    xmpi_plan_free(&plan);
    s.resources.started = 3; /* the last member was created, the first three park */
    memset(&s.model, 0, sizeof s.model);
    plan = grown(0, (int64_t[]){300, 300, 300, 300});
    plan.places = 2;
    plan.place[0].block.count = 900;
    plan.place[1].block.displ = 900;
    near(predicted(&s, &plan, 10).process, 0.001 + 0.002);
    s.calibration.agreement[XMPI_AGREE_LEAVE] = (xmpi_agreement_t){0.01, 1};
    near(predicted(&s, &plan, 10).process, 0.013 + call(XMPI_KIND_BCAST, 4, 8));
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

/* One array of 100 bytes a row: 300, 300, 300, 300 rows become 250, 250, 250, 250, 200. */
static void eq_5_9_of_a_distributed_array(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.at.arrays = 1;
    s.array[0] = (xmpi_moved_array_t){
        .scheme = XMPI_SCHEME_DISTRIBUTED, .rows = DOMAIN_ROWS, .row_bytes = 100};
    start(&s);
    xmpi_plan_t plan = grown(1, (int64_t[]){250, 250, 250, 250, 200});
    /* 50 rows to the next, 100, 150, and 200 from the last member to the new one. */
    near(predicted(&s, &plan, 1).redistribution, alpha + 200 * 100 * beta);
    s.calibration.fresh = 3e-6;
    s.calibration.agreement[XMPI_AGREE_JOINED] = (xmpi_agreement_t){0.01, 2};
    near(predicted(&s, &plan, 1).redistribution,
         alpha + 200 * 100 * (beta + 3e-6) + 0.01 + 2 * call(XMPI_KIND_ALLREDUCE, 5, 8));
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

static void eq_5_9_of_a_replicated_array(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.at.arrays = 1;
    s.array[0] =
        (xmpi_moved_array_t){.scheme = XMPI_SCHEME_REPLICATED, .rows = DOMAIN_ROWS, .row_bytes = 8};
    start(&s);
    xmpi_plan_t plan = grown(1, (int64_t[]){240, 240, 240, 240, 240});
    near(predicted(&s, &plan, 1).redistribution, alpha + 4 * 300 * 8 * beta);
    xmpi_plan_free(&plan);
    plan = grown(0, (int64_t[]){200, 200, 400, 400});
    near(predicted(&s, &plan, 1).redistribution, 0); /* all have it already */
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

/* A sparse matrix: pointers of rows, which move first, then the indices and values of its entries
 * (3 in the mean), in one message. */
static void eq_5_10_of_a_sparse_matrix(void **state)
{
    (void)state;
    scene_t s;
    xmpi_moved_array_t csr[] = {
        {.scheme = XMPI_SCHEME_DISTRIBUTED, .rows = DOMAIN_ROWS, .row_bytes = 4, .lengths = true},
        {.scheme = XMPI_SCHEME_DISTRIBUTED, .rows = DOMAIN_ROWS, .row_bytes = 3 * 4},
        {.scheme = XMPI_SCHEME_DISTRIBUTED, .rows = DOMAIN_ROWS, .row_bytes = 3 * 8}};
    scene_make(&s);
    s.at.arrays = 3;
    s.at.array = csr;
    start(&s);
    xmpi_plan_t plan = grown(1, (int64_t[]){250, 250, 250, 250, 200});
    near(predicted(&s, &plan, 1).redistribution, 2 * alpha + 200 * (4 + 12 + 24) * beta);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

/* Messages of more than 20,000 bytes take 5 alpha: the announcement, the answer, which is the
 * receiver's, and the data. 300, 300, 300, 300 rows become 240 each: each member sends the next one
 * 60, 120, 180 and 240 rows, of which the last three are long messages. */
static void long_messages_keep_their_receivers_busy_too(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.at.arrays = 1;
    s.array[0] = (xmpi_moved_array_t){
        .scheme = XMPI_SCHEME_DISTRIBUTED, .rows = DOMAIN_ROWS, .row_bytes = 300};
    for (int i = 0; i < XMPI_LINKS; i++)
        s.calibration.link[i] = (xmpi_link_t){alpha, beta, 5 * alpha, beta, 20000};
    start(&s);
    xmpi_plan_t plan = grown(1, (int64_t[]){240, 240, 240, 240, 240});
    /* The last member answers one and sends one: 2 alpha, and 3 alpha with the bytes. */
    near(predicted(&s, &plan, 1).redistribution, (2 + 3) * alpha + 240 * 300 * beta);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

/* Two arrays whose pieces are small and a replicated one, 80 bytes of 320 from each: one message.
 */
static void small_pieces_for_a_joiner_go_together(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.at.arrays = 2;
    s.array[0] = (xmpi_moved_array_t){
        .scheme = XMPI_SCHEME_DISTRIBUTED, .rows = DOMAIN_ROWS, .row_bytes = 1};
    s.array[1] =
        (xmpi_moved_array_t){.scheme = XMPI_SCHEME_REPLICATED, .rows = 320, .row_bytes = 1};
    start(&s);
    xmpi_plan_t plan = grown(1, (int64_t[]){300, 300, 300, 300, 0});
    near(predicted(&s, &plan, 1).redistribution, alpha + 320 * beta);
    xmpi_plan_free(&plan);
    plan = grown(1, (int64_t[]){300, 300, 300, 100, 200});
    near(predicted(&s, &plan, 1).redistribution, alpha + 320 * beta);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

/* The time of the process with most to send or receive, from the list of pairs of the transfer
 * plan. */
static double by_pairs(const scene_t *s, const xmpi_plan_t *plan)
{
    xmpi_transfer_size_t size;
    double send[2 * PES] = {0}, receive[2 * PES] = {0}, most = 0;
    assert_int_equal(xmpi_transfer_size_of_plan(&s->layout, plan, 1, s->array, &size), XMPI_OK);
    for (int64_t i = 0; i < size.pairs; i++) {
        send[size.pair[i].from] += alpha + size.pair[i].bytes * beta;
        receive[size.pair[i].to] += size.pair[i].bytes * beta;
    }
    for (int i = 0; i < size.transit; i++) {
        most = fmax(most, send[i]);
        most = fmax(most, receive[i] > 0 ? receive[i] + alpha : 0);
    }
    xmpi_transfer_size_free(&size);
    return most;
}

static void redistribution_prices_the_pairs_of_the_transfer_plan(void **state)
{
    (void)state;
    static const int schemes[] = {XMPI_SCHEME_DISTRIBUTED, XMPI_SCHEME_OWNED};
    uint64_t random = 99;
    for (int round = 0; round < 2000; round++) {
        scene_t s;
        int64_t count[PES] = {0};
        int more = round % 4, n = MEMBERS + more;
        scene_make(&s);
        s.at.arrays = 1;
        s.array[0] = (xmpi_moved_array_t){.scheme = schemes[round / 4 % 2],
                                          .rows = DOMAIN_ROWS,
                                          .row_bytes = 100,
                                          .halo = round % 3 == 0 ? 0 : round % 7};
        for (int i = 0; i < DOMAIN_ROWS / 100; i++) { /* also members without rows */
            random = random * 6364136223846793005u + 1442695040888963407u;
            count[(random >> 33) % (uint64_t)n] += 100;
        }
        start(&s);
        xmpi_plan_t plan = grown(more, count);
        near(predicted(&s, &plan, 1).redistribution, by_pairs(&s, &plan));
        xmpi_plan_free(&plan);
        xmpi_predictor_free(&s.predictor);
    }
}

static void eq_5_2_adds_all_phases(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.at.arrays = 1;
    s.array[0] = (xmpi_moved_array_t){
        .scheme = XMPI_SCHEME_DISTRIBUTED, .rows = DOMAIN_ROWS, .row_bytes = 100};
    observe(&s, XMPI_KIND_ALLREDUCE, MEMBERS, 1, 8, 0.2);
    start(&s);
    xmpi_plan_t plan = grown(1, (int64_t[]){250, 250, 250, 250, 200});
    xmpi_prediction_t p = predicted(&s, &plan, 10);
    near(p.total, p.computation + p.communication + p.io + p.process + p.redistribution);
    near(p.computation, 250.0 / 30);
    near(p.process, 0.5);
    assert_true(p.communication > 0 && p.redistribution > 0);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

/* --- learning, errors --------------------------------------------------------------------------
 */

static void the_first_creation_of_a_run_takes_longer(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.calibration.first_creation = 0.7;
    start(&s);
    near(xmpi_predict_process(&s.predictor, 2, 0, 0, 0), 0.7 + 2 * 0.5);
    near(xmpi_predict_process(&s.predictor, 0, 2, 0, 0), 2 * 0.003);
    s.model.created = true;
    near(xmpi_predict_process(&s.predictor, 2, 0, 0, 0), 2 * 0.5);
    xmpi_predictor_free(&s.predictor);
}

/* Whatever a calibration holds: it is refused, or every prediction is a number >= 0. */
static void bad_calibrations_never_reach_a_decision(void **state)
{
    (void)state;
    static const double bad[] = {-1, NAN, INFINITY, -INFINITY, 1e300, -1e-300, 0, 1e-9};
    scene_t s;
    int refused = 0, used = 0;
    uint64_t random = 12345;
    for (int round = 0; round < 20000; round++) {
        xmpi_error_t error = {""};
        scene_make(&s);
        observe(&s, XMPI_KIND_ALLGATHERV, MEMBERS, 1, 2400, 0.01);
        double *field[] = {&s.calibration.link[0].alpha,
                           &s.calibration.link[1].beta,
                           &s.calibration.link[1].long_beta,
                           &s.calibration.link[1].eager,
                           &s.calibration.gamma,
                           &s.calibration.fresh,
                           &s.calibration.curve[XMPI_CURVE_CONCURRENT].point[0].seconds,
                           &s.calibration.class_speed[2].speed};
        for (int k = 0; k < 2; k++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            *field[random >> 33 & 7] = bad[random >> 40 & 7];
        }
        if (round % 5 == 0)
            s.calibration.curve[(random >> 50) % XMPI_CURVES].points = (int)(random >> 60) - 4;
        if (xmpi_predictor_make(&s.predictor, &s.at, &error) != XMPI_OK) {
            assert_true(error.text[0] != '\0');
            refused++;
            continue;
        }
        xmpi_plan_t plan = grown(4, (int64_t[]){150, 150, 150, 150, 150, 150, 150, 150});
        xmpi_prediction_t p = predicted(&s, &plan, 10);
        assert_true(isfinite(p.total) && p.computation >= 0 && p.communication >= 0 &&
                    p.process >= 0 && p.redistribution >= 0);
        xmpi_plan_free(&plan);
        xmpi_predictor_free(&s.predictor);
        used++;
    }
    assert_true(refused > 1000 && used > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eq_5_1_the_slowest_member_and_communication_make_the_interval),
        cmocka_unit_test(eq_5_3_balanced_layouts_take_all_work_by_all_speed),
        cmocka_unit_test(weights_of_rows_count_instead_of_rows),
        cmocka_unit_test(unused_pes_have_the_speed_of_their_class),
        cmocka_unit_test(unused_classes_have_the_speed_that_the_calibration_tells),
        cmocka_unit_test(work_that_grows_is_extrapolated),
        cmocka_unit_test(irregular_work_follows_the_profile_with_a_correction),
        cmocka_unit_test(work_that_wanders_is_followed_by_the_parts_of_the_profile),
        cmocka_unit_test(eq_5_4_and_5_5_correct_the_estimate),
        cmocka_unit_test(blocks_shrink_with_more_members_but_halos_and_reductions_do_not),
        cmocka_unit_test(what_follows_the_rows_is_seen_in_unequal_blocks),
        cmocka_unit_test(posted_messages_cost_what_is_waited_for),
        cmocka_unit_test(messages_on_one_node_take_its_link),
        cmocka_unit_test(io_follows_the_rows),
        cmocka_unit_test(eq_5_6_and_5_7_of_processes),
        cmocka_unit_test(eq_5_9_of_a_distributed_array),
        cmocka_unit_test(eq_5_9_of_a_replicated_array),
        cmocka_unit_test(eq_5_10_of_a_sparse_matrix),
        cmocka_unit_test(long_messages_keep_their_receivers_busy_too),
        cmocka_unit_test(small_pieces_for_a_joiner_go_together),
        cmocka_unit_test(redistribution_prices_the_pairs_of_the_transfer_plan),
        cmocka_unit_test(eq_5_2_adds_all_phases),
        cmocka_unit_test(the_first_creation_of_a_run_takes_longer),
        cmocka_unit_test(bad_calibrations_never_reach_a_decision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
