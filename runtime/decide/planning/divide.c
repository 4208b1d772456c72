/* SPDX-License-Identifier: BSD-3-Clause
 * Dividing: the computing power of members, and their blocks. */
#include "decide/planning/divide.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "decide/mheta/divide.h"
#include "decide/mheta/layouts.h"
#include "decide/partition/partition.h"
#include "decide/predict/disks.h"

static double place_speed(const xmpi_speeds_t *known, const xmpi_place_t *place)
{
    const xmpi_power_t *power =
        place->origin == XMPI_STAYS ? &known->member[place->from] : &known->pe[place->pe];
    return power->speed;
}

/* Without a predictor there is no calibration to go by. */
xmpi_status_t xmpi_policy_speeds(const xmpi_view_t *view, const xmpi_plan_t *plan, double *speeds)
{
    xmpi_evidence_t evidence = {view->layout, view->resources, view->samples, view->history, NULL};
    xmpi_speeds_t made = {0};
    const xmpi_speeds_t *known = &made;
    if (view->predictor != NULL)
        known = &view->predictor->speeds;
    else if (xmpi_speeds_make(&made, &evidence) != XMPI_OK)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < plan->places; i++)
        speeds[i] = place_speed(known, &plan->place[i]);
    xmpi_speeds_free(&made);
    return XMPI_OK;
}

static double io_seconds(const void *context, int i, int64_t begin, int64_t end)
{
    return xmpi_disk_seconds(context, i, end - begin);
}

/* Whether the division is improved by who waits for whom. It takes the square of the members, again
 * and again; and the model of the iteration does not know of the program's own I/O. */
static bool improves(const xmpi_disk_costs_t *costs, int n)
{
    enum { MOST = 32 };
    return costs->predictor->pipelines.known && !costs->predictor->disks.follows && n <= MOST;
}

/* As the layout says that is asked for. Where the program itself has I/O for each row, none is
 * without, whatever fits. */
static xmpi_status_t divide_costs(const xmpi_view_t *view, const xmpi_disk_costs_t *costs, int n,
                                  xmpi_block_t *blocks)
{
    int64_t domain = view->layout->domain;
    if (view->division == XMPI_MHETA_BEST && improves(costs, n))
        return xmpi_mheta_divide(&costs->model, domain, blocks, NULL);
    if (view->division == XMPI_MHETA_BEST)
        return xmpi_partition_costs(domain, n, xmpi_disk_cost, costs, blocks, NULL);
    if (view->division == XMPI_MHETA_IC && costs->predictor->disks.follows)
        return xmpi_partition_costs(domain, n, io_seconds, costs, blocks, NULL);
    return xmpi_mheta_lay_out(&costs->model, view->division, domain, blocks, NULL);
}

/* By what each member computes and waits for its disk, and for others in a pipeline.
 * XMPI_ERR_INPUT where that makes no sense, or
 * where nothing fits that the layout which is asked for would have. */
static xmpi_status_t divide_by_costs(const xmpi_view_t *view, xmpi_plan_t *plan)
{
    xmpi_disk_costs_t costs;
    xmpi_block_t *blocks = calloc((size_t)plan->places, sizeof *blocks);
    if (blocks == NULL)
        return XMPI_ERR_MEMORY;
    xmpi_status_t status = xmpi_disk_costs_make(&costs, view->predictor, plan);
    if (status == XMPI_OK)
        status = divide_costs(view, &costs, plan->places, blocks);
    for (int i = 0; i < plan->places && status == XMPI_OK; i++)
        plan->place[i].block = blocks[i];
    xmpi_disk_costs_free(&costs);
    free(blocks);
    return status;
}

/* As many rows for each, whatever they weigh. */
static xmpi_status_t divide_equally(const xmpi_view_t *view, xmpi_plan_t *plan)
{
    double *speeds = calloc((size_t)plan->places, sizeof *speeds);
    if (speeds == NULL)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < plan->places; i++)
        speeds[i] = 1;
    xmpi_status_t status = xmpi_plan_divide(plan, view->layout->domain, NULL, speeds);
    free(speeds);
    return status;
}

/* Whether speeds have to do with the layout that is asked for. */
static bool goes_by_speeds(const xmpi_view_t *view)
{
    return view->division != XMPI_MHETA_BLK && view->division != XMPI_MHETA_IC;
}

xmpi_status_t xmpi_policy_divide(const xmpi_view_t *view, xmpi_plan_t *plan)
{
    if (view->division == XMPI_MHETA_BLK)
        return divide_equally(view, plan);
    if (view->weighted && view->prefix == NULL)
        return XMPI_NEEDS_WEIGHTS;
    if (view->predictor != NULL &&
        (view->predictor->disks.known || view->predictor->pipelines.known)) {
        xmpi_status_t status = divide_by_costs(view, plan);
        if (status != XMPI_ERR_INPUT)
            return status;
    }
    if (!goes_by_speeds(view))
        return divide_equally(view, plan);
    double *speeds = calloc((size_t)plan->places, sizeof *speeds);
    if (speeds == NULL)
        return XMPI_ERR_MEMORY;
    xmpi_status_t status = xmpi_policy_speeds(view, plan, speeds);
    if (status == XMPI_OK)
        status = xmpi_plan_divide(plan, view->layout->domain, view->prefix, speeds);
    free(speeds);
    return status;
}

xmpi_status_t xmpi_policy_io(const xmpi_view_t *view, double *seconds)
{
    const xmpi_layout_t *layout = view->layout;
    xmpi_disk_costs_t costs;
    for (int i = 0; i < layout->members; i++)
        seconds[i] = 0;
    if (view->predictor == NULL || !view->predictor->disks.known)
        return XMPI_OK;
    xmpi_status_t status = xmpi_disk_costs_make(&costs, view->predictor, NULL);
    for (int i = 0; i < layout->members && status == XMPI_OK; i++)
        seconds[i] = (double)view->samples[i].iterations *
                     xmpi_disk_seconds(&costs, i, layout->member[i].block.count);
    xmpi_disk_costs_free(&costs);
    return status;
}

xmpi_status_t xmpi_policy_plan(const xmpi_view_t *view, const xmpi_selection_t *selection,
                               xmpi_plan_t *plan)
{
    int next = 0, members = view->layout->members;
    xmpi_status_t status = xmpi_plan_alloc(plan, members - selection->leaving + selection->joining);
    if (status != XMPI_OK)
        return status;
    for (int i = 0; i < members; i++)
        if (!selection->leaves[i])
            plan->place[next++] = (xmpi_place_t){.origin = XMPI_STAYS, .from = i, .pe = -1};
    for (int i = 0; i < view->resources->pes; i++)
        if (selection->taken[i])
            plan->place[next++] = (xmpi_place_t){.origin = XMPI_NEW, .from = -1, .pe = i};
    status = xmpi_policy_divide(view, plan);
    if (status != XMPI_OK)
        xmpi_plan_free(plan);
    return status;
}

int xmpi_policy_least_members(const xmpi_predictor_t *predictor, double bytes)
{
    double divided = 0, whole = 0;
    for (int i = 0; i < predictor->replicated; i++)
        whole += predictor->whole[i];
    for (int i = 0; i < predictor->divided; i++) {
        const xmpi_moved_array_t *array = &predictor->array[i];
        double size = (double)array->rows * array->row_bytes;
        if (array->scheme == XMPI_SCHEME_DISTRIBUTED)
            divided += size;
        else
            whole += size;
    }
    double least = bytes > whole ? ceil(divided / (bytes - whole)) : 1;
    return least < 1 ? 1 : least > INT_MAX ? INT_MAX : (int)least;
}

double xmpi_policy_change_seconds(const xmpi_view_t *view, const xmpi_plan_t *plan)
{
    xmpi_prediction_t prediction;
    if (view->predictor == NULL || xmpi_predict(view->predictor, plan, 1, &prediction) != XMPI_OK)
        return 0;
    return xmpi_predicted_change(&prediction);
}

int64_t xmpi_policy_horizon(const xmpi_view_t *view)
{
    enum { AT_LEAST = 100 };
    if (view->remaining >= 0)
        return view->remaining;
    return view->iteration > AT_LEAST ? view->iteration : AT_LEAST;
}
