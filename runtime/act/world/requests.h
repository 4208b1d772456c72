/* SPDX-License-Identifier: BSD-3-Clause
 * Persistent requests of the program. Each holds the communicator that it is for: the world could
 * not be left (MPI_Comm_disconnect waits for them), and their buffers and partners are those of the
 * old layout. So a change frees all of them, and setup makes them again. */
#ifndef XMPI_ACT_WORLD_REQUESTS_H
#define XMPI_ACT_WORLD_REQUESTS_H

#include <mpi.h>
#include <stdbool.h>

/* REQUEST has been made by a call MPI_*_init. Ends the job where there is no memory to know it. */
void xmpi_requests_made(const MPI_Request *request, bool collective);

/* There are both of messages and of collective operations. MPICH (4.0) waits for ever for one of a
 * collective operation that it makes where it has freed one of messages. */
bool xmpi_requests_mixed(void);

/* CALL starts these N. Ends the job when a change has freed one of them and nothing has made it
 * again. */
void xmpi_requests_started(int n, const MPI_Request *request, const char *call);

/* Frees all at a change. Ends the job when one is active: what it receives would be lost. */
void xmpi_requests_free(void);

/* Frees those that the program has left at the end, and the list. */
void xmpi_requests_close(void);

#endif
