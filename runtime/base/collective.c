/* SPDX-License-Identifier: BSD-3-Clause
 * Collective operations of the runtime's own, compared. */
#define XMPI_COLLECTIVE_PLAIN
#include "base/collective.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/misuse.h"

bool xmpi_collective_compared;

/* What a process is about to do. Plain data. */
typedef struct {
    int64_t number; /* of this communicator */
    char what[120];
} step_t;

/* Counts in an attribute of the communicator, which its duplicates do not inherit. */
static int64_t count(MPI_Comm comm)
{
    static int key = MPI_KEYVAL_INVALID;
    void *number = NULL;
    int found;
    if (key == MPI_KEYVAL_INVALID)
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    PMPI_Comm_get_attr(comm, key, (void *)&number, &found);
    intptr_t next = (found ? (intptr_t)number : 0) + 1;
    PMPI_Comm_set_attr(comm, key, (void *)next);
    return next;
}

static void compare(const step_t *steps, int size)
{
    for (int i = 1; i < size; i++)
        if (memcmp(&steps[i], &steps[0], sizeof *steps) != 0)
            xmpi_misuse("collective operation %lld is %s here, and %lld is %s on rank %d",
                        (long long)steps[0].number, steps[0].what, (long long)steps[i].number,
                        steps[i].what, i);
}

void xmpi_collective_compare(MPI_Comm comm, const char *what)
{
    int rank, size;
    step_t mine = {0};
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    if (size == 1)
        return;
    mine.number = count(comm);
    snprintf(mine.what, sizeof mine.what, "%s", what);
    step_t *all = rank == 0 ? calloc((size_t)size, sizeof *all) : NULL;
    if (rank == 0 && all == NULL)
        xmpi_misuse("no memory to compare %d processes", size);
    PMPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0, comm);
    if (rank == 0)
        compare(all, size);
    free(all);
}
