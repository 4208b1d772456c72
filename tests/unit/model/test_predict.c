/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the prediction model, the interval: every equation against a case computed by hand. */
#include "unit/model/predict_scene.h"

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
    xmpi_speed_t seen[PES] = {{0}};
    xmpi_history_t history = {.pes = PES, .speed = seen};
    for (int i = 0; i < MEMBERS; i++)
        seen[i].speed = i < 2 ? 30 : 60;
    seen[7] = (xmpi_speed_t){.speed = 77, .error = 0.01, .away = 3, .age = 9}; /* it had a member */
    s.at.history = &history;
    start(&s);
    near(xmpi_predict_speed(&s.predictor, 7), 77);
    near(s.predictor.speeds.pe[7].error, 0.02);
    near(s.predictor.speeds.pe[7].age, 9);
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
    near(xmpi_predict_communication(&s.predictor, 4), here); /* before there is a plan, too */
    near(xmpi_predict_communication(&s.predictor, 8), call(XMPI_KIND_ALLREDUCE, 8, 8));
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
        cmocka_unit_test(eq_5_2_adds_all_phases),
        cmocka_unit_test(bad_calibrations_never_reach_a_decision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
