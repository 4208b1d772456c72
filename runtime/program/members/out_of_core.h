/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays that the program has said to be out of core: the memory that they may take here, when they
 * go to disk, and what happens when a disk fails. */
#ifndef XMPI_PROGRAM_MEMBERS_OUT_OF_CORE_H
#define XMPI_PROGRAM_MEMBERS_OUT_OF_CORE_H

#include "program/context.h"

/* Where REGISTRY has such arrays: how much memory they have here, by the machine file, else by
 * XMPI_MEMORY, else half of what the control group or the machine has left; members of a node share
 * it. Before a change, and at the begin of a loop. */
void xmpi_out_of_core_choose(xmpi_context_t *context, xmpi_registry_t *registry);

/* What does not fit goes to disk; where that fails the array stays in memory, and a line says so.
 */
void xmpi_out_of_core_follow(xmpi_context_t *context);

/* Ends the job, from which the program can go on by a checkpoint, when a disk did not take data.
 * And what the program waits for where such threads read is I/O from now on. */
void xmpi_out_of_core_check(xmpi_context_t *context);

#endif
