/* SPDX-License-Identifier: BSD-3-Clause
 * The model behind emulated speeds: how long a piece of work takes on which node.
 *
 * Settings, from the environment:
 *   EMU_SPEEDS     CLASS=SPEED,... for every processor class
 *   EMU_KAPPA      seconds that one unit of work takes at speed 1
 *   XMPI_NODE      the node of this process
 *   EMU_MACHINES   the machine file, which gives the class of each node; without it, that of
 *   XMPI_MACHINES  which a test may change while the program runs */
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

#endif
