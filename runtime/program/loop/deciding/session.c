/* SPDX-License-Identifier: BSD-3-Clause
 * A session of the leader. */
#include "program/loop/deciding/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/data/passes.h"
#include "act/members/lay_out.h"
#include "act/moving/exchange.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "decide/policies/catalogue.h"
#include "libraries/glpk_library.h"
#include "libraries/scotch_library.h"
#include "observe/clock.h"
#include "observe/counter/counter.h"
#include "observe/monitor.h"
#include "program/loop/deciding/prediction.h"
#include "program/members/idle.h"
#include "program/members/job_log.h"
#include "settings/wishes.h"
#include "trace/trace.h"

/* The programs of all members, divided among the rows of the layout; of a movable loop a row is a
 * rank. They go ahead where they are large. (What has been written when the program goes last is
 * known after the move alone: the model learns that.) */
static xmpi_moved_array_t image_of(const xmpi_layout_t *layout, const xmpi_sample_t *samples,
                                   xmpi_moves_when_t when)
{
    double bytes = 0;
    for (int i = 0; i < layout->members; i++)
        bytes += samples[i].image;
    return (xmpi_moved_array_t){.scheme = XMPI_SCHEME_DISTRIBUTED,
                                .rows = layout->domain,
                                .row_bytes =
                                    layout->domain > 0 ? bytes / (double)layout->domain : 0,
                                .constant = 1,
                                .when = when};
}

/* Rows of a state, divided among those of the layout. */
static xmpi_moved_array_t rows_of(const xmpi_layout_t *layout, const xmpi_state_rows_t *rows)
{
    double bytes = (double)rows->rows * (double)rows->row_bytes;
    return (xmpi_moved_array_t){.scheme = XMPI_SCHEME_DISTRIBUTED,
                                .rows = layout->domain,
                                .row_bytes =
                                    layout->domain > 0 ? bytes / (double)layout->domain : 0,
                                .when = XMPI_MOVES_AS_ROWS};
}

/* What moves of this loop: the image of programs, and rows of the state where it has one. N: of how
 * many. malloc. */
static xmpi_moved_array_t *moved_images(const xmpi_context_t *context, const xmpi_sample_t *samples,
                                        int *n)
{
    const xmpi_layout_t *layout = &context->shared.layout;
    const xmpi_state_told_t *told = &context->start.now;
    int arrays = context->shared.resizable ? told->arrays : 0;
    xmpi_moved_array_t *array = calloc((size_t)arrays + 1, sizeof *array);
    *n = arrays + 1;
    if (array == NULL)
        return NULL;
    for (int i = 0; i < arrays; i++)
        array[i] = rows_of(layout, &told->array[i]);
    array[arrays] = image_of(layout, samples,
                             context->shared.resizable ? XMPI_MOVES_AS_IMAGE : XMPI_MOVES_EVER);
    return array;
}

/* Some PE says what memory its node has: only then it is asked how often arrays are read and
 * written. */
static bool memory_is_known(const xmpi_resources_t *resources)
{
    for (int i = 0; i < resources->pes; i++)
        if (resources->pe[i].memory > 0)
            return true;
    return false;
}

/* Once in a loop, by whoever leads. */
static void count_passes(xmpi_context_t *context)
{
    if (context->counted || !memory_is_known(&context->shared.resources))
        return;
    xmpi_passes_count(&context->registry, context->structure, context->structures, context->loop);
    context->counted = true;
}

/* Where the structure of the loop does not tell how often arrays are gone through, as that is known
 * at run time only or changes, it is what members have seen. */
static void see_passes(const xmpi_layout_t *layout, const xmpi_sample_t *samples, int arrays,
                       xmpi_moved_array_t *array)
{
    int told = 0;
    for (int k = 0; k < arrays && told < XMPI_PASSES_MAX; k++) {
        double sum = 0, iterations = 0;
        if (!array[k].paged)
            continue;
        for (int i = 0; i < layout->members; i++)
            if (samples[i].passes[told] > 0) {
                sum += samples[i].passes[told];
                iterations += (double)samples[i].iterations;
            }
        array[k].passes = iterations > 0 ? sum / iterations : 0;
        told++;
    }
}

void xmpi_session_open(xmpi_context_t *context, const xmpi_sample_t *samples,
                       xmpi_session_t *session)
{
    const xmpi_shared_t *shared = &context->shared;
    const xmpi_progress_t *progress = &context->progress;
    xmpi_error_t error; /* has been said when the policy was chosen */
    bool entries = context->weighing == XMPI_LB_NNZ;
    const xmpi_steering_t *steering = &progress->steering;
    int arrays = context->registry.arrays;
    session->wishes =
        xmpi_wishes(&shared->settings, &shared->schedule, context->interval,
                    xmpi_exchange_has_background(shared->settings.move), shared->resources.changes);
    count_passes(context);
    session->array = shared->movable || shared->resizable
                         ? moved_images(context, samples, &arrays)
                         : xmpi_registry_moved(&context->registry,
                                               shared->layout.member[xmpi_world.rank].block.count);
    if (session->array != NULL && memory_is_known(&shared->resources))
        see_passes(&shared->layout, samples, arrays, session->array);
    session->occasion = (xmpi_occasion_t){
        .policy = context->policy,
        .wishes = &session->wishes,
        .layout = &shared->layout,
        .resources = &shared->resources,
        .samples = samples,
        .idle = xmpi_idle_ask(context, samples),
        .arrays = arrays,
        .array = session->array,
        .weighted = context->weighing != XMPI_LB_ROWS,
        .told_work = xmpi_counter_is_registered(&xmpi_monitor.counter),
        .prefix_of_entries = entries && xmpi_registry_matrices(&context->registry) == 1,
        .glpk = xmpi_policy_uses(context->policy, XMPI_OF_GLPK) ? xmpi_glpk(&error) : NULL,
        .scotch = xmpi_policy_uses(context->policy, XMPI_OF_TRAFFIC) ? xmpi_scotch(&error) : NULL,
        .profile = xmpi_prediction_profile(context),
        .here = &context->profile_of,
        .movable = shared->movable,
        .sizes = shared->resizable,
        .start = shared->resizable ? progress->start_seconds : 0,
        .has_moves = xmpi_world.moves != MPI_COMM_NULL,
        .iteration = progress->iteration,
        .interval_start = progress->interval_start,
        .loop = progress->loop,
        .bound = progress->bound,
        .first = progress->intervals == 0,
        .now = xmpi_trace_clock(),
        .started = shared->started,
        .loop_started = progress->loop_started,
        .cost = progress->cost,
        .interval_cost = context->interval_cost,
        .wanted = steering->wanted,
        .wanted_class = steering->wanted_class,
        .wished = steering->wished};
}

void xmpi_session_close(xmpi_session_t *session)
{
    xmpi_step_free(&session->step);
    free(session->array);
    free(session->prefix);
    xmpi_traffic_free(&session->traffic);
}

bool xmpi_session_get_weights(xmpi_context_t *context, xmpi_session_t *session)
{
    session->prefix = xmpi_weights_gather(context->weighing, &context->weights, &context->registry,
                                          &context->shared.layout, &xmpi_world);
    session->occasion.prefix = session->prefix;
    return session->prefix != NULL;
}

void xmpi_session_describe(xmpi_context_t *context, const xmpi_session_t *session)
{
    const xmpi_plan_t *plan = &session->step.plan;
    bool wished = session->occasion.wished.kind != XMPI_WISHED_NOTHING;
    xmpi_reconfiguration_t *r = &context->progress.under_way;
    r->iteration = context->progress.iteration;
    r->from = context->shared.layout.members;
    r->to = plan->places > 0 ? plan->places : r->from;
    strcpy(r->kind, plan->places > 0 ? xmpi_plan_kind(plan, &context->shared.layout)
                    : wished         ? "exchange"
                                     : "rebalance");
    snprintf(r->reason, sizeof r->reason, "%s", plan->reason);
    r->scheduling = xmpi_clock_wall() - session->since;
    r->predicted = session->step.predicted;
    xmpi_job_decided(context, r->reason);
}

bool xmpi_session_lay_out(xmpi_context_t *context, xmpi_step_t *step, xmpi_layout_t *next)
{
    const int64_t halo = xmpi_registry_widest_halo(&context->registry);
    const int64_t least = halo > context->least_rows ? halo : context->least_rows;
    if (xmpi_shared_lay_out(&context->shared, &step->plan, next, &step->error) != XMPI_OK)
        return false;
    if (xmpi_layout_widen(next, least, &step->error) == XMPI_OK)
        return true;
    xmpi_shared_forget(&context->shared, next);
    return false;
}

double xmpi_session_gain(xmpi_session_t *session)
{
    const xmpi_plan_t none = {0};
    xmpi_step_t *step = &session->step;
    const xmpi_occasion_t *occasion = &session->occasion;
    int64_t bound = occasion->bound > 0 ? occasion->bound : 2 * occasion->iteration;
    int64_t left = bound > occasion->iteration ? bound - occasion->iteration : 0;
    xmpi_prediction_t with, without;
    if (!step->predicts || step->outcome != XMPI_STEP_CHANGES ||
        xmpi_predict(&step->predictor, &step->plan, left, &with) != XMPI_OK ||
        xmpi_predict(&step->predictor, &none, left, &without) != XMPI_OK)
        return 0;
    return without.total - with.total;
}
