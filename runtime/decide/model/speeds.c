/* SPDX-License-Identifier: BSD-3-Clause
 * The one model of speeds. */
#include "decide/model/speeds.h"

#include "decide/model/likes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative error of a PE whose like was seen, where only one was: as far as machines of one class
 * usually differ. And of a ratio that a calibration has measured on other work. */
static const double error_of_one = 0.05, error_of_calibration = 0.2;

static double plausible(double speed)
{
    return isfinite(speed) && speed > 0 ? speed : 0;
}

/* --- what was measured -------------------------------------------------------------------------
 */

static xmpi_power_t of_sample(const xmpi_sample_t *sample)
{
    double speed = sample->computation > 0 ? sample->work / sample->computation : 0;
    return (xmpi_power_t){
        .speed = plausible(speed), .error = error_of_one, .origin = XMPI_SPEED_MEASURED};
}

/* A speed that nobody has seen for a while may have gone anywhere its noise has carried it in as
 * many intervals (a random walk). */
static xmpi_power_t of_history(const xmpi_history_t *history, int pe)
{
    const xmpi_speed_t *seen = &history->speed[pe];
    bool there = seen->away == 0;
    double error, speed = xmpi_history_speed(history, pe, &error);
    return (xmpi_power_t){.speed = plausible(speed),
                          .error = error * sqrt(1 + seen->away),
                          .age = seen->age,
                          .origin = !there       ? XMPI_SPEED_REMEMBERED
                                    : seen->idle ? XMPI_SPEED_SEEN
                                                 : XMPI_SPEED_MEASURED};
}

/* Speeds of PEs as the history has them, of members without a PE or a history by their samples;
 * what is not known stays 0. */
static void take_measured(const xmpi_evidence_t *evidence, xmpi_speeds_t *speeds)
{
    const xmpi_history_t *history = evidence->history;
    for (int pe = 0; history != NULL && pe < history->pes && pe < speeds->pes; pe++)
        speeds->pe[pe] = of_history(history, pe);
    for (int rank = 0; rank < speeds->members; rank++) {
        int pe = speeds->member_pe[rank];
        bool remembered = history != NULL && pe >= 0 && pe < history->pes;
        speeds->member[rank] = remembered ? speeds->pe[pe] : of_sample(&evidence->samples[rank]);
        if (pe >= 0)
            speeds->pe[pe] = speeds->member[rank];
    }
}

/* --- what is concluded from it -----------------------------------------------------------------
 */

typedef struct {
    xmpi_likes_t of_class[XMPI_CLASSES_MAX], all, scale;
} summary_t;

/* Those with members say more about the others than those that were left: these count only in
 * classes that have none. */
static void sum_up(const xmpi_evidence_t *evidence, const xmpi_speeds_t *speeds, summary_t *sum)
{
    bool has_members[XMPI_CLASSES_MAX] = {false};
    memset(sum, 0, sizeof *sum);
    for (int rank = 0; rank < speeds->members; rank++) {
        int pe = speeds->member_pe[rank];
        double speed = speeds->member[rank].speed;
        if (speed <= 0)
            continue;
        xmpi_likes_add(&sum->all, speed);
        if (pe < 0)
            continue;
        int class_index = evidence->resources->pe[pe].class_index;
        has_members[class_index] = true;
        xmpi_likes_add(&sum->of_class[class_index], speed);
    }
    for (int pe = 0; pe < speeds->pes; pe++) {
        int class_index = evidence->resources->pe[pe].class_index;
        if (speeds->pe[pe].origin == XMPI_SPEED_REMEMBERED && speeds->pe[pe].speed > 0 &&
            !has_members[class_index])
            xmpi_likes_add(&sum->of_class[class_index], speeds->pe[pe].speed);
    }
}

static double relative_speed(const xmpi_evidence_t *evidence, int class_index)
{
    return evidence->calibration == NULL
               ? 0
               : xmpi_calibration_speed(evidence->calibration,
                                        evidence->resources->class_name[class_index]);
}

/* What the unit of the calibration is in units of work per second, by every class that both know.
 */
static void find_scale(const xmpi_evidence_t *evidence, summary_t *sum)
{
    for (int c = 0; c < evidence->resources->classes; c++) {
        double relative = relative_speed(evidence, c);
        if (sum->of_class[c].n > 0 && relative > 0)
            xmpi_likes_add(&sum->scale, sum->of_class[c].mean / relative);
    }
}

static xmpi_power_t of_class(const xmpi_evidence_t *evidence, const summary_t *sum, int class_index)
{
    const xmpi_likes_t *seen = &sum->of_class[class_index];
    double relative = relative_speed(evidence, class_index);
    if (seen->n > 0)
        return (xmpi_power_t){
            .speed = seen->mean, .error = xmpi_likes_error(seen), .origin = XMPI_SPEED_OF_CLASS};
    if (relative > 0 && sum->scale.n > 0)
        return (xmpi_power_t){.speed = relative * sum->scale.mean,
                              .error = fmax(error_of_calibration, xmpi_likes_error(&sum->scale)),
                              .origin = XMPI_SPEED_CALIBRATED};
    if (sum->all.n > 0)
        return (xmpi_power_t){
            .speed = sum->all.mean, .error = INFINITY, .origin = XMPI_SPEED_OF_ALL};
    return (xmpi_power_t){.speed = 1, .error = INFINITY, .origin = XMPI_SPEED_UNKNOWN};
}

/* A member without a PE is of no class. */
static xmpi_power_t of_all(const summary_t *sum)
{
    bool known = sum->all.n > 0;
    return (xmpi_power_t){.speed = known ? sum->all.mean : 1,
                          .error = INFINITY,
                          .origin = known ? XMPI_SPEED_OF_ALL : XMPI_SPEED_UNKNOWN};
}

static void conclude(const xmpi_evidence_t *evidence, xmpi_speeds_t *speeds)
{
    const xmpi_resources_t *resources = evidence->resources;
    xmpi_power_t class_power[XMPI_CLASSES_MAX];
    summary_t sum;
    sum_up(evidence, speeds, &sum);
    find_scale(evidence, &sum);
    for (int c = 0; c < XMPI_CLASSES_MAX; c++)
        class_power[c] = c < resources->classes ? of_class(evidence, &sum, c) : of_all(&sum);
    for (int pe = 0; pe < speeds->pes; pe++)
        if (speeds->pe[pe].speed <= 0)
            speeds->pe[pe] = class_power[resources->pe[pe].class_index];
    for (int rank = 0; rank < speeds->members; rank++) {
        int pe = speeds->member_pe[rank];
        if (speeds->member[rank].speed <= 0)
            speeds->member[rank] = pe >= 0 ? speeds->pe[pe] : of_all(&sum);
    }
}

xmpi_status_t xmpi_speeds_make(xmpi_speeds_t *speeds, const xmpi_evidence_t *evidence)
{
    int members = evidence->layout->members, pes = evidence->resources->pes;
    *speeds = (xmpi_speeds_t){.pes = pes,
                              .members = members,
                              .pe = calloc((size_t)pes + 1, sizeof *speeds->pe),
                              .member = calloc((size_t)members + 1, sizeof *speeds->member),
                              .member_pe = xmpi_members_pes(evidence->layout, evidence->resources)};
    if (speeds->pe == NULL || speeds->member == NULL || speeds->member_pe == NULL) {
        xmpi_speeds_free(speeds);
        return XMPI_ERR_MEMORY;
    }
    take_measured(evidence, speeds);
    conclude(evidence, speeds);
    return XMPI_OK;
}

void xmpi_speeds_free(xmpi_speeds_t *speeds)
{
    free(speeds->pe);
    free(speeds->member);
    free(speeds->member_pe);
    memset(speeds, 0, sizeof *speeds);
}
