/* SPDX-License-Identifier: BSD-3-Clause
 * XMPI: adaptive MPI programs. The public header.
 *
 * Programs that are compiled with xmpicc and carry a pragma need nothing from here; it is for those
 * that want to ask the runtime something. Names are those of the FLEX-MPI thesis (Tables 4.1, 5.1).
 *
 * Every function may be called between MPI_Init and MPI_Finalize and returns MPI_SUCCESS, or
 * MPI_ERR_ARG for a pointer that is NULL. */
#ifndef XMPI_H
#define XMPI_H

#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
XMPI_EXPORT "C"
{
#endif

/* MAJOR * 10000 + MINOR * 100 + PATCH. */
#define XMPI_VERSION_NUM 100

/* The current world. In code compiled by xmpicc MPI_COMM_WORLD means the same. */
#define XMPI_COMM_WORLD MPI_COMM_WORLD

/* Status of a process (XMPI_Get_process_status). */
#define XMPI_RUNNING_PROCESS 0 /* a member of the program */
#define XMPI_NEWLY_SPAWNED 1   /* called in, has not joined the others yet */

    int XMPI_Get_process_status(int *status);

    /* Rows of the domain that the process with this RANK owns at present: COUNT rows from row DISPL
     * on (thesis §4.5.2; 64-bit where the thesis has int, and the number of processes is known).
     * Before the adaptive loop, and for a rank that does not exist, MPI_ERR_RANK. */
    int XMPI_Get_wsize(int rank, int64_t *count, int64_t *displ);

#ifdef __cplusplus
}
#endif
#endif
