/* SPDX-License-Identifier: BSD-3-Clause
 * Profile files: the work of an irregular program, recorded by one run and replayed by others
 * (thesis §5.3.1). Lines of "iteration work [part ...]", from the begin of the loop on: the work of
 * all members until then, and how the work since the line before divides over XMPI_PROFILE_PARTS
 * equal parts of the domain (any unit), in all lines or in none. # begins a comment. Before these
 * lines and among them "loop PLACE", "domain ROWS", "counter NAME" and "machine TEXT" say what the
 * profile is of, and "class NAME SPEED" how quick PEs of a class are in it, in units of work per
 * second, and "weights part ..." what rows weigh where that was learnt (decide/density), in the
 * same parts of the domain; of several lines for a class, or of weights, the last one counts. */
#ifndef XMPI_FILES_PROFILE_FILE_H
#define XMPI_FILES_PROFILE_FILE_H

#include "decide/model/profile.h"
#include "base/status.h"

/* Reads a profile; free it with xmpi_profile_free. XMPI_ERR_INPUT, with the number of the line, for
 * what is none. */
xmpi_status_t xmpi_profile_read(const char *path, xmpi_profile_t *profile, xmpi_error_t *error);
void xmpi_profile_free(xmpi_profile_t *profile);

/* TEXT as such a file can say it. */
void xmpi_profile_text(char to[XMPI_PROFILE_TEXT], const char *text);

/* Begins a file, and adds a point, the speed of a class, or what rows weigh to it. PARTS: where the
 * work since the last point was; NULL: not known. */
xmpi_status_t xmpi_profile_begin(const char *path, const xmpi_profile_origin_t *origin,
                                 xmpi_error_t *error);
xmpi_status_t xmpi_profile_append(const char *path, xmpi_profile_point_t point,
                                  const xmpi_profile_parts_t *parts, xmpi_error_t *error);
xmpi_status_t xmpi_profile_append_class(const char *path, const xmpi_class_speed_t *class,
                                        xmpi_error_t *error);
xmpi_status_t xmpi_profile_append_weights(const char *path, const xmpi_profile_parts_t *weight,
                                          xmpi_error_t *error);

#endif
