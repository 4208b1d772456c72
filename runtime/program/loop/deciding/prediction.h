/* SPDX-License-Identifier: BSD-3-Clause
 * What the prediction model needs in a run: its calibration, profiles of earlier runs, and
 * recording them. */
#ifndef XMPI_PROGRAM_LOOP_DECIDING_PREDICTION_H
#define XMPI_PROGRAM_LOOP_DECIDING_PREDICTION_H

#include "program/context.h"

/* Gets the calibration at the begin of a loop: from its file, else by measuring a short form.
 * Collective over the members. */
void xmpi_prediction_open(xmpi_context_t *context);

/* At the begin of an interval: what the own rows weigh, where a profile is recorded. */
void xmpi_prediction_weigh(xmpi_context_t *context);

/* At the end of an interval of which a profile is recorded: tells the leader where in the domain
 * the work of MINE, this member's sample, was. Collective over the members. */
void xmpi_prediction_collect(xmpi_context_t *context, const xmpi_sample_t *mine);

/* The profile of the settings, without points when there is none. A file that cannot be read is one
 * line on stderr, once. At the leader. */
const xmpi_profile_t *xmpi_prediction_profile(xmpi_context_t *context);

/* Writes the work until now to the profile that is recorded, if one is, and what the STEP has
 * learnt of rows. At the leader. */
void xmpi_prediction_record(xmpi_context_t *context, const xmpi_step_t *step);

/* The end of the loop: the leader writes the errors of the predictions to stderr when asked to. */
void xmpi_prediction_close(xmpi_context_t *context);

#endif
