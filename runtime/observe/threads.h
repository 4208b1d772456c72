/* SPDX-License-Identifier: BSD-3-Clause
 * Threads of the program that call MPI beside the one that runs the loop (MPI_THREAD_MULTIPLE). A
 * change takes place at a point of the loop, where those that were started in an iteration and have
 * ended in it are gone. One that goes on would be in a communicator of before. */
#ifndef XMPI_OBSERVE_THREADS_H
#define XMPI_OBSERVE_THREADS_H

#include <stdbool.h>

/* Whether other threads than the one of MPI_Init may call MPI at all. */
extern bool xmpi_threads_several;

/* Behind MPI_Init, by the thread that has called it. */
void xmpi_threads_begin(void);

/* The caller is about to call MPI. */
void xmpi_threads_note(void);

/* How many others have called MPI and have not ended. */
int xmpi_threads_others(void);

#endif
