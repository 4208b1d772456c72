/* SPDX-License-Identifier: BSD-3-Clause
 * Watching the job while it runs: its output, and one line of status on the terminal. */
#ifndef XMPIRUN_LIVE_H
#define XMPIRUN_LIVE_H

#include "course.h"
#include "launch.h"

/* Has the signals that are live_wait's business wait for it; to be called before mpiexec is
 * started, which unblocks them for itself. Their descriptor, or less than 0. */
int live_open_signals(void);

/* Waits for mpiexec and passes its output on; signals that end xmpirun are passed to it. WATCH: ask
 * the job how it is; SHOW: show that on the terminal. The exit status of mpiexec; 128 and the
 * number of the signal where one has told the job to end, and it has not come to its end by itself.
 */
int live_wait(const launch_t *launched, int signals, bool watch, bool show, course_t *course);

void live_free(course_t *course);

#endif
