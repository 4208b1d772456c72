/* SPDX-License-Identifier: BSD-3-Clause
 * Upwind scheme on a ring; the time step follows from the largest speed of all. */
#include "ladder.h"

typedef struct {
    double *q, *flux;
    int n, lo, hi, left, right;
    double time, dt;
} domain_t;

static void largest(domain_t *d)
{
    double most = 0;
    for (int i = 1; i <= d->hi - d->lo; i++)
        most = fmax(most, fabs(d->q[i]));
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    d->dt = 0.5 / (most + 1);
}

static void exchange(domain_t *d)
{
    int count = d->hi - d->lo;
    MPI_Sendrecv(&d->q[count], 1, MPI_DOUBLE, d->right, 0, &d->q[0], 1, MPI_DOUBLE, d->left, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void update(domain_t *d)
{
    int count = d->hi - d->lo;
    for (int i = 0; i <= count; i++)
        d->flux[i] = 0.5 * d->q[i] * d->q[i];
    for (int i = 1; i <= count; i++)
        d->q[i] -= d->dt * (d->flux[i] - d->flux[i - 1]);
    d->time += d->dt;
}

int main(int argc, char **argv)
{
    int rank, size;
    domain_t d;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    d.n = argc > 1 ? atoi(argv[1]) : 40;
    d.lo = rank * d.n / size;
    d.hi = (rank + 1) * d.n / size;
    d.left = (rank - 1 + size) % size;
    d.right = (rank + 1) % size;
    d.q = malloc((d.hi - d.lo + 1) * sizeof(double));
    d.flux = malloc((d.hi - d.lo + 1) * sizeof(double));
    d.time = 0;
    for (int i = 1; i <= d.hi - d.lo; i++)
        d.q[i] = 1 + 0.5 * sin(0.4 * (d.lo + i));
#pragma xmpi loop
    for (int step = 0; step < 50; step++) {
        largest(&d);
        exchange(&d);
        update(&d);
    }
    if (rank == 0)
        printf("time %.9g\n", d.time);
    tell(d.q + 1, d.hi - d.lo);
    MPI_Finalize();
    return 0;
}
