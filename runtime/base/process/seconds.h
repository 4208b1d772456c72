/* SPDX-License-Identifier: BSD-3-Clause
 * Seconds, as the system's clocks count them. What the program's time is measured by is
 * observe/clock.h. */
#ifndef XMPI_BASE_PROCESS_SECONDS_H
#define XMPI_BASE_PROCESS_SECONDS_H

/* Since a moment that lies before all else; never set back. For limits and durations. */
double xmpi_seconds_now(void);

/* Since 1970. */
double xmpi_seconds_epoch(void);

/* That this process has computed, all of its threads. */
double xmpi_seconds_cpu(void);

#endif
