/* SPDX-License-Identifier: BSD-3-Clause
 * Fitting: from timed changes to the curves and agreements of a calibration. Medians and least
 * absolute deviations, which some odd measurements do not bend. Pure. */
#ifndef XMPI_DECIDE_COMMUNICATION_CALIBRATION_FIT_H
#define XMPI_DECIDE_COMMUNICATION_CALIBRATION_FIT_H

#include "decide/model/calibration.h"

enum { XMPI_TIMED_CHANGES_MAX = 512 };

/* A reconfiguration that was carried out. */
typedef struct {
    int from, to;
    double processes, redistribution; /* seconds */
    double bytes, messages;
    int worlds; /* of processes created before that were among the members, or had been */
} xmpi_timed_change_t;

typedef struct {
    int n;
    xmpi_link_class_t link; /* between the first two members */
    xmpi_timed_change_t change[XMPI_TIMED_CHANGES_MAX];
} xmpi_timed_changes_t;

/* The curve of changes by the number of processes that come, and the rounds in which all meet them:
 * the same number for other members tells the two apart. The links are in CALIBRATION. */
void xmpi_fit_curve(const xmpi_timed_changes_t *changes, const xmpi_calibration_t *calibration,
                    xmpi_curve_t *curve);

/* What the first change took longer than the curve says. */
double xmpi_fit_first(const xmpi_timed_changes_t *changes, const xmpi_calibration_t *calibration,
                      const xmpi_curve_t *curve);

/* Seconds and rounds of what the changes of KIND do together, by least deviations. */
void xmpi_fit_agreement(const xmpi_timed_changes_t *changes, xmpi_agreement_kind_t kind,
                        xmpi_calibration_t *calibration);

/* Seconds for a byte that a process sends another one in a move, beyond what is known of it. */
double xmpi_fit_move(const xmpi_timed_changes_t *changes, const xmpi_calibration_t *calibration);

#endif
