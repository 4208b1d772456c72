/* SPDX-License-Identifier: BSD-3-Clause
 * xmpi-info: the parts of what a bug report needs. Each prints a section to standard output. */
#ifndef XMPI_INFO_H
#define XMPI_INFO_H

/* Which MPI this installation uses and what it can do, by a process of its own. */
void info_mpi(void);

/* The version text of that MPI, once it has been asked; empty when it did not answer. */
const char *info_mpi_version(void);

/* What PAPI can count here. */
void info_counters(void);

/* The machine, and the nodes of the machine file where the settings name one. */
void info_nodes(void);

/* Whether there is a calibration that runs would use, after info_mpi: one that can be read, has
 * values that a machine can have, and is of this machine and MPI. */
void info_calibration(void);

/* The settings, their values, and where those come from. TOOL_MISUSED when one cannot be used. */
int info_settings(void);

/* The table of settings as a page in Markdown (docs/settings.md). */
void info_settings_page(void);

#endif
