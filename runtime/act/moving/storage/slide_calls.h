/* SPDX-License-Identifier: BSD-3-Clause
 * Calls for memory that know of slides. */
#ifndef XMPI_ACT_MOVING_SLIDE_CALLS_H
#define XMPI_ACT_MOVING_SLIDE_CALLS_H

#include <stdbool.h>

/* Whether the process frees memory by the functions here, and not by those of Valgrind, a
 * sanitizer, a program or another library in front of this one. Not from several threads at once.
 */
bool xmpi_slide_calls_are_ours(void);

#endif
