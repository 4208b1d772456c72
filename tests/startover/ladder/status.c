/* SPDX-License-Identifier: BSD-3-Clause
 * A start of which rank 0 tells the others how it has gone: all return where it has not. */
#include "ladder.h"

struct part {
    int n, first, count, *counts, *firsts;
    double *all, *own;
};

/* What rank 0 is told, or has found. */
static int read_size(int argc, char **argv, int *n)
{
    *n = argc > 1 ? atoi(argv[1]) : 60;
    return *n > 0 ? 0 : -1;
}

static int prepare(struct part *p, int argc, char **argv, MPI_Comm comm)
{
    int rank, size, status = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (rank == 0)
        status = read_size(argc, argv, &p->n);
    MPI_Bcast(&status, 1, MPI_INT, 0, comm);
    if (status != 0)
        return status;
    MPI_Bcast(&p->n, 1, MPI_INT, 0, comm);
    p->counts = malloc(size * sizeof(int));
    p->firsts = malloc(size * sizeof(int));
    for (int r = 0; r < size; r++) {
        p->firsts[r] = (int)((long)p->n * r / size);
        p->counts[r] = (int)((long)p->n * (r + 1) / size) - p->firsts[r];
    }
    p->first = p->firsts[rank];
    p->count = p->counts[rank];
    p->all = malloc(p->n * sizeof(double));
    p->own = malloc(p->count * sizeof(double) + 1);
    for (int i = 0; i < p->n; i++)
        p->all[i] = i * 3 % 17;
    return 0;
}

static void smooth(struct part *p, MPI_Comm comm)
{
    for (int i = 0; i < p->count; i++)
        p->own[i] = (p->all[p->first + i] + p->all[(p->first + i + 1) % p->n] +
                     p->all[(p->first + i + p->n - 1) % p->n]) /
                    3;
    MPI_Allgatherv(p->own, p->count, MPI_DOUBLE, p->all, p->counts, p->firsts, MPI_DOUBLE, comm);
}

int main(int argc, char **argv)
{
    struct part p;
    MPI_Init(&argc, &argv);
    int status = prepare(&p, argc, argv, MPI_COMM_WORLD);
    if (status != 0) {
        MPI_Finalize();
        return 1;
    }
#pragma xmpi loop
    for (int t = 0; t < 30; t++)
        smooth(&p, MPI_COMM_WORLD);
    tell(p.all + p.first, p.count);
    MPI_Finalize();
    return 0;
}
