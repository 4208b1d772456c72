/* SPDX-License-Identifier: BSD-3-Clause
 * The status of a job in one line, and the summary at its end. */
#ifndef XMPIRUN_LINE_H
#define XMPIRUN_LINE_H

#include <stddef.h>

#include "course.h"

/* Fills TEXT with at most COLUMNS characters about STATUS, SECONDS after it came: how far the loop
 * is, how it does, and when the next decision is made. */
void line_of(const cJSON *status, double seconds, int columns, char *text, size_t room);

/* Writes the summary to stderr; nothing where no adaptive loop was seen. */
void summary_print(const course_t *course);

#endif
