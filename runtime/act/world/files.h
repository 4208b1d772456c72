/* SPDX-License-Identifier: BSD-3-Clause
 * Files of MPI that setup opens anew after each change. Closing one is collective among those who
 * have opened it, some of whom may leave: so it is done at the change, while all of them are there.
 * Setup finds MPI_FILE_NULL then, and opens the file for the members that there are. */
#ifndef XMPI_ACT_WORLD_FILES_H
#define XMPI_ACT_WORLD_FILES_H

#include <mpi.h>
#include <stdbool.h>

/* The program has opened FILE, or closed it. The first ends the job where there is no memory to
 * know it. */
void xmpi_files_opened(MPI_File file);
void xmpi_files_closed(MPI_File file);

/* A loop begins: of which variables setup opens the files is told behind this. */
void xmpi_files_forget(void);

/* Setup opens the file of *VARIABLE, which is there until the next loop begins. In the same order
 * on all members. Ends the job where there is no memory. */
void xmpi_files_reopened(MPI_File *variable);

/* Whether one is open, on this process, that others have opened with it, and that a change does not
 * close. */
bool xmpi_files_stay(void);

/* Closes those that are open, at a change; all members that have opened them call this. A file that
 * is deleted when it is closed stays open: it would be another one when it is opened again. */
void xmpi_files_close(void);

#endif
