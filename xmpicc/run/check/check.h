/* SPDX-License-Identifier: BSD-3-Clause
 * xmpirun --check: the program as its user would test it. It runs as it is, then with changes at
 * random on both backends, and all that comes of it is compared: output, exit status, files, and
 * the data at the end of its loops. */
#ifndef XMPIRUN_CHECK_H
#define XMPIRUN_CHECK_H

#include "run/job/options.h"

/* The exit status: TOOL_OK: no difference; TOOL_FAILED: a difference; TOOL_MISUSED: nothing could
 * be checked; 128 + n: signal n ended it. */
int check(const options_t *options);

#endif
