/* SPDX-License-Identifier: BSD-3-Clause
 * Time of paced kernels: a kernel computes for real and then sleeps until its modelled time is
 * over, before the program reads its clock. The CPU clock of the process, too, counts the modelled
 * time in place of the real one, so that a paced PE is dedicated unless the script says otherwise.
 */
#ifndef PACE_CLOCK_H
#define PACE_CLOCK_H

#include <time.h>

typedef struct {
    struct timespec wall;
    double cpu; /* seconds */
} pace_start_t;

/* Around the kernel, which does UNITS of work. Ends the program with a line on stderr and status 2
 * where the settings of pace_model.h are wrong. */
pace_start_t pace_begin(void);
void pace_end(pace_start_t start, double units);

#endif
