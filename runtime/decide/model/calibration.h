/* SPDX-License-Identifier: BSD-3-Clause
 * Calibration: what the prediction model has to know about a machine and its MPI. Plain data; read
 * from a file or measured in a short form (files/calibration_file.h). */
#ifndef XMPI_DECIDE_MODEL_CALIBRATION_H
#define XMPI_DECIDE_MODEL_CALIBRATION_H

#include <stdbool.h>

#include "decide/layout/resources.h"
#include "base/status.h"

/* Raised with each change of what a number means: of what is counted in rounds, or left out, where
 * a calibration is fitted and where a change is predicted. A file with another one is not used. */
enum { XMPI_CALIBRATION_VERSION = 4 };

/* Between which PEs a message goes. */
typedef enum { XMPI_LINK_NODE, XMPI_LINK_NETWORK, XMPI_LINKS } xmpi_link_class_t;

/* Hockney's model (thesis §5.3.2): a message of n bytes takes alpha + n beta seconds. MPI sends
 * long messages by another protocol (rendezvous), so there are two lines; long ones are those of
 * more than EAGER bytes. */
typedef struct {
    double alpha, beta;
    double long_alpha, long_beta;
    double eager;
} xmpi_link_t;

enum { XMPI_CURVE_POINTS = 8 };

/* Seconds by number of processes, between the points on straight lines and beyond the last one on
 * the line through the last two. One point (n, t) is thesis Eq. 5.6 and 5.7: n processes take t, k
 * take k t / n. On top come ROUNDS times what it takes to tell all that are there then
 * (xmpi_round_seconds of decide/communication/mpi_cost.h), as everybody gets to know those that
 * come. */
typedef struct {
    double rounds;
    int points; /* 0: unknown */
    struct {
        int count; /* >= 1, rising */
        double seconds;
    } point[XMPI_CURVE_POINTS];
} xmpi_curve_t;

/* What is measured for numbers of processes. */
typedef enum {
    XMPI_CURVE_SERIAL,     /* creation, one after the other */
    XMPI_CURVE_GROUP,      /* creation by one call */
    XMPI_CURVE_CONCURRENT, /* creation by several members at once */
    XMPI_CURVE_WAKE,       /* of parked processes */
    XMPI_CURVE_REMOVE,     /* of created processes, which end */
    XMPI_CURVE_PARK,       /* of those that mpiexec started */
    XMPI_CURVES,
} xmpi_curve_kind_t;

/* What all processes concerned by a change do together besides, to agree and to make communicators:
 * SECONDS, and ROUNDS times what a round takes them (xmpi_round_seconds of
 * decide/communication/mpi_cost.h). */
typedef struct {
    double seconds, rounds;
} xmpi_agreement_t;

typedef enum {
    XMPI_AGREE_COMMUNICATOR, /* to make the one that data move in, where it is not there yet */
    XMPI_AGREE_JOINED,       /* in a redistribution in which some join */
    XMPI_AGREE_LEFT,         /* in a redistribution in which some leave and none join */
    XMPI_AGREE_REBALANCE,    /* in a change in which all stay */
    XMPI_AGREEMENTS,
} xmpi_agreement_kind_t;

typedef struct {
    char name[XMPI_NAME_MAX];
    double speed; /* any unit; only ratios are used */
} xmpi_class_speed_t;

enum { XMPI_ORIGIN_MAX = 32 };

typedef struct {
    char origin[XMPI_ORIGIN_MAX]; /* "file", "short form" or "assumed", for the trace */
    xmpi_link_t link[XMPI_LINKS];
    double trust;          /* how many measurements in a run the figures of changes are worth */
    double gamma;          /* seconds to reduce a byte */
    double fresh;          /* seconds to fill a byte of new storage when data move */
    double first_creation; /* seconds that the first creation of a run takes longer */
    double move_beta[XMPI_LINKS]; /* seconds for a byte of data that move; 0: as in messages */
    xmpi_curve_t curve[XMPI_CURVES];
    xmpi_agreement_t agreement[XMPI_AGREEMENTS];
    int classes;
    xmpi_class_speed_t class_speed[XMPI_CLASSES_MAX];
} xmpi_calibration_t;

/* The names of links, curves and agreements, as in the file. */
const char *xmpi_link_name(xmpi_link_class_t link);
const char *xmpi_curve_name(xmpi_curve_kind_t kind);
const char *xmpi_agreement_name(xmpi_agreement_kind_t kind);

/* XMPI_ERR_INPUT, with what is wrong, when a value is no number, negative, or such as no machine
 * has: nothing that fails here may be used for a decision. */
xmpi_status_t xmpi_calibration_check(const xmpi_calibration_t *calibration, xmpi_error_t *error);

/* What is assumed of a machine about which nothing is known: the figures that the thesis measured
 * on its cluster (Tables 6.6 and 6.7). Every run corrects them by what it measures. */
void xmpi_calibration_assume(xmpi_calibration_t *calibration);

/* Seconds for COUNT processes; 0 for none or an unknown curve. */
double xmpi_curve_at(const xmpi_curve_t *curve, int count);

/* Seconds of a message of BYTES. */
double xmpi_link_seconds(const xmpi_link_t *link, double bytes);

/* Speed of the class with this name; 0 when it is not known. */
double xmpi_calibration_speed(const xmpi_calibration_t *calibration, const char *class_name);

#endif
