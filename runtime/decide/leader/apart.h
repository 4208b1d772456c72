/* SPDX-License-Identifier: BSD-3-Clause
 * How far checkpoints are apart, where the user leaves it open. */
#ifndef XMPI_DECIDE_LEADER_APART_H
#define XMPI_DECIDE_LEADER_APART_H

/* Seconds from one checkpoint to the next where one takes STALL seconds of the program and WRITING
 * in all, and failures are MTBF seconds apart: the optimum of Daly 2006 (A higher order estimate of
 * the optimum checkpoint interval for restart dumps, eq. 37), of which Young 1974 is the first
 * term; but the disk has as long a rest as it has worked. All are finite and not negative. */
double xmpi_checkpoints_apart(double stall, double writing, double mtbf);

#endif
