/* SPDX-License-Identifier: BSD-3-Clause
 * Calibration: what the prediction model has to know about a machine and its MPI. */
#include "decide/model/calibration.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Beyond these no machine is: a message that takes longer than a minute, or less than a picosecond
 * for each byte, comes from a damaged file. */
static const double most_alpha = 60, most_beta = 1e-2, most_seconds = 3600, most_speed = 1e18;

const char *xmpi_link_name(xmpi_link_class_t link)
{
    static const char *const names[XMPI_LINKS] = {"node", "network"};
    return names[link];
}

const char *xmpi_curve_name(xmpi_curve_kind_t kind)
{
    static const char *const names[XMPI_CURVES] = {"serial", "group",  "concurrent",
                                                   "wake",   "remove", "park"};
    return names[kind];
}

const char *xmpi_agreement_name(xmpi_agreement_kind_t kind)
{
    static const char *const names[XMPI_AGREEMENTS] = {"communicator", "joined", "left",
                                                       "rebalance"};
    return names[kind];
}

/* --- checks ----------------------------------------------------------------------------------- */

static bool within(double value, double most)
{
    return isfinite(value) && value >= 0 && value <= most;
}

static xmpi_status_t refuse(xmpi_error_t *error, const char *where, const char *what, double value)
{
    return xmpi_error_set(error, XMPI_ERR_INPUT, "%s: %s cannot be %g", where, what, value);
}

static xmpi_status_t check_link(const xmpi_link_t *link, const char *name, xmpi_error_t *error)
{
    const struct {
        const char *what;
        double value, most;
    } checks[] = {{"alpha", link->alpha, most_alpha},
                  {"beta", link->beta, most_beta},
                  {"long_alpha", link->long_alpha, most_alpha},
                  {"long_beta", link->long_beta, most_beta},
                  {"eager", link->eager, 1e12}};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (!within(checks[i].value, checks[i].most))
            return refuse(error, name, checks[i].what, checks[i].value);
    return XMPI_OK;
}

static xmpi_status_t check_curve(const xmpi_curve_t *curve, const char *name, xmpi_error_t *error)
{
    if (curve->points < 0 || curve->points > XMPI_CURVE_POINTS)
        return refuse(error, name, "the number of points", curve->points);
    if (!within(curve->rounds, 1e6))
        return refuse(error, name, "the number of rounds", curve->rounds);
    for (int i = 0; i < curve->points; i++) {
        if (curve->point[i].count < 1 ||
            (i > 0 && curve->point[i].count <= curve->point[i - 1].count))
            return refuse(error, name, "a number of processes", curve->point[i].count);
        if (!within(curve->point[i].seconds, most_seconds))
            return refuse(error, name, "a time", curve->point[i].seconds);
    }
    return XMPI_OK;
}

static xmpi_status_t check_agreement(const xmpi_agreement_t *agreement, const char *name,
                                     xmpi_error_t *error)
{
    if (!within(agreement->seconds, most_seconds))
        return refuse(error, name, "a time", agreement->seconds);
    if (!within(agreement->rounds, 1e6))
        return refuse(error, name, "the number of rounds", agreement->rounds);
    return XMPI_OK;
}

static xmpi_status_t check_classes(const xmpi_calibration_t *calibration, xmpi_error_t *error)
{
    if (calibration->classes < 0 || calibration->classes > XMPI_CLASSES_MAX)
        return refuse(error, "classes", "their number", calibration->classes);
    for (int i = 0; i < calibration->classes; i++) {
        const xmpi_class_speed_t *class = &calibration->class_speed[i];
        if (memchr(class->name, '\0', sizeof class->name) == NULL || class->name[0] == '\0')
            return xmpi_error_set(error, XMPI_ERR_INPUT, "classes: number %d has no name", i + 1);
        if (!within(class->speed, most_speed) || class->speed <= 0)
            return refuse(error, class->name, "the speed", class->speed);
    }
    return XMPI_OK;
}

xmpi_status_t xmpi_calibration_check(const xmpi_calibration_t *calibration, xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    for (int i = 0; i < XMPI_LINKS && status == XMPI_OK; i++)
        status = check_link(&calibration->link[i], xmpi_link_name((xmpi_link_class_t)i), error);
    for (int i = 0; i < XMPI_CURVES && status == XMPI_OK; i++)
        status = check_curve(&calibration->curve[i], xmpi_curve_name((xmpi_curve_kind_t)i), error);
    for (int i = 0; i < XMPI_AGREEMENTS && status == XMPI_OK; i++)
        status = check_agreement(&calibration->agreement[i],
                                 xmpi_agreement_name((xmpi_agreement_kind_t)i), error);
    for (int i = 0; i < XMPI_LINKS && status == XMPI_OK; i++)
        if (!within(calibration->move_beta[i], most_beta))
            status = refuse(error, xmpi_link_name((xmpi_link_class_t)i), "move_beta",
                            calibration->move_beta[i]);
    if (status == XMPI_OK && !within(calibration->first_creation, most_seconds))
        status = refuse(error, "processes", "first", calibration->first_creation);
    if (status == XMPI_OK && !within(calibration->gamma, most_beta))
        status = refuse(error, "reduction", "gamma", calibration->gamma);
    if (status == XMPI_OK && !within(calibration->fresh, most_beta))
        status = refuse(error, "redistribution", "fresh", calibration->fresh);
    return status == XMPI_OK ? check_classes(calibration, error) : status;
}

/* --- values ----------------------------------------------------------------------------------- */

static void assume_curve(xmpi_calibration_t *calibration, xmpi_curve_kind_t kind, double seconds)
{
    calibration->curve[kind].points = 1;
    calibration->curve[kind].point[0].count = 1;
    calibration->curve[kind].point[0].seconds = seconds;
}

void xmpi_calibration_assume(xmpi_calibration_t *calibration)
{
    /* Table 6.7: seconds, and seconds per byte. */
    static const xmpi_link_t link = {.alpha = 100e-6,
                                     .beta = 0.008483e-6,
                                     .long_alpha = 100e-6,
                                     .long_beta = 0.008483e-6,
                                     .eager = 131072};
    static const double creation = 0.5197, termination = 0.000801; /* Table 6.6 */
    memset(calibration, 0, sizeof *calibration);
    snprintf(calibration->origin, sizeof calibration->origin, "assumed");
    for (int i = 0; i < XMPI_LINKS; i++)
        calibration->link[i] = link;
    calibration->gamma = 0.016e-6;
    assume_curve(calibration, XMPI_CURVE_SERIAL, creation);
    assume_curve(calibration, XMPI_CURVE_GROUP, creation);
    assume_curve(calibration, XMPI_CURVE_CONCURRENT, creation);
    assume_curve(calibration, XMPI_CURVE_REMOVE, termination);
    assume_curve(calibration, XMPI_CURVE_PARK, termination);
    assume_curve(calibration, XMPI_CURVE_WAKE, termination);
    /* What act/execute.c does: agree and add up; broadcast and make communicators for new members.
     */
    calibration->agreement[XMPI_AGREE_COMMUNICATOR].rounds = 2;
    calibration->agreement[XMPI_AGREE_JOINED].rounds = 3;
    calibration->agreement[XMPI_AGREE_LEFT].rounds = 3;
    calibration->agreement[XMPI_AGREE_REBALANCE].rounds = 2;
}

double xmpi_curve_at(const xmpi_curve_t *curve, int count)
{
    int last = curve->points - 1, i = 0;
    if (count <= 0 || last < 0)
        return 0;
    if (last == 0)
        return curve->point[0].seconds * count / curve->point[0].count;
    while (i < last - 1 && count > curve->point[i + 1].count)
        i++;
    double slope = (curve->point[i + 1].seconds - curve->point[i].seconds) /
                   (curve->point[i + 1].count - curve->point[i].count);
    double seconds = curve->point[i].seconds + slope * (count - curve->point[i].count);
    return seconds > 0 ? seconds : 0;
}

double xmpi_link_seconds(const xmpi_link_t *link, double bytes)
{
    return bytes > link->eager ? link->long_alpha + bytes * link->long_beta
                               : link->alpha + bytes * link->beta;
}

double xmpi_calibration_speed(const xmpi_calibration_t *calibration, const char *class_name)
{
    for (int i = 0; i < calibration->classes; i++)
        if (strcmp(calibration->class_speed[i].name, class_name) == 0)
            return calibration->class_speed[i].speed;
    return 0;
}
