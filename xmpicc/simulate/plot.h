/* SPDX-License-Identifier: BSD-3-Clause
 * What came of the runs of a scenario, as a figure. */
#ifndef XMPI_SIMULATE_PLOT_H
#define XMPI_SIMULATE_PLOT_H

#include "simulate/sweep.h"

/* Draws the seconds of each technique over the points, with their confidence intervals, into the
 * SVG file PATH; by node. Exit status of the command. */
int sim_plot(const sim_sweep_t *sweep, const char *path);

#endif
