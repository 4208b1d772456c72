/* SPDX-License-Identifier: BSD-3-Clause
 * Measures how long predicting takes: one prediction for a plan of 1,000 members, and the search of
 * all numbers of additional members from 0 to 1,000. */
#define _GNU_SOURCE
#include "bench/measure.h"

#include "decide/partition/partition.h"
#include "decide/predict/predict.h"

enum {
    MOST = 2000,
    MEMBERS = 1000,
    CLASSES = 8,
    ROUNDS = 200,
    SEARCHES = 5,
    DOMAIN_ROWS = 1000000
};

static xmpi_member_t member[MOST];
static xmpi_pe_t pe[MOST];
static xmpi_sample_t samples[MOST];
static xmpi_calibration_t calibration;
static xmpi_model_t model;
static xmpi_resources_t resources = {
    .pes = MOST, .pe = pe, .classes = CLASSES, .max_members = MOST, .can_spawn = true};
static xmpi_layout_t layout = {.domain = DOMAIN_ROWS, .members = MEMBERS, .member = member};

static void set_up(void)
{
    xmpi_calibration_assume(&calibration);
    for (int i = 0; i < MOST; i++) {
        pe[i].class_index = i % CLASSES;
        pe[i].process = i < MEMBERS ? i : -1;
        snprintf(pe[i].node, sizeof pe[i].node, "node%d", i / 4);
    }
    for (int i = 0; i < MEMBERS; i++) {
        member[i] = (xmpi_member_t){i, {DOMAIN_ROWS / MEMBERS, i * (DOMAIN_ROWS / MEMBERS)}};
        samples[i] = (xmpi_sample_t){.iterations = 10,
                                     .wall = 3,
                                     .work = 1000,
                                     .computation = 1 + i % CLASSES,
                                     .observed_kinds = 2};
        samples[i].observed[0] = (xmpi_observed_t){.kind = XMPI_KIND_ALLGATHERV,
                                                   .members = MEMBERS,
                                                   .calls = 10,
                                                   .bytes = 80000,
                                                   .seconds = 1};
        samples[i].observed[1] = (xmpi_observed_t){.kind = XMPI_KIND_ALLREDUCE,
                                                   .members = MEMBERS,
                                                   .calls = 10,
                                                   .bytes = 80,
                                                   .seconds = 1};
    }
}

/* The members and MORE new ones, with blocks in proportion to their speeds. */
static xmpi_plan_t plan_of(const xmpi_predictor_t *predictor, int more)
{
    static double speeds[MOST];
    static xmpi_block_t blocks[MOST];
    xmpi_plan_t plan;
    if (xmpi_plan_alloc(&plan, MEMBERS + more) != XMPI_OK)
        measure_fail("there is not enough memory");
    for (int i = 0; i < plan.places; i++)
        speeds[i] = xmpi_predict_speed(predictor, i);
    xmpi_partition_proportional(DOMAIN_ROWS, plan.places, speeds, blocks);
    for (int i = 0; i < plan.places; i++) {
        bool stays = i < MEMBERS;
        plan.place[i] = (xmpi_place_t){.origin = stays ? XMPI_STAYS : XMPI_NEW,
                                       .from = stays ? i : -1,
                                       .pe = stays ? -1 : i,
                                       .block = blocks[i]};
    }
    return plan;
}

static double predicted(xmpi_predictor_t *predictor, const xmpi_plan_t *plan)
{
    xmpi_prediction_t prediction;
    if (xmpi_predict(predictor, plan, 100, &prediction) != XMPI_OK)
        measure_fail("there is not enough memory");
    return prediction.total;
}

/* Seconds of one prediction for 1,000 members whose blocks change. */
static double one(xmpi_predictor_t *predictor)
{
    xmpi_plan_t plan = plan_of(predictor, 0);
    series_t seconds = {0};
    for (int i = 0; i < ROUNDS; i++) {
        double start = measure_clock();
        predicted(predictor, &plan);
        series_add(&seconds, measure_clock() - start);
    }
    double median = series_median(&seconds);
    series_free(&seconds);
    xmpi_plan_free(&plan);
    return median;
}

/* The best of all numbers of new members by the parts of the model (predict.h), as a policy
 * searches: all work by all speed, communication, creation. */
static int search(const xmpi_predictor_t *predictor)
{
    double work = xmpi_predict_work(predictor, 100), speed = 0, least = INFINITY;
    int best = 0;
    for (int i = 0; i < MEMBERS; i++)
        speed += xmpi_predict_speed(predictor, i);
    for (int more = 0; more <= MOST - MEMBERS; more++) {
        double seconds = work / speed +
                         100 * xmpi_predict_communication(predictor, MEMBERS + more) +
                         xmpi_predict_process(predictor, more, 0, 0, 0);
        if (seconds < least) {
            least = seconds;
            best = more;
        }
        if (more < MOST - MEMBERS)
            speed += xmpi_predict_speed(predictor, MEMBERS + more);
    }
    return best;
}

int main(void)
{
    xmpi_moved_array_t arrays[] = {
        {.scheme = XMPI_SCHEME_DISTRIBUTED, .rows = DOMAIN_ROWS, .row_bytes = 8000},
        {.scheme = XMPI_SCHEME_DISTRIBUTED, .rows = DOMAIN_ROWS, .row_bytes = 8},
        {.scheme = XMPI_SCHEME_REPLICATED, .rows = DOMAIN_ROWS, .row_bytes = 8}};
    xmpi_situation_t situation = {.layout = &layout,
                                  .resources = &resources,
                                  .samples = samples,
                                  .calibration = &calibration,
                                  .model = &model,
                                  .arrays = 3,
                                  .array = arrays,
                                  .iteration = 10,
                                  .creation = XMPI_CURVE_CONCURRENT};
    xmpi_predictor_t predictor;
    xmpi_error_t error;
    series_t seconds = {0}, making = {0};
    set_up();
    for (int i = 0; i < SEARCHES; i++) {
        double start = measure_clock();
        if (xmpi_predictor_make(&predictor, &situation, &error) != XMPI_OK)
            measure_fail("%s", error.text);
        series_add(&making, measure_clock() - start);
        start = measure_clock();
        if (search(&predictor) > MOST)
            measure_fail("no number of members");
        series_add(&seconds, measure_clock() - start);
        if (i < SEARCHES - 1)
            xmpi_predictor_free(&predictor);
    }
    measure_figure("predict.1000.us", 1e6 * one(&predictor), "us");
    measure_figure("predict.make.1000.ms", 1e3 * series_median(&making), "ms");
    measure_figure("predict.search.1000.ms", 1e3 * series_median(&seconds), "ms");
    xmpi_predictor_free(&predictor);
    series_free(&seconds);
    series_free(&making);
    return 0;
}
