/* SPDX-License-Identifier: BSD-3-Clause
 * The prediction model in a run. */
#include "program/loop/deciding/prediction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/world/world.h"
#include "observe/links.h"
#include "observe/monitor.h"
#include "act/data/weights.h"
#include "base/collective.h"
#include "files/calibration_file.h"
#include "files/profile_file.h"

/* --- profiles ---------------------------------------------------------------------------------
 */

/* A profile that cannot be read is reported once and not missed. */
const xmpi_profile_t *xmpi_prediction_profile(xmpi_context_t *context)
{
    xmpi_error_t error;
    char path[XMPI_PATH_MAX], *name = context->shared.settings.profile;
    if (name[0] == '\0' || context->profile.points > 0)
        return &context->profile;
    xmpi_settings_path(&context->shared.settings, name, path);
    if (xmpi_profile_read(path, &context->profile, &error) != XMPI_OK) {
        fprintf(stderr, "xmpi: the profile is ignored: %s\n", error.text);
        name[0] = '\0';
    }
    return &context->profile;
}

/* Whether the settings have to do with profiles. */
static bool uses_profiles(const xmpi_context_t *context)
{
    return context->shared.settings.profile[0] != '\0' ||
           context->shared.settings.record[0] != '\0';
}

/* What a profile of this loop is of. */
static void tell_origin(const xmpi_context_t *context, xmpi_profile_origin_t *origin)
{
    xmpi_machine_t machine;
    char text[XMPI_MACHINE_TEXT_MAX + 32];
    xmpi_machine_here(&machine, "");
    snprintf(text, sizeof text, "%s, %d cores", machine.processor, machine.cores);
    *origin = (xmpi_profile_origin_t){.domain = context->registry.domain};
    xmpi_profile_text(origin->loop, context->shared.loop);
    xmpi_profile_text(origin->counter, xmpi_monitor.counter.event);
    xmpi_profile_text(origin->machine, text);
}

/* One of another program is as good as none; it is said once. */
static void look_at_profile(xmpi_context_t *context)
{
    char why[2 * XMPI_PROFILE_TEXT];
    const xmpi_profile_t *profile = xmpi_prediction_profile(context);
    if (profile->points == 0 || context->said_other_profile ||
        xmpi_profile_is_of(profile, &context->profile_of, why, sizeof why))
        return;
    fprintf(stderr, "xmpi: %s: the first layout does not go by the profile: %s\n", context->loop,
            why);
    context->said_other_profile = true;
}

/* Whether it may be of use to look for a first layout: what is looked at tells whether there is
 * one. */
static bool may_open(const xmpi_context_t *context)
{
    const xmpi_shared_t *shared = &context->shared;
    return !context->pinned && !context->hand.used && !shared->movable && !shared->resizable &&
           shared->layout.members > 1 &&
           (shared->leader.calibration.classes > 0 || context->profile.points > 0);
}

static bool begin_record(const xmpi_context_t *context)
{
    xmpi_error_t error;
    char path[XMPI_PATH_MAX];
    xmpi_settings_path(&context->shared.settings, context->shared.settings.record, path);
    if (path[0] == '\0' || xmpi_profile_begin(path, &context->profile_of, &error) == XMPI_OK)
        return path[0] != '\0';
    fprintf(stderr, "xmpi: no profile is recorded: %s\n", error.text);
    return false;
}

/* What the own rows weigh now; malloc, NULL without memory. */
static double *own_weights(const xmpi_context_t *context)
{
    const xmpi_block_t *block = &context->shared.layout.member[xmpi_world.rank].block;
    double *weight = malloc(((size_t)block->count + 1) * sizeof *weight);
    if (weight != NULL)
        xmpi_weights_own(context->weighing, &context->weights, &context->registry, block, weight);
    return weight;
}

void xmpi_prediction_weigh(xmpi_context_t *context)
{
    free(context->weighed);
    context->weighed = context->shared.records ? own_weights(context) : NULL;
    if (context->weighed != NULL)
        context->weighed_block = context->shared.layout.member[xmpi_world.rank].block;
}

/* Whether it is known of the rows of BLOCK: a program may have moved some by hand since. */
static bool is_weighed(const xmpi_context_t *context, const xmpi_block_t *block)
{
    return context->weighed != NULL && context->weighed_block.count == block->count &&
           context->weighed_block.displ == block->displ;
}

/* As the weights of the rows divide it; without memory the profile has no parts of this member. */
static void add_own_rows(const xmpi_context_t *context, double work, xmpi_profile_parts_t *parts)
{
    const xmpi_layout_t *layout = &context->shared.layout;
    const xmpi_block_t *block = &layout->member[xmpi_world.rank].block;
    double *now = own_weights(context);
    if (now != NULL)
        xmpi_profile_add_rows(parts, layout->domain, block,
                              is_weighed(context, block) ? context->weighed : now, now, work);
    free(now);
}

void xmpi_prediction_collect(xmpi_context_t *context, const xmpi_sample_t *mine)
{
    xmpi_profile_parts_t own = {{0}};
    if (!context->shared.records)
        return;
    add_own_rows(context, mine->work, &own);
    PMPI_Reduce(own.work, context->recorded.work, XMPI_PROFILE_PARTS, MPI_DOUBLE, MPI_SUM, 0,
                xmpi_world.comm);
}

/* The speeds of classes that have changed by more than they are known for. */
static xmpi_status_t record_classes(xmpi_context_t *context, const char *path, xmpi_error_t *error)
{
    static const double same = 0.01;
    xmpi_class_speed_t now[XMPI_CLASSES_MAX];
    xmpi_status_t status = XMPI_OK;
    int n = xmpi_history_classes(&context->shared.leader.history, &context->shared.resources, now);
    for (int i = 0; i < n && status == XMPI_OK; i++) {
        xmpi_class_speed_t *last = context->recorded_class;
        int k = 0;
        while (k < context->recorded_classes && strcmp(last[k].name, now[i].name) != 0)
            k++;
        if (k < context->recorded_classes &&
            fabs(now[i].speed - last[k].speed) <= same * last[k].speed)
            continue;
        last[k] = now[i];
        context->recorded_classes += k == context->recorded_classes;
        status = xmpi_profile_append_class(path, &now[i], error);
    }
    return status;
}

/* The share of the work that lies in other parts by ONE than by OTHER. */
static double elsewhere(const xmpi_profile_parts_t *one, const xmpi_profile_parts_t *other)
{
    double of_one = 0, of_other = 0, differs = 0;
    for (int i = 0; i < XMPI_PROFILE_PARTS; i++) {
        of_one += one->work[i];
        of_other += other->work[i];
    }
    for (int i = 0; i < XMPI_PROFILE_PARTS && of_one > 0 && of_other > 0; i++)
        differs += fabs(one->work[i] / of_one - other->work[i] / of_other) / 2;
    return of_one > 0 && of_other > 0 ? differs : 1;
}

/* What rows weigh, where that was learnt by members that are in balance now. */
static xmpi_status_t record_weights(xmpi_context_t *context, const xmpi_step_t *step,
                                    const char *path, xmpi_error_t *error)
{
    static const double same = 0.02;
    xmpi_profile_parts_t now;
    if (step->weighed.prefix == NULL || step->outcome != XMPI_STEP_KEEPS)
        return XMPI_OK;
    xmpi_profile_take_weights(step->weighed.prefix, context->shared.layout.domain, &now);
    if (elsewhere(&now, &context->recorded_weight) <= same)
        return XMPI_OK;
    context->recorded_weight = now;
    return xmpi_profile_append_weights(path, &now, error);
}

void xmpi_prediction_record(xmpi_context_t *context, const xmpi_step_t *step)
{
    char path[XMPI_PATH_MAX];
    xmpi_profile_point_t point = {context->progress.iteration, context->shared.leader.work};
    xmpi_error_t error;
    if (!context->shared.records || context->record_failed)
        return;
    xmpi_settings_path(&context->shared.settings, context->shared.settings.record, path);
    if (xmpi_profile_append(path, point, &context->recorded, &error) == XMPI_OK &&
        record_classes(context, path, &error) == XMPI_OK &&
        record_weights(context, step, path, &error) == XMPI_OK)
        return;
    fprintf(stderr, "xmpi: the profile stops here: %s\n", error.text);
    context->record_failed = true;
}

/* --- calibration --------------------------------------------------------------------------------
 */

/* The short form may take this long for each link: not to be noticed at the start of a program. */
static const double short_seconds = 0.003;

/* The file that was named, else the one in the standard place, where it is no news if there is
 * none.
 */
static xmpi_status_t read_file(const char *named, xmpi_calibration_t *calibration)
{
    char path[XMPI_PATH_MAX], version[MPI_MAX_LIBRARY_VERSION_STRING];
    xmpi_machine_t machine;
    xmpi_error_t error;
    int length;
    snprintf(path, sizeof path, "%s", named);
    if (named[0] == '\0')
        xmpi_calibration_path(path, sizeof path);
    FILE *file = fopen(path, "r");
    if (file != NULL)
        fclose(file);
    if (file == NULL && named[0] == '\0')
        return XMPI_ERR_INPUT;
    PMPI_Get_library_version(version, &length);
    xmpi_machine_here(&machine, version);
    xmpi_status_t status = xmpi_calibration_read(path, &machine, calibration, &error);
    if (status != XMPI_OK)
        fprintf(stderr, "xmpi: the calibration is ignored: %s\n", error.text);
    return status;
}

static const char *node_of(const xmpi_context_t *context, int rank)
{
    return xmpi_shared_pe(&context->shared, rank)->node;
}

/* The first member that is on the leader's node, or that is not; -1 when there is none. */
static int partner(const xmpi_context_t *context, bool same_node)
{
    for (int i = 1; i < context->shared.layout.members; i++)
        if ((strcmp(node_of(context, i), node_of(context, 0)) == 0) == same_node)
            return i;
    return -1;
}

static bool measure_link(xmpi_context_t *context, xmpi_link_class_t which)
{
    int other = partner(context, which == XMPI_LINK_NODE), rank = xmpi_world.rank;
    if (other < 0 || (rank != 0 && rank != other))
        return false;
    return xmpi_links_measure(xmpi_world_moves(&xmpi_world), other, short_seconds, false,
                              &context->shared.leader.calibration.link[which]);
}

/* Links that no two members have are taken for the one that was measured. */
static void measure_short_form(xmpi_context_t *context)
{
    xmpi_calibration_t *calibration = &context->shared.leader.calibration;
    xmpi_world_moves(&xmpi_world);
    bool node = measure_link(context, XMPI_LINK_NODE);
    bool network = measure_link(context, XMPI_LINK_NETWORK);
    if (!xmpi_leads())
        return;
    calibration->gamma = xmpi_links_gamma();
    calibration->fresh = xmpi_links_fresh();
    if (node && !network)
        calibration->link[XMPI_LINK_NETWORK] = calibration->link[XMPI_LINK_NODE];
    if (network && !node)
        calibration->link[XMPI_LINK_NODE] = calibration->link[XMPI_LINK_NETWORK];
    snprintf(calibration->origin, sizeof calibration->origin, "short form");
}

void xmpi_prediction_open(xmpi_context_t *context)
{
    xmpi_shared_t *shared = &context->shared;
    xmpi_calibration_t read;
    struct {
        int measure, record, open;
    } todo = {0, 0, 0};
    if (xmpi_leads()) {
        if (uses_profiles(context))
            tell_origin(context, &context->profile_of);
        look_at_profile(context);
        context->recorded_classes = 0;
        context->recorded_weight = (xmpi_profile_parts_t){{0}};
        todo.record = begin_record(context);
        char path[XMPI_PATH_MAX];
        xmpi_settings_path(&shared->settings, shared->settings.calibration, path);
        todo.measure = read_file(path, &read) != XMPI_OK;
        if (!todo.measure)
            shared->leader.calibration = read;
        todo.open = may_open(context);
    }
    PMPI_Bcast(&todo, sizeof todo, MPI_BYTE, 0, xmpi_world.comm);
    shared->records = todo.record;
    context->record_failed = false;
    context->opens = todo.open;
    if (!todo.measure)
        return;
    xmpi_calibration_assume(&shared->leader.calibration);
    if (shared->layout.members > 1)
        measure_short_form(context);
    xmpi_error_t error;
    if (xmpi_calibration_check(&shared->leader.calibration, &error) != XMPI_OK)
        xmpi_calibration_assume(&shared->leader.calibration);
}

/* --- the end ------------------------------------------------------------------------------------
 */

static void write_summary(const xmpi_context_t *context)
{
    fprintf(stderr, "xmpi: errors of the predictions, %% of what was measured\n");
    for (int i = 0; i < XMPI_PHASES; i++) {
        const xmpi_error_sum_t *error = &context->shared.leader.model.error[i];
        if (error->n > 0)
            fprintf(stderr, "xmpi: %-14s mean %6.2f  spread %6.2f  of %lld\n",
                    xmpi_phase_name((xmpi_phase_t)i), 100 * xmpi_error_mean(error),
                    100 * xmpi_error_spread(error), (long long)error->n);
    }
}

void xmpi_prediction_close(xmpi_context_t *context)
{
    if (xmpi_leads() && context->shared.settings.summary != 0)
        write_summary(context);
    xmpi_profile_free(&context->profile);
    free(context->weighed);
    context->weighed = NULL;
}
