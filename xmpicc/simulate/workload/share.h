/* SPDX-License-Identifier: BSD-3-Clause
 * Malleable jobs give and take: their leaders say what processing elements are worth, the system
 * decides who has how many (decide/sharing/sharing.h), and their leaders plan the changes. */
#ifndef XMPI_SIMULATE_WORKLOAD_SHARE_H
#define XMPI_SIMULATE_WORKLOAD_SHARE_H

#include "simulate/workload/machine.h"

/* Asks the leaders of all malleable jobs. XMPI_ERR_MEMORY. */
xmpi_status_t sim_share_ask(sim_machine_t *machine, xmpi_error_t *error);

/* How many processing elements JOB, which runs, can give, as far as is known. */
int sim_share_reclaimable(const sim_machine_t *machine, int job);

/* Shares out what the malleable jobs have and what is free, but for those that are PROMISED to
 * others. XMPI_ERR_MEMORY, XMPI_ERR_INTERNAL. */
xmpi_status_t sim_share_out(sim_machine_t *machine, int promised, xmpi_error_t *error);

#endif
