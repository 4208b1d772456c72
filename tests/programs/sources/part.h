#ifndef PART_H
#define PART_H

#include <mpi.h>

static struct {
    int n, first, rows, rank, size, next;
} part;

static inline void part_init(int n)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &part.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &part.size);
    part.n = n;
    part.first = n * part.rank / part.size;
    part.rows = n * (part.rank + 1) / part.size - part.first;
    part.next = (part.rank + 1) % part.size;
}

#endif
