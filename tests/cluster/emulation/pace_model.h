/* SPDX-License-Identifier: BSD-3-Clause
 * The model behind emulated speeds: how long a piece of work takes on which node.
 *
 * Settings, from the environment:
 *   EMU_SPEEDS     CLASS=SPEED,... for every processor class
 *   EMU_KAPPA      seconds that one unit of work takes at speed 1
 *   XMPI_NODE      the node of this process
 *   EMU_MACHINES   the machine file, which gives the class of each node; without it, that of
 *   XMPI_MACHINES  which a test may change while the program runs
 *   EMU_SCRIPT     a file of changes while the program runs, may be unset: lines of
 *                      WHEN NODE [speed=FACTOR] [load=N]
 *                  from WHEN on, the node's PEs have FACTOR times their speed, and N other
 * processes want each of them. WHEN is a number of kernels of the process ("120i") or of seconds
 * ("3.5s"). A line takes the place of earlier ones; # begins a comment EMU_STARTED    seconds of
 * the real-time clock from which those of the script count */
#ifndef PACE_MODEL_H
#define PACE_MODEL_H

enum { PACE_WHY = 512, PACE_NAME = 64 };

/* What is wrong, in one line. */
typedef struct {
    char text[PACE_WHY];
} pace_why_t;

/* The speed of CLASS in a list like "C1=1.90,C7=2.25". 0, or -1 with WHY. */
int pace_speed(const char *speeds, const char *class, double *speed, pace_why_t *why);

/* The speed of NODE, by its class in the machine file MACHINES. A class without a speed is refused
 * on every node, so that either all processes of a program go on or none. 0, or -1 with WHY. */
int pace_node(const char *machines, const char *speeds, const char *node, double *speed,
              pace_why_t *why);

/* Seconds of one unit of work on the node of this process. 0, or -1 with WHY. */
int pace_unit(double *seconds, pace_why_t *why);

/* How a node is at a moment. */
typedef struct {
    double speed; /* times that of its class */
    double load;
} pace_state_t;

/* The state of NODE by the script in the file SCRIPT, after KERNELS and SECONDS. 0, or -1 with WHY,
 * which names the line. */
int pace_state(const char *script, const char *node, long kernels, double seconds,
               pace_state_t *state, pace_why_t *why);

/* What a kernel takes. */
typedef struct {
    double wall, cpu; /* seconds */
} pace_time_t;

/* The time of UNITS of work in a kernel, the KERNEL-th from 0 on, on the node of this process now.
 * Others that want the PE get their share of it. 0, or -1 with WHY. */
int pace_time(double units, long kernel, pace_time_t *time, pace_why_t *why);

#endif
