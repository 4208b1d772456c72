/* SPDX-License-Identifier: BSD-3-Clause
 * Calls that make persistent requests, to be made again. The table is generated
 * (observe/translate_handles.awk). */
#ifndef XMPI_ACT_HANDLES_AGAIN_H
#define XMPI_ACT_HANDLES_AGAIN_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *name;
    const char *kinds; /* of its arguments: C T O handles, S R arrays of types, . others */
    bool neighbors;
    int (*make)(const int64_t *word, const MPI_Datatype *sent, const MPI_Datatype *received,
                MPI_Request *request);
} xmpi_again_t;

extern const xmpi_again_t xmpi_again[];

#endif
