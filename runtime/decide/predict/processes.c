/* SPDX-License-Identifier: BSD-3-Clause
 * The prediction model: what it takes that processes come and go (thesis Eqs 5.6, 5.7). */
#include "decide/predict/processes.h"

#include <string.h>

double xmpi_predict_agreement(const xmpi_predictor_t *predictor, xmpi_agreement_kind_t kind,
                              int from, int to)
{
    const xmpi_calibration_t *calibration = predictor->at.calibration;
    const xmpi_agreement_t *agreement = &calibration->agreement[kind];
    return agreement->seconds +
           agreement->rounds *
               xmpi_change_round_seconds(from, to, &calibration->link[XMPI_LINK_NETWORK]);
}

/* COUNT processes that MEMBERS meet. */
static double curve_seconds(const xmpi_predictor_t *predictor, xmpi_curve_kind_t kind, int count,
                            int members)
{
    const xmpi_curve_t *curve = &predictor->at.calibration->curve[kind];
    if (count <= 0 || curve->points == 0)
        return 0;
    const xmpi_link_t *link = &predictor->at.calibration->link[XMPI_LINK_NETWORK];
    return xmpi_curve_at(curve, count) + curve->rounds * xmpi_round_seconds(members + count, link);
}

/* COUNT processes are created: what was created before gets to know them, world by world. */
static double worlds_seconds(const xmpi_predictor_t *predictor, int count)
{
    const xmpi_model_t *model = predictor->at.model;
    if (count <= 0 || model == NULL || model->worlds <= 0)
        return 0;
    return model->worlds *
           xmpi_world_seconds(count, &predictor->at.calibration->link[XMPI_LINK_NETWORK]);
}

static double correction_of_processes(const xmpi_predictor_t *predictor, bool joins)
{
    const xmpi_model_t *model = predictor->at.model;
    return model != NULL
               ? xmpi_correction(&model->process[!joins], predictor->at.calibration->trust)
               : 1;
}

double xmpi_predict_process(const xmpi_predictor_t *predictor, int created, int woken, int ended,
                            int parked)
{
    const xmpi_curve_t *curve = predictor->at.calibration->curve;
    xmpi_curve_kind_t creation = predictor->at.creation;
    for (int i = XMPI_CURVE_SERIAL; i <= XMPI_CURVE_CONCURRENT && curve[creation].points == 0; i++)
        creation = (xmpi_curve_kind_t)i; /* of which something is known */
    bool first = created > 0 && (predictor->at.model == NULL || !predictor->at.model->created);
    int members = predictor->at.layout->members;
    double seconds = curve_seconds(predictor, creation, created, members) +
                     worlds_seconds(predictor, created) +
                     curve_seconds(predictor, XMPI_CURVE_WAKE, woken, members) +
                     xmpi_curve_at(&curve[XMPI_CURVE_REMOVE], ended) +
                     xmpi_curve_at(&curve[XMPI_CURVE_PARK], parked);
    if (first)
        seconds += predictor->at.calibration->first_creation;
    return seconds * correction_of_processes(predictor, created + woken > 0);
}

static bool has_constants(const xmpi_predictor_t *predictor)
{
    for (int i = 0; i < predictor->divided; i++)
        if (predictor->array[i].constant)
            return true;
    for (int i = 0; i < predictor->replicated; i++)
        if (predictor->whole_constant[i] > 0)
            return true;
    return false;
}

double xmpi_predict_communicator(const xmpi_predictor_t *predictor)
{
    int members = predictor->at.layout->members;
    return predictor->at.has_moves
               ? 0
               : xmpi_predict_agreement(predictor, XMPI_AGREE_COMMUNICATOR, members, members);
}

double xmpi_predict_processes(xmpi_predictor_t *predictor, const xmpi_plan_t *plan,
                              xmpi_prediction_t *prediction)
{
    const xmpi_layout_t *layout = predictor->at.layout;
    const xmpi_resources_t *resources = predictor->at.resources;
    int created = 0, woken = 0, ended = 0, parked = 0;
    memset(predictor->stays, 0, (size_t)layout->members);
    for (int i = 0; i < plan->places; i++) {
        const xmpi_place_t *place = &plan->place[i];
        if (place->origin == XMPI_STAYS)
            predictor->stays[place->from] = 1;
        else if (resources->pe[place->pe].parked)
            woken++;
        else
            created++;
    }
    for (int i = 0; i < layout->members; i++) {
        bool parks = !resources->can_spawn || layout->member[i].process < resources->started;
        ended += !predictor->stays[i] && !parks;
        parked += !predictor->stays[i] && parks;
    }
    double seconds = xmpi_predict_process(predictor, created, woken, ended, parked);
    prediction->creates = created > 0;
    prediction->worlds = predictor->at.creation == XMPI_CURVE_GROUP ? created > 0 : created;
    prediction->joins = created + woken > 0;
    prediction->same = created + woken + ended + parked == 0;
    /* act/execute.c: a world that ends with the change has no communicator made for data alone. */
    if (created + woken == 0 && ended + parked > 0 && has_constants(predictor))
        seconds += correction_of_processes(predictor, false) * xmpi_predict_communicator(predictor);
    return seconds;
}
