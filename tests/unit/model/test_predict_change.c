/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the prediction model, the change before it: processes and data: every equation against a
 * case computed by hand. */
#include "unit/model/predict_scene.h"
#include "support/transfer_of_plan.h"

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
    /* A communicator is only made for data that may move in the background. */
    s.calibration.agreement[XMPI_AGREE_COMMUNICATOR] = (xmpi_agreement_t){0.01, 1};
    near(predicted(&s, &plan, 10).process, 0.003);
    xmpi_predictor_free(&s.predictor);
    s.at.arrays = 1;
    s.array[0] = (xmpi_moved_array_t){
        .scheme = XMPI_SCHEME_DISTRIBUTED, .rows = DOMAIN_ROWS, .row_bytes = 1, .constant = 1};
    start(&s);
    near(predicted(&s, &plan, 10).process, 0.013 + call(XMPI_KIND_BCAST, 4, 8));
    s.predictor.at.has_moves = true;
    near(predicted(&s, &plan, 10).process, 0.003);
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
    /* 50 rows to the next, 100, 150, and 200 from the last member to the new one, with which it has
     * to make a connection before. */
    near(predicted(&s, &plan, 1).redistribution, 2 * alpha + 200 * 100 * beta);
    s.calibration.fresh = 3e-6;
    s.calibration.agreement[XMPI_AGREE_JOINED] = (xmpi_agreement_t){0.01, 2};
    near(predicted(&s, &plan, 1).redistribution,
         alpha + 200 * 100 * (beta + 3e-6) + 0.01 + 2 * call(XMPI_KIND_BCAST, 5, 8));
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
    /* The joiner makes four connections. */
    near(predicted(&s, &plan, 1).redistribution, 4 * alpha + 4 * 300 * 8 * beta);
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
    /* All tell that they have the memory for the pointers. */
    near(predicted(&s, &plan, 1).redistribution,
         3 * alpha + 200 * (4 + 12 + 24) * beta + call(XMPI_KIND_BCAST, 5, 8));
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

/* 5 entries in each of the first 900 rows and 50 in the others, of which the new member gets all
 * but 100: that is what the last member sends, and not the mean. */
static void entries_are_counted_where_they_are_known(void **state)
{
    (void)state;
    static double prefix[DOMAIN_ROWS + 1];
    scene_t s;
    for (int i = 0; i < DOMAIN_ROWS; i++)
        prefix[i + 1] = prefix[i] + (i < 900 ? 5 : 50);
    scene_make(&s);
    s.at.arrays = 1;
    s.array[0] = (xmpi_moved_array_t){.scheme = XMPI_SCHEME_DISTRIBUTED,
                                      .rows = DOMAIN_ROWS,
                                      .row_bytes = 5 * 8,
                                      .entry_bytes = 8};
    s.at.prefix = prefix;
    start(&s);
    xmpi_plan_t plan = grown(1, (int64_t[]){300, 300, 300, 100, 200});
    near(predicted(&s, &plan, 1).redistribution, 2 * alpha + 200 * 5 * 8 * beta);
    s.predictor.at.prefix_of_entries = true;
    near(predicted(&s, &plan, 1).redistribution, 2 * alpha + 200 * 50 * 8 * beta);
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
    /* The last member answers one, makes a connection and sends one: 2, 1 and 3 alpha. */
    near(predicted(&s, &plan, 1).redistribution, (2 + 1 + 3) * alpha + 240 * 300 * beta);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

/* Where member 3 is taken over from its program goes to PE 4, 40,000 bytes for its 300 rows, and
 * where a fifth member joins 20,000 bytes of rows; neither where the other does. */
static void a_state_moves_as_rows_or_in_the_image(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.at.arrays = 2;
    s.array[0] = (xmpi_moved_array_t){.scheme = XMPI_SCHEME_DISTRIBUTED,
                                      .rows = DOMAIN_ROWS,
                                      .row_bytes = 100,
                                      .when = XMPI_MOVES_AS_ROWS};
    s.array[1] = (xmpi_moved_array_t){.scheme = XMPI_SCHEME_DISTRIBUTED,
                                      .rows = DOMAIN_ROWS,
                                      .row_bytes = 40000 / 300.0,
                                      .constant = 1,
                                      .when = XMPI_MOVES_AS_IMAGE};
    start(&s);
    xmpi_plan_t plan = grown(1, (int64_t[]){250, 250, 250, 250, 200});
    near(predicted(&s, &plan, 1).redistribution, 2 * alpha + 200 * 100 * beta);
    s.predictor.at.background = 30000;
    near(predicted(&s, &plan, 1).behind, 0);
    xmpi_plan_free(&plan);
    plan = grown(0, (int64_t[]){300, 300, 300, 300});
    plan.moves = true;
    plan.place[3].origin = XMPI_TAKES_OVER;
    plan.place[3].pe = 4;
    assert_true(predicted(&s, &plan, 1).behind >= 40000 * beta);
    s.predictor.at.background = 0;
    near(predicted(&s, &plan, 1).redistribution, 2 * alpha + 40000 * beta);
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
    near(predicted(&s, &plan, 1).redistribution, 4 * alpha + 320 * beta);
    xmpi_plan_free(&plan);
    plan = grown(1, (int64_t[]){300, 300, 300, 100, 200});
    near(predicted(&s, &plan, 1).redistribution, 4 * alpha + 320 * beta);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

/* 300, 300, 300, 300 rows of 100,000 bytes become 240 each: member 3 receives 180 that it had not,
 * 18 MB, which are 4 rounds of 4 MiB; each round needs its message. */
static void pages_are_reused_in_rounds(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.at.arrays = 1;
    s.array[0] = (xmpi_moved_array_t){
        .scheme = XMPI_SCHEME_DISTRIBUTED, .rows = DOMAIN_ROWS, .row_bytes = 1e5};
    start(&s);
    xmpi_plan_t plan = grown(1, (int64_t[]){240, 240, 240, 240, 240});
    near(predicted(&s, &plan, 1).redistribution, (1 + 4) * alpha + 240 * 1e5 * beta);
    xmpi_plan_free(&plan);
    /* Where blocks begin where they did, storage grows where it is. */
    plan = grown(0, (int64_t[]){300, 300, 600, 0});
    near(predicted(&s, &plan, 1).redistribution, alpha + 300 * 1e5 * beta);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

/* Members 2 and 3 were created. With them the connections to them end, which all have where
 * everybody got a share of something. */
static void connections_end_with_who_was_created(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.resources.started = 2;
    s.calibration.agreement[XMPI_AGREE_LEFT] = (xmpi_agreement_t){0, 5};
    xmpi_plan_t plan = grown(0, (int64_t[]){300, 300, 300, 300});
    plan.places = 2;
    const double message = alpha + 8 * beta, agreed = (2 + 2 * 2) * message;
    const double made[] = {0, 0, 2 * 1 * message, 2 * 3 * message}; /* by 2, and by 3 */
    start(&s);
    near(predicted(&s, &plan, 1).redistribution, agreed + made[2]);
    xmpi_predictor_free(&s.predictor);
    s.at.arrays = 1;
    s.array[0] =
        (xmpi_moved_array_t){.scheme = XMPI_SCHEME_REPLICATED, .rows = DOMAIN_ROWS, .row_bytes = 8};
    start(&s);
    near(predicted(&s, &plan, 1).redistribution, agreed + made[2] + 2 * alpha);
    plan.places = 3;
    near(predicted(&s, &plan, 1).redistribution, agreed + made[3] + 1.5 * alpha);
    s.resources.started = 4;
    near(predicted(&s, &plan, 1).redistribution, agreed + made[3]);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

/* Each call by which processes are created makes a world, which later ones get to know. */
static void worlds_get_to_know_who_comes(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.resources.started = 2;
    s.at.creation = XMPI_CURVE_GROUP;
    start(&s);
    xmpi_plan_t plan = grown(2, (int64_t[]){200, 200, 200, 200, 200, 200});
    xmpi_prediction_t first = predicted(&s, &plan, 1);
    assert_int_equal(first.worlds, 1);
    xmpi_model_learn_change(&s.model, &s.calibration, &first, first.process, 0);
    assert_int_equal(s.model.worlds, 1);
    near(predicted(&s, &plan, 1).process,
         first.process - s.calibration.first_creation + 3 * alpha + call(XMPI_KIND_BCAST, 2, 8));
    xmpi_predictor_teach(&s.predictor, &s.model);
    assert_int_equal(s.model.worlds, 1);
    s.predictor.at.creation = XMPI_CURVE_SERIAL;
    assert_int_equal(predicted(&s, &plan, 1).worlds, 2);
    s.resources.started = 4; /* none of the members was created */
    xmpi_predictor_teach(&s.predictor, &s.model);
    assert_int_equal(s.model.worlds, 0);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

/* Of 100 bytes a row, 60 are constant: 250 of 1200 rows for the joiner and 50, 100 and 150 between
 * the others, in 27,000 bytes or more to be worth it. */
static void constant_arrays_move_behind(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.at.arrays = 2;
    for (int i = 0; i < 2; i++)
        s.array[i] = (xmpi_moved_array_t){.scheme = XMPI_SCHEME_DISTRIBUTED,
                                          .rows = DOMAIN_ROWS,
                                          .row_bytes = i == 0 ? 40 : 60,
                                          .constant = i};
    start(&s);
    xmpi_plan_t plan = grown(1, (int64_t[]){250, 250, 250, 250, 200});
    double all = 2 * alpha + 200 * 100 * beta, round = call(XMPI_KIND_BCAST, 5, 8);
    near(predicted(&s, &plan, 1).redistribution, all);
    near(predicted(&s, &plan, 1).behind, 0);
    s.predictor.at.background = 500 * 60 + 1;
    near(predicted(&s, &plan, 1).redistribution, all);
    s.predictor.at.background = 500 * 60;
    near(predicted(&s, &plan, 1).redistribution, 2 * alpha + 200 * 40 * beta + 6 * round);
    near(predicted(&s, &plan, 1).behind, alpha + 200 * 60 * beta);
    xmpi_plan_free(&plan);
    xmpi_predictor_free(&s.predictor);
}

/* The time of the process with most to send and receive, from the list of pairs of the transfer
 * plan. */
static double by_pairs(const scene_t *s, const xmpi_plan_t *plan)
{
    xmpi_transfer_size_t size;
    double calls[2 * PES] = {0}, out[2 * PES] = {0}, in[2 * PES] = {0}, most = 0;
    assert_int_equal(transfer_size_of_plan(&s->layout, plan, 1, s->array, &size), XMPI_OK);
    for (int64_t i = 0; i < size.pairs; i++) {
        const xmpi_transfer_pair_t *pair = &size.pair[i];
        calls[pair->from] += alpha;
        out[pair->from] += pair->bytes * beta;
        in[pair->to] += pair->bytes * beta;
        if (pair->to >= size.olds) { /* a connection */
            calls[pair->from] += alpha;
            calls[pair->to] += alpha;
        }
    }
    for (int i = 0; i < size.transit; i++)
        most = fmax(most, fmax(calls[i], in[i] > 0 ? alpha : 0) + fmax(out[i], in[i]));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eq_5_6_and_5_7_of_processes),
        cmocka_unit_test(eq_5_9_of_a_distributed_array),
        cmocka_unit_test(eq_5_9_of_a_replicated_array),
        cmocka_unit_test(eq_5_10_of_a_sparse_matrix),
        cmocka_unit_test(entries_are_counted_where_they_are_known),
        cmocka_unit_test(long_messages_keep_their_receivers_busy_too),
        cmocka_unit_test(a_state_moves_as_rows_or_in_the_image),
        cmocka_unit_test(small_pieces_for_a_joiner_go_together),
        cmocka_unit_test(pages_are_reused_in_rounds),
        cmocka_unit_test(connections_end_with_who_was_created),
        cmocka_unit_test(worlds_get_to_know_who_comes),
        cmocka_unit_test(constant_arrays_move_behind),
        cmocka_unit_test(redistribution_prices_the_pairs_of_the_transfer_plan),
        cmocka_unit_test(the_first_creation_of_a_run_takes_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
