/* SPDX-License-Identifier: BSD-3-Clause
 * Profile: the work of an irregular program by iteration, as an earlier run recorded it (thesis
 * §5.3.1), and where in the domain it is, which the thesis's profiles do not say: work that wanders
 * from member to member changes the time of the slowest one, not the sum. */
#ifndef XMPI_DECIDE_MODEL_PROFILE_H
#define XMPI_DECIDE_MODEL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decide/layout/layout.h"
#include "decide/model/calibration.h"

/* Equal parts of the domain. */
enum { XMPI_PROFILE_PARTS = 128, XMPI_PROFILE_TEXT = 256 };

/* Between two points work goes on evenly, beyond the last one as before it. */
typedef struct {
    int64_t iteration; /* rising */
    double work;       /* from the begin of the loop to this iteration, all members; never falls */
} xmpi_profile_point_t;

/* Work in each part of the domain. */
typedef struct {
    double work[XMPI_PROFILE_PARTS];
} xmpi_profile_parts_t;

/* What a profile is of: the place of the loop, what counts work, and the machine of the leader. */
typedef struct {
    int64_t domain;               /* rows; 0: not recorded, like empty texts */
    char loop[XMPI_PROFILE_TEXT]; /* texts in one line, without # */
    char counter[XMPI_PROFILE_TEXT];
    char machine[XMPI_PROFILE_TEXT];
} xmpi_profile_origin_t;

typedef struct {
    int points;
    xmpi_profile_point_t *point; /* malloc */
    xmpi_profile_parts_t *parts; /* of each point, work until then; malloc; NULL: not recorded */
    bool weighed;                /* what rows weigh was learnt, as nobody has said it: */
    xmpi_profile_parts_t weight; /* in each part, in any unit */
    xmpi_profile_origin_t origin;
    int classes; /* of PEs, where nobody else took of them: units of work per second */
    xmpi_class_speed_t class_speed[XMPI_CLASSES_MAX];
} xmpi_profile_t;

/* Whether the profile is of what runs HERE; else WHY says of what else, for people. Of another
 * machine it is as well as of this one, but for the speeds of classes. */
bool xmpi_profile_is_of(const xmpi_profile_t *profile, const xmpi_profile_origin_t *here, char *why,
                        size_t room);

/* Speed of the class with this name in the program, on the machine HERE; 0: not known. */
double xmpi_profile_speed(const xmpi_profile_t *profile, const xmpi_profile_origin_t *here,
                          const char *class_name);

/* Work from iteration FROM to iteration TO. */
double xmpi_profile_work(const xmpi_profile_t *profile, int64_t from, int64_t to);

/* Shares of the work from iteration FROM to iteration TO that lie before each part of the domain:
 * XMPI_PROFILE_PARTS + 1 numbers from 0 to 1. False when that is not known. */
bool xmpi_profile_shares(const xmpi_profile_t *profile, int64_t from, int64_t to, double *before);

/* The same of what was learnt of rows. False where nothing was. */
bool xmpi_profile_weights(const xmpi_profile_t *profile, double *before);

/* Makes PARTS what rows weigh by the DOMAIN + 1 sums of PREFIX. */
void xmpi_profile_take_weights(const double *prefix, int64_t domain, xmpi_profile_parts_t *parts);

/* The share of the rows of BLOCK, of DOMAIN rows. */
double xmpi_profile_share(const double *before, int64_t domain, const xmpi_block_t *block);

/* How many times as long as all work by all speed it takes N members of these SPEEDS (relative
 * powers) to do the work from iteration FROM to TO, when at the end of every INTERVAL iterations
 * they divide the domain by where the work was then: what wanders is behind. Between points that
 * are further apart than that it wanders evenly. 1 when that is not known. */
double xmpi_profile_imbalance(const xmpi_profile_t *profile, int64_t from, int64_t to,
                              int64_t interval, int n, const double *speeds);

/* Adds the WORK that the rows of BLOCK were in an interval to the PARTS. It is divided among them
 * by the means of what they weighed at its BEGIN and at its END, in any unit: exactly where that
 * changes evenly, else with an error that goes by the square of the length. */
void xmpi_profile_add_rows(xmpi_profile_parts_t *parts, int64_t domain, const xmpi_block_t *block,
                           const double *begin, const double *end, double work);

#endif
