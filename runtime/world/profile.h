/* SPDX-License-Identifier: BSD-3-Clause
 * Profile files: the work of an irregular program, recorded by one run and replayed by others
 * (thesis §5.3.1). Lines of "iteration work", from the begin of the loop on; # begins a comment. */
#ifndef XMPI_WORLD_PROFILE_H
#define XMPI_WORLD_PROFILE_H

#include "decide/profile.h"
#include "status.h"

/* Reads a profile; free it with xmpi_profile_free. XMPI_ERR_INPUT, with the number of the line, for
 * what is none. */
xmpi_status_t xmpi_profile_read(const char *path, xmpi_profile_t *profile, xmpi_error_t *error);
void xmpi_profile_free(xmpi_profile_t *profile);

/* Begins a file, and adds a point to it. */
xmpi_status_t xmpi_profile_begin(const char *path, xmpi_error_t *error);
xmpi_status_t xmpi_profile_append(const char *path, xmpi_profile_point_t point,
                                  xmpi_error_t *error);

#endif
