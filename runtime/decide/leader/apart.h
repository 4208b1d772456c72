/* SPDX-License-Identifier: BSD-3-Clause
 * How far checkpoints are apart, where the user leaves it open. */
#ifndef XMPI_DECIDE_LEADER_APART_H
#define XMPI_DECIDE_LEADER_APART_H

/* Seconds from one checkpoint to the next where one takes STALL seconds of the program and WRITING
 * in all, and failures are MTBF seconds apart: the optimum of Daly 2006 (A higher order estimate of
 * the optimum checkpoint interval for restart dumps, eq. 37), of which Young 1974 is the first
 * term; but the disk has as long a rest as it has worked. All are finite and not negative. */
double xmpi_checkpoints_apart(double stall, double writing, double mtbf);

/* The same from the last one to the next, where that has been taken RUN seconds after the start.
 * MTBF is of machines; what has only just begun is killed sooner, by its mistakes, its limits and
 * its user. So until that optimum comes the next is due when the run is twice as long: who is
 * killed has lost half of it at most, for a number of checkpoints that goes by its logarithm. But
 * the program does not stand still for more than a hundredth of the time. */
double xmpi_checkpoints_apart_after(double run, double stall, double writing, double mtbf);

#endif
