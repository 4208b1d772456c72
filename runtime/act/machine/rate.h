/* SPDX-License-Identifier: BSD-3-Clause
 * How quick a CPU is: a short kernel of our own, by the CPU time that it takes, so that others who
 * want the CPU make it no slower. */
#ifndef XMPI_ACT_MACHINE_RATE_H
#define XMPI_ACT_MACHINE_RATE_H

/* Seconds of CPU time that a measurement takes, about. */
extern const double xmpi_rate_seconds;

/* Millions of additions and multiplications per second of CPU time, of numbers that fit into the
 * nearest cache; 0 where there is no clock. */
double xmpi_rate_measure(void);

#endif
