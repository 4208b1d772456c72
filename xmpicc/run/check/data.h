/* SPDX-License-Identifier: BSD-3-Clause
 * Comparing what the data were at the end of the loops of two runs. */
#ifndef XMPIRUN_CHECK_DATA_H
#define XMPIRUN_CHECK_DATA_H

#include "run/check/story.h"
#include "run/check/text.h"

/* What is known of values by their names. */
typedef struct {
    cJSON *names;  /* that are not compared, as they differ from run to run: an array, or NULL */
    cJSON *spread; /* how far apart others may be: an object with numbers, or NULL */
} varying_t;

/* Compares the data of STORY with those of REFERENCE. Floating values may differ by TOLERANCE
 * relative to the norm of the array; 0: by the precision of the values. */
comparison_t data_compare(const story_t *reference, const story_t *story, const varying_t *varying,
                          double tolerance);

/* Notes what differs between two runs that should be alike. */
void data_note_varying(const story_t *reference, const story_t *again, double tolerance,
                       varying_t *varying);

/* Takes for rounding what another direction of rounding comes to as well: up to ten times the
 * difference. */
void data_note_spread(const story_t *reference, const story_t *other, varying_t *varying);

void varying_free(varying_t *varying);

/* How many values there are in all, and the tolerance for the least precise of them. */
int data_values(const story_t *story);
double data_tolerance(const story_t *story);

#endif
