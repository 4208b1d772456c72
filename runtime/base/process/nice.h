/* SPDX-License-Identifier: BSD-3-Clause
 * Work that the program is not to wait for. */
#ifndef XMPI_BASE_PROCESS_NICE_H
#define XMPI_BASE_PROCESS_NICE_H

/* The calling thread has processors when nobody else wants them. Not the first one of the process,
 * which is the program's, and does the work where there is no thread for it. */
void xmpi_be_nice(void);

#endif
