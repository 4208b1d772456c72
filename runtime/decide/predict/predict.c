/* SPDX-License-Identifier: BSD-3-Clause
 * The prediction model: computation, and all phases together. */
#include "decide/predict/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decide/predict/company.h"
#include "decide/predict/disks.h"
#include "decide/predict/pipelines.h"
#include "decide/predict/redistribution.h"

/* --- what was measured ------------------------------------------------------------------------ */

void xmpi_measured(const xmpi_sample_t *samples, int members, xmpi_prediction_t *measured)
{
    const xmpi_sample_t *reference = &samples[xmpi_reference_member(samples, members)];
    double most = 0;
    memset(measured, 0, sizeof *measured);
    for (int i = 0; i < members; i++) {
        measured->computation = fmax(measured->computation, samples[i].computation);
        most = fmax(most, xmpi_sample_busy(&samples[i]));
    }
    measured->io = most - measured->computation;
    measured->communication = fmax(0, reference->wall - xmpi_sample_busy(reference));
    measured->total = measured->computation + measured->communication + measured->io;
}

/* --- the predictor ----------------------------------------------------------------------------
 */

static void sum_work(xmpi_predictor_t *predictor)
{
    const xmpi_situation_t *at = &predictor->at;
    double iterations = (double)at->samples[0].iterations;
    for (int i = 0; i < at->layout->members; i++)
        predictor->work += at->samples[i].work;
    predictor->work = iterations > 0 ? predictor->work / iterations : 0;
}

static xmpi_status_t skew_of_blocks(const xmpi_disk_costs_t *costs, double *seconds)
{
    int n = costs->model.n;
    xmpi_block_t *blocks = malloc((size_t)n * sizeof *blocks);
    if (blocks == NULL)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < n; i++)
        blocks[i] = costs->plan != NULL ? costs->plan->place[i].block
                                        : costs->predictor->at.layout->member[i].block;
    xmpi_status_t status = xmpi_pipelines_skew(&costs->model, blocks, seconds);
    free(blocks);
    return status;
}

/* Seconds of an iteration that pipelines have members wait for one another, as far as that was
 * seen; NULL: of the members as they are. */
static xmpi_status_t skew_of(const xmpi_predictor_t *predictor, const xmpi_plan_t *plan,
                             double *seconds)
{
    xmpi_disk_costs_t costs;
    *seconds = 0;
    if (!predictor->pipelines.known)
        return XMPI_OK;
    xmpi_status_t status = xmpi_disk_costs_make(&costs, predictor, plan);
    if (status == XMPI_OK)
        status = skew_of_blocks(&costs, seconds);
    xmpi_disk_costs_free(&costs);
    *seconds *= predictor->pipelines.seen;
    return status == XMPI_ERR_MEMORY ? status : XMPI_OK;
}

static xmpi_status_t make(xmpi_predictor_t *predictor)
{
    const xmpi_situation_t *at = &predictor->at;
    size_t members = (size_t)at->layout->members + 1;
    xmpi_evidence_t evidence = {at->layout, at->resources, at->samples, at->history,
                                at->calibration};
    predictor->member_speed = calloc(members, sizeof *predictor->member_speed);
    predictor->stays = calloc(members, sizeof *predictor->stays);
    if (predictor->member_speed == NULL || predictor->stays == NULL)
        return XMPI_ERR_MEMORY;
    xmpi_status_t status = xmpi_speeds_make(&predictor->speeds, &evidence);
    if (status == XMPI_OK)
        status = xmpi_nodes_make(&predictor->nodes, at->resources->pes, at->resources->pe,
                                 XMPI_UNNAMED_TOGETHER);
    if (status == XMPI_OK)
        status = xmpi_predictor_sort_arrays(predictor);
    if (status != XMPI_OK)
        return status;
    for (int i = 0; i < at->layout->members; i++)
        predictor->member_speed[i] = predictor->speeds.member[i].speed;
    sum_work(predictor);
    predictor->disks.work = xmpi_predict_work(predictor, 1);
    predictor->pipelines = xmpi_pipelines_find(at);
    status = xmpi_disks_make(predictor);
    double skew = 0;
    if (status == XMPI_OK)
        status = skew_of(predictor, NULL, &skew);
    if (status == XMPI_OK)
        xmpi_predictor_exchanges(predictor, skew);
    return status;
}

xmpi_status_t xmpi_predictor_make(xmpi_predictor_t *predictor, const xmpi_situation_t *situation,
                                  xmpi_error_t *error)
{
    memset(predictor, 0, sizeof *predictor);
    xmpi_status_t status = xmpi_calibration_check(situation->calibration, error);
    if (status != XMPI_OK)
        return status;
    predictor->at = *situation;
    status = make(predictor);
    if (status == XMPI_OK)
        return XMPI_OK;
    xmpi_predictor_free(predictor);
    return xmpi_error_set(error, status, "no memory to predict with");
}

void xmpi_predictor_free(xmpi_predictor_t *predictor)
{
    xmpi_speeds_free(&predictor->speeds);
    xmpi_nodes_free(&predictor->nodes);
    free(predictor->member_speed);
    free(predictor->stays);
    free(predictor->array);
    free(predictor->whole);
    free(predictor->whole_constant);
    free(predictor->disks.row);
    memset(predictor, 0, sizeof *predictor);
}

/* --- computation (Eq. 5.3) --------------------------------------------------------------------
 */

double xmpi_predict_speed(const xmpi_predictor_t *predictor, int pe)
{
    return predictor->speeds.pe[pe].speed;
}

/* Irregular programs: what the profile says, corrected by how the last interval differed from it
 * (thesis §5.3.1). */
static double profiled_work(const xmpi_predictor_t *predictor, int64_t iterations)
{
    const xmpi_situation_t *at = &predictor->at;
    int64_t last = at->samples[0].iterations;
    double expected = xmpi_profile_work(at->profile, at->iteration - last, at->iteration);
    double correction = expected > 0 ? predictor->work * (double)last / expected : 1;
    if (at->model != NULL && at->model->irregular > 0) /* also: work shifts between the members */
        correction *= at->model->irregular;
    return correction * xmpi_profile_work(at->profile, at->iteration, at->iteration + iterations);
}

double xmpi_predict_work(const xmpi_predictor_t *predictor, int64_t iterations)
{
    const xmpi_situation_t *at = &predictor->at;
    if (at->profile != NULL && at->profile->points > 0)
        return profiled_work(predictor, iterations);
    double middle = (double)at->iteration + 0.5 * (double)iterations;
    double work = at->model != NULL ? xmpi_model_work(at->model, middle) : 0;
    return (work > 0 ? work : predictor->work) * (double)iterations;
}

double xmpi_predict_imbalance(const xmpi_predictor_t *predictor, int64_t iterations)
{
    const xmpi_situation_t *at = &predictor->at;
    return at->profile == NULL
               ? 1
               : xmpi_profile_imbalance(at->profile, at->iteration, at->iteration + iterations,
                                        at->interval > 0 ? at->interval : at->samples[0].iterations,
                                        at->layout->members, predictor->member_speed);
}

/* Share of the work that lies in a block. */
static double share(const xmpi_predictor_t *predictor, const xmpi_block_t *block)
{
    const xmpi_situation_t *at = &predictor->at;
    if (predictor->by_parts)
        return xmpi_profile_share(predictor->before, at->layout->domain, block);
    if (at->prefix != NULL && at->prefix[at->layout->domain] > 0)
        return (at->prefix[block->displ + block->count] - at->prefix[block->displ]) /
               at->prefix[at->layout->domain];
    return at->layout->domain > 0 ? (double)block->count / (double)at->layout->domain : 0;
}

/* Computation and I/O: the slowest member makes the time, whatever the others do, where thesis
 * Eq. 5.3 divides all work by all speed, which is the same for a balanced layout. */
static void add_member(double computation, double io, xmpi_prediction_t *prediction)
{
    if (computation > prediction->computation)
        prediction->computation = computation;
    if (computation + io > prediction->io)
        prediction->io = computation + io; /* both, until all are known */
}

static double place_speed(const xmpi_predictor_t *predictor, const xmpi_place_t *place)
{
    return place->origin == XMPI_STAYS ? predictor->member_speed[place->from]
                                       : predictor->speeds.pe[place->pe].speed;
}

/* Blocks stay as they are for an interval; until the end of the loop they follow the work. */
static bool is_long(const xmpi_predictor_t *predictor, int64_t iterations)
{
    return iterations > 2 * predictor->at.samples[0].iterations;
}

/* Where the work of the next ITERATIONS is, where a profile says it. */
static void find_parts(xmpi_predictor_t *predictor, int64_t iterations)
{
    const xmpi_situation_t *at = &predictor->at;
    predictor->by_parts = at->profile != NULL && !is_long(predictor, iterations) &&
                          xmpi_profile_shares(at->profile, at->iteration,
                                              at->iteration + iterations, predictor->before);
}

/* All work, and more where it runs away from blocks that follow it. */
static double work_of(const xmpi_predictor_t *predictor, int64_t iterations)
{
    double work = xmpi_predict_work(predictor, iterations);
    return is_long(predictor, iterations) ? work * xmpi_predict_imbalance(predictor, iterations)
                                          : work;
}

/* Seconds of I/O of place I in an iteration; COSTS are made where disks are known. */
static double io_of(const xmpi_predictor_t *predictor, const xmpi_disk_costs_t *costs, int i,
                    const xmpi_block_t *block)
{
    return predictor->disks.known ? xmpi_disk_seconds(costs, i, block->count)
                                  : predictor->row_io * (double)block->count;
}

/* Of the members as they are, what each has done is known. */
static void compute_now(const xmpi_predictor_t *predictor, const xmpi_disk_costs_t *costs,
                        int64_t iterations, xmpi_prediction_t *prediction)
{
    const xmpi_situation_t *at = &predictor->at;
    double work = work_of(predictor, iterations);
    double measured = predictor->work * (double)at->samples[0].iterations;
    for (int i = 0; i < at->layout->members; i++) {
        const xmpi_block_t *block = &at->layout->member[i].block;
        bool did = measured > 0 && !predictor->by_parts;
        double part = did ? at->samples[i].work / measured : share(predictor, block);
        add_member(part * work / predictor->member_speed[i],
                   (double)iterations * io_of(predictor, costs, i, block), prediction);
    }
}

static void compute_plan(const xmpi_predictor_t *predictor, const xmpi_disk_costs_t *costs,
                         const xmpi_plan_t *plan, int64_t iterations, xmpi_prediction_t *prediction)
{
    double work = work_of(predictor, iterations);
    for (int i = 0; i < plan->places; i++)
        add_member(work * share(predictor, &plan->place[i].block) /
                       place_speed(predictor, &plan->place[i]),
                   (double)iterations * io_of(predictor, costs, i, &plan->place[i].block),
                   prediction);
}

/* Computation and I/O of PLAN; NULL: of the members as they are. */
static xmpi_status_t compute(const xmpi_predictor_t *predictor, const xmpi_plan_t *plan,
                             int64_t iterations, xmpi_prediction_t *prediction)
{
    xmpi_disk_costs_t costs = {0};
    xmpi_status_t status =
        predictor->disks.known ? xmpi_disk_costs_make(&costs, predictor, plan) : XMPI_OK;
    if (status == XMPI_OK && plan != NULL)
        compute_plan(predictor, &costs, plan, iterations, prediction);
    else if (status == XMPI_OK)
        compute_now(predictor, &costs, iterations, prediction);
    xmpi_disk_costs_free(&costs);
    return status;
}

/* --- all phases -------------------------------------------------------------------------------
 */

static xmpi_status_t predict_change(xmpi_predictor_t *predictor, const xmpi_plan_t *plan,
                                    int64_t iterations, xmpi_prediction_t *prediction)
{
    xmpi_company_t company = xmpi_company_of_plan(predictor, plan);
    xmpi_status_t status = compute(predictor, plan, iterations, prediction);
    if (status != XMPI_OK)
        return status;
    prediction->communication = (double)iterations * xmpi_exchange_seconds(predictor, &company);
    prediction->process = xmpi_predict_processes(predictor, plan, prediction);
    return xmpi_predict_redistribution(predictor, plan, prediction);
}

xmpi_status_t xmpi_predict(xmpi_predictor_t *predictor, const xmpi_plan_t *plan, int64_t iterations,
                           xmpi_prediction_t *prediction)
{
    xmpi_status_t status = XMPI_OK;
    memset(prediction, 0, sizeof *prediction);
    find_parts(predictor, iterations);
    if (plan->places > 0) {
        status = predict_change(predictor, plan, iterations, prediction);
        if (!plan->moves &&
            (plan->places != predictor->at.layout->members || xmpi_plan_joiners(plan) > 0))
            prediction->start = predictor->at.start;
    } else {
        status = compute(predictor, NULL, iterations, prediction);
        prediction->communication =
            (double)iterations * xmpi_exchange_seconds(predictor, &predictor->now);
    }
    double skew = 0;
    if (status == XMPI_OK)
        status = skew_of(predictor, plan->places > 0 ? plan : NULL, &skew);
    prediction->communication += (double)iterations * skew;
    prediction->io -= prediction->computation;
    prediction->total = prediction->computation + prediction->communication + prediction->io +
                        xmpi_predicted_change(prediction);
    return status;
}

double xmpi_predicted_standstill(const xmpi_prediction_t *prediction)
{
    return prediction->process + prediction->redistribution + prediction->start;
}

double xmpi_predicted_change(const xmpi_prediction_t *prediction)
{
    return xmpi_predicted_standstill(prediction) + prediction->behind;
}

/* --- learning ---------------------------------------------------------------------------------
 */

static bool has_created(const xmpi_situation_t *at)
{
    for (int i = 0; i < at->layout->members && at->resources->can_spawn; i++)
        if (at->layout->member[i].process >= at->resources->started)
            return true;
    return false;
}

void xmpi_predictor_teach(const xmpi_predictor_t *predictor, xmpi_model_t *model)
{
    const xmpi_situation_t *at = &predictor->at;
    memcpy(model->correction, predictor->correction, sizeof model->correction);
    model->worlds = has_created(at) ? model->worlds : 0;
    int64_t iterations = at->samples[0].iterations;
    xmpi_model_add_work(model, at->iteration, iterations, predictor->work * (double)iterations);
}

void xmpi_model_learn_change(xmpi_model_t *model, const xmpi_calibration_t *calibration,
                             const xmpi_prediction_t *predicted, double process,
                             double redistribution)
{
    xmpi_correction_add(&model->process[!predicted->joins], calibration->trust, predicted->process,
                        process);
    xmpi_correction_add(&model->redistribution[xmpi_change_kind(predicted->joins, predicted->same)],
                        calibration->trust, predicted->redistribution, redistribution);
    model->created = model->created || predicted->creates;
    model->worlds += predicted->worlds;
}
