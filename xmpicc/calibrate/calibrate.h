/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of xmpi-calibrate share. */
#ifndef XMPI_CALIBRATE_H
#define XMPI_CALIBRATE_H

#include "decide/calibration.h"
#include "world/calibration.h"

enum { EVENTS_MAX = 512 };

/* A reconfiguration that was carried out. */
typedef struct {
    int from, to;
    double processes, redistribution; /* seconds */
    double bytes, messages;
} change_t;

typedef struct {
    int n;
    xmpi_link_class_t link; /* between the first two members */
    change_t change[EVENTS_MAX];
} changes_t;

/* Reads the changes of the trace PATH; how many there are, -1 without a trace. */
int changes_read(const char *path, changes_t *changes);

/* The curve of changes by the number of processes that come (SIGN 1) or go (SIGN -1). */
void fit_curve(const changes_t *changes, int sign, xmpi_curve_t *curve);

/* What the first change took longer than the curve says. */
double fit_first(const changes_t *changes, const xmpi_curve_t *curve);

/* Seconds and rounds of what the changes of KIND do together, by least deviations. */
void fit_agreement(const changes_t *changes, xmpi_agreement_kind_t kind,
                   xmpi_calibration_t *calibration);

/* Seconds for a byte that a process sends another one in a move, beyond what is known of it. */
double fit_move(const changes_t *changes, const xmpi_calibration_t *calibration);

#endif
