/* SPDX-License-Identifier: BSD-3-Clause
 * Goals as people write them. */
#ifndef XMPI_SETTINGS_GOAL_TEXT_H
#define XMPI_SETTINGS_GOAL_TEXT_H

#include <time.h>

#include "decide/policy/goal.h"
#include "base/status.h"

/* Reads "30%" (less than the static time), "90", "90s", "1h30m" (after the start of the program),
 * "2026-05-31T18:00" and "18:00[:30]" (local time, the next after NOW); "" is no goal. The ERROR of
 * XMPI_ERR_INPUT names XMPI_GOAL. */
xmpi_status_t xmpi_goal_parse(const char *text, time_t now, xmpi_goal_t *goal, xmpi_error_t *error);

#endif
