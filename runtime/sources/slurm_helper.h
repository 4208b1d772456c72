/* SPDX-License-Identifier: BSD-3-Clause
 * The helper that talks to Slurm for the leader, by a process of its own (xmpicc/slurm/xmpi-slurm):
 * Slurm's commands may take seconds, and hang where the controller does. It tells what there is,
 * and hears requests, by a socket; nothing here waits for it but xmpi_slurm_helper_wait. One in a
 * process, as it leads or does not. */
#ifndef XMPI_SOURCES_SLURM_HELPER_H
#define XMPI_SOURCES_SLURM_HELPER_H

#include <stdbool.h>

#include "base/status.h"
#include "decide/layout/resources.h"
#include "settings/settings.h"

/* Starts it, where there is none. XMPI_ERR_INPUT: it cannot be; it is not tried again. */
xmpi_status_t xmpi_slurm_helper_start(const xmpi_settings_t *settings, xmpi_error_t *error);

/* Waits for its first answer, for as long as calls wait (XMPI_TIMEOUT). XMPI_ERR_INPUT: there is
 * none. */
xmpi_status_t xmpi_slurm_helper_wait(const xmpi_settings_t *settings, xmpi_error_t *error);

/* How many answers there have been, here; each says something else than the one before. */
long long xmpi_slurm_helper_answers(void);

/* The nodes of the last answer, in RESOURCES (empty before), with the SWITCHES that they are behind
 * where these are wanted and Slurm knows them. Those that are to be left are withdrawn and have a
 * deadline; those that have been given back are not there. Prints what Slurm has refused. */
xmpi_status_t xmpi_slurm_helper_read(xmpi_resources_t *resources, bool switches,
                                     xmpi_error_t *error);

/* Asks for nodes with at least PES processing elements in all; or, from now on, for nodes that are
 * IDLE while nobody waits for any, up to as many. What becomes of it the next answers tell. */
xmpi_status_t xmpi_slurm_helper_ask(int pes, bool idle, xmpi_error_t *error);

/* The program has left NODE, or is about to, and uses it no more. */
xmpi_status_t xmpi_slurm_helper_give_back(const char *node, xmpi_error_t *error);

/* This process leads no more, or, where it has ENDED, the program is over: all that was asked for
 * is given back when nothing runs there. Does not wait. */
void xmpi_slurm_helper_leave(bool ended);

#endif
