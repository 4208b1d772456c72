/* SPDX-License-Identifier: BSD-3-Clause
 * Calls for memory that know of slides. */
#ifndef XMPI_ACT_MOVING_SLIDE_CALLS_H
#define XMPI_ACT_MOVING_SLIDE_CALLS_H

#include <stdbool.h>

/* Whether the process frees memory by the functions here, and not by those of a sanitizer, a
 * program's or another library's in front of this one. */
bool xmpi_slide_calls_are_ours(void);

#endif
