/* SPDX-License-Identifier: BSD-3-Clause
 * Schedule files (thesis §5.4.1): when to grow and shrink, by how many processes of which class. */
#ifndef XMPI_FILES_SCHEDULE_FILE_H
#define XMPI_FILES_SCHEDULE_FILE_H

#include "base/status.h"
#include "decide/layout/resources.h"
#include "decide/policy/schedule.h"

/* Reads lines of "spawn|remove PROCESSES CLASS|any ITERATION", or of "layout LOOP ITERATION
 * PE:ROWS..." (decide/planning/appointments.h). One line in ERROR, with the number of the file's
 * line, when something is wrong. */
xmpi_status_t xmpi_schedule_read(const char *path, const xmpi_resources_t *resources,
                                 xmpi_schedule_t *schedule, xmpi_error_t *error);

/* XMPI_ERR_INPUT when an action asks for more processes than there are, or would remove more than
 * may leave, beginning with MEMBERS members. */
xmpi_status_t xmpi_schedule_check(const char *path, const xmpi_schedule_t *schedule,
                                  const xmpi_resources_t *resources, int members,
                                  xmpi_error_t *error);

#endif
