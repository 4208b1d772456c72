/* SPDX-License-Identifier: BSD-3-Clause
 * From the changes in a trace to the curves of a calibration. */
#define _GNU_SOURCE
#include "calibrate/calibrate.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/mpi_cost.h"

/* --- the trace -------------------------------------------------------------------------------- */

static double number(const cJSON *event, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(event, name);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static int says(const cJSON *event, const char *name, const char *text)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(event, name);
    return cJSON_IsString(item) && strcmp(item->valuestring, text) == 0;
}

static const char *node_of(const cJSON *event, int rank)
{
    const cJSON *layout = cJSON_GetObjectItemCaseSensitive(event, "layout");
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(layout, rank), "node");
    return cJSON_IsString(node) ? node->valuestring : "";
}

static void take_event(const cJSON *event, changes_t *changes)
{
    if (says(event, "event", "start"))
        changes->link =
            strcmp(node_of(event, 0), node_of(event, 1)) == 0 ? XMPI_LINK_NODE : XMPI_LINK_NETWORK;
    if (!says(event, "event", "reconfiguration") || !says(event, "outcome", "done") ||
        changes->n == EVENTS_MAX)
        return;
    changes->change[changes->n++] = (change_t){.from = (int)number(event, "from"),
                                               .to = (int)number(event, "to"),
                                               .processes = number(event, "processes"),
                                               .redistribution = number(event, "redistribution"),
                                               .bytes = number(event, "bytes"),
                                               .messages = number(event, "messages")};
}

int changes_read(const char *path, changes_t *changes)
{
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    changes->n = 0;
    if (file == NULL)
        return -1;
    while (getline(&line, &room, file) > 0) {
        cJSON *event = cJSON_Parse(line);
        take_event(event, changes);
        cJSON_Delete(event);
    }
    free(line);
    fclose(file);
    return changes->n;
}

/* --- curves -----------------------------------------------------------------------------------
 */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *value, int n)
{
    qsort(value, (size_t)n, sizeof *value, compare);
    return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}

void fit_curve(const changes_t *changes, int sign, xmpi_curve_t *curve)
{
    double seconds[EVENTS_MAX];
    curve->points = 0;
    for (int count = 1; count < EVENTS_MAX && curve->points < XMPI_CURVE_POINTS; count++) {
        int n = 0;
        for (int i = sign > 0; i < changes->n; i++) /* the first is another thing */
            if (sign * (changes->change[i].to - changes->change[i].from) == count)
                seconds[n++] = changes->change[i].processes;
        if (n == 0)
            continue;
        curve->point[curve->points].count = count;
        curve->point[curve->points++].seconds = fmax(0, median(seconds, n));
    }
}

double fit_first(const changes_t *changes, const xmpi_curve_t *curve)
{
    if (changes->n == 0 || changes->change[0].to <= changes->change[0].from)
        return 0;
    return fmax(0, changes->change[0].processes -
                       xmpi_curve_at(curve, changes->change[0].to - changes->change[0].from));
}

/* --- agreements -------------------------------------------------------------------------------
 */

static double round_seconds(const xmpi_calibration_t *calibration, int members)
{
    return xmpi_round_seconds(members, &calibration->link[XMPI_LINK_NETWORK], calibration->gamma);
}

/* Whether CHANGE shows what KIND takes, and how long it took. */
static int shows(const change_t *change, xmpi_agreement_kind_t kind, double *seconds)
{
    *seconds = kind == XMPI_AGREE_LEAVE    ? change->processes
               : kind == XMPI_AGREE_SETTLE ? change->redistribution
                                           : change->processes + change->redistribution;
    return kind == XMPI_AGREE_LEAVE    ? change->to < change->from
           : kind == XMPI_AGREE_SETTLE ? change->to != change->from
                                       : change->to == change->from;
}

/* The sum of the relative deviations of the points from a line. */
static double deviation(int n, const double *x, const double *y, xmpi_agreement_t line)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        if (y[i] > 0)
            sum += fabs(y[i] - line.seconds - line.rounds * x[i]) / y[i];
    return sum;
}

static void take_better(int n, const double *x, const double *y, xmpi_agreement_t line,
                        double *least, xmpi_agreement_t *best)
{
    double sum = deviation(n, x, y, line);
    if (line.seconds < 0 || line.rounds < 0 || !(sum < *least))
        return;
    *least = sum;
    *best = line;
}

/* The line seconds + rounds * x, neither below 0, with the least relative deviations, which some
 * odd measurements do not bend. It goes through two points, or one and is level or begins at 0. */
static void fit(int n, const double *x, const double *y, xmpi_agreement_t *best)
{
    double least = INFINITY;
    for (int i = 0; i < n; i++) {
        take_better(n, x, y, (xmpi_agreement_t){.seconds = y[i]}, &least, best);
        if (x[i] > 0)
            take_better(n, x, y, (xmpi_agreement_t){.rounds = y[i] / x[i]}, &least, best);
        for (int k = 0; k < i; k++) {
            double rounds = x[i] > x[k] || x[i] < x[k] ? (y[i] - y[k]) / (x[i] - x[k]) : -1;
            take_better(n, x, y, (xmpi_agreement_t){y[i] - rounds * x[i], rounds}, &least, best);
        }
    }
}

void fit_agreement(const changes_t *changes, xmpi_agreement_kind_t kind,
                   xmpi_calibration_t *calibration)
{
    double x[EVENTS_MAX], y[EVENTS_MAX];
    int n = 0;
    for (int i = 0; i < changes->n; i++) {
        const change_t *change = &changes->change[i];
        int members = change->from > change->to ? change->from : change->to;
        if (!shows(change, kind, &y[n]))
            continue;
        x[n++] = round_seconds(calibration, members);
    }
    if (n > 0)
        fit(n, x, y, &calibration->agreement[kind]);
}

double fit_move(const changes_t *changes, const xmpi_calibration_t *calibration)
{
    const xmpi_agreement_t *agreement = &calibration->agreement[XMPI_AGREE_REBALANCE];
    double beta[EVENTS_MAX];
    int n = 0;
    for (int i = 0; i < changes->n; i++) {
        const change_t *change = &changes->change[i];
        double known =
            agreement->seconds + agreement->rounds * round_seconds(calibration, change->from);
        if (change->from == change->to && change->bytes > 0)
            beta[n++] = (change->processes + change->redistribution - known) / change->bytes;
    }
    return n > 0 ? fmax(0, median(beta, n) - calibration->fresh) : 0;
}
