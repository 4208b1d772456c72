/* SPDX-License-Identifier: BSD-3-Clause
 * The one model of speeds: the computing power of every processing element, with a member or
 * without, and how far it is to be believed. Policies and the predictor have no other.
 *
 * A PE has the speed that was measured on it, if it ever was; else the mean of its class in this
 * run; else what the calibration says of its class, which knows ratios only, scaled by the classes
 * that were measured; else the mean of all. */
#ifndef XMPI_DECIDE_MODEL_SPEEDS_H
#define XMPI_DECIDE_MODEL_SPEEDS_H

#include "decide/model/calibration.h"
#include "decide/model/history.h"
#include "decide/layout/layout.h"
#include "decide/layout/resources.h"
#include "decide/model/sample.h"

/* Where a speed comes from, the best first. */
typedef enum {
    XMPI_SPEED_MEASURED,   /* of the member that is there */
    XMPI_SPEED_SEEN,       /* without a member, by the load that was seen there */
    XMPI_SPEED_REMEMBERED, /* of a member that was there */
    XMPI_SPEED_OF_CLASS,   /* the mean of the PEs of the class that were measured */
    XMPI_SPEED_CALIBRATED, /* of the class, by the calibration */
    XMPI_SPEED_OF_ALL,     /* the mean of all that were measured */
    XMPI_SPEED_UNKNOWN,    /* none was: all are taken for 1 */
} xmpi_speed_origin_t;

typedef struct {
    double speed; /* units of work per second, > 0 */
    double error; /* relative standard error; INFINITY where nothing is known of it */
    double age;   /* seconds of the loop since a member was last seen there; 0 unless remembered */
    xmpi_speed_origin_t origin;
} xmpi_power_t;

/* What speeds are known from. Nothing is kept of it. */
typedef struct {
    const xmpi_layout_t *layout;
    const xmpi_resources_t *resources;
    const xmpi_sample_t *samples;          /* of the last interval, in rank order */
    const xmpi_history_t *history;         /* with that interval; NULL: the samples are all */
    const xmpi_calibration_t *calibration; /* NULL: none */
} xmpi_evidence_t;

typedef struct {
    int pes, members;
    xmpi_power_t *pe;     /* of each PE; malloc, like the others */
    xmpi_power_t *member; /* of each member: that of its PE, where it has one */
    int *member_pe;       /* of each member, or -1 */
} xmpi_speeds_t;

/* XMPI_ERR_MEMORY; then there is nothing to free. */
xmpi_status_t xmpi_speeds_make(xmpi_speeds_t *speeds, const xmpi_evidence_t *evidence);
void xmpi_speeds_free(xmpi_speeds_t *speeds);

#endif
