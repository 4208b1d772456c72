/* SPDX-License-Identifier: BSD-3-Clause
 * Calls with the MPI's own handles and with ours, in turns: what a call takes longer in a program
 * that can move, and what a wrapper takes that does nothing else in one that cannot.
 *
 * Usage: handles_calls BATCHES. Prints for each batch "call SECONDS", "request SECONDS" and
 * "off SECONDS".
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "act/handles/handles.h"
#include "act/handles/table/table.h"

enum { CALLS = 4000, MESSAGES = 500 };

typedef struct {
    MPI_Comm comm;
    MPI_Datatype type;
} objects_t;

static objects_t make(bool on)
{
    objects_t made;
    xmpi_handles.on = on;
    MPI_Comm_dup(MPI_COMM_SELF, &made.comm);
    MPI_Type_contiguous(2, MPI_DOUBLE, &made.type);
    MPI_Type_commit(&made.type);
    return made;
}

/* A call with two handles, which does next to nothing. */
static double seconds_of_call(bool on, const objects_t *objects)
{
    int size;
    xmpi_handles.on = on;
    double start = MPI_Wtime();
    for (int i = 0; i < CALLS; i++)
        MPI_Pack_size(1, objects->type, objects->comm, &size);
    return (MPI_Wtime() - start) / CALLS;
}

/* Of three calls: two requests, and waiting for them. */
static double seconds_of_requests(bool on, const objects_t *objects)
{
    double in[2] = {1, 2}, out[2];
    xmpi_handles.on = on;
    double start = MPI_Wtime();
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Request request[2];
        MPI_Irecv(out, 1, objects->type, 0, 1, objects->comm, &request[0]);
        MPI_Isend(in, 1, objects->type, 0, 1, objects->comm, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    return (MPI_Wtime() - start) / MESSAGES / 3;
}

static double seconds_bare(const objects_t *objects)
{
    int size;
    double start = MPI_Wtime();
    for (int i = 0; i < CALLS; i++)
        PMPI_Pack_size(1, objects->type, objects->comm, &size);
    return (MPI_Wtime() - start) / CALLS;
}

int main(int argc, char **argv)
{
    int batches = argc > 1 ? atoi(argv[1]) : 100;
    MPI_Init(&argc, &argv);
    xmpi_handles_begin();
    objects_t theirs = make(false), ours = make(true);
    for (int i = 0; i < batches; i++) {
        double bare = seconds_bare(&theirs), off = seconds_of_call(false, &theirs);
        printf("call %.12f\n", seconds_of_call(true, &ours) - off);
        printf("off %.12f\n", off - bare);
        off = seconds_of_requests(false, &theirs);
        printf("request %.12f\n", seconds_of_requests(true, &ours) - off);
    }
    MPI_Finalize();
    return 0;
}
