/* SPDX-License-Identifier: BSD-3-Clause
 * One struct has a copy of a duplicate of the world, which is made again after a change; another is
 * given the world by a function. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct field {
    MPI_Comm comm;
    int rank, size, count, first;
    double *u;
};

static void begin(struct field *f, int n, MPI_Comm comm)
{
    f->comm = comm;
    MPI_Comm_rank(comm, &f->rank);
    MPI_Comm_size(f->comm, &f->size);
    f->first = f->rank * n / f->size;
    f->count = (f->rank + 1) * n / f->size - f->first;
    f->u = calloc((size_t)f->count + 2, sizeof *f->u);
    for (int i = 1; i <= f->count; i++)
        f->u[i] = 1 + 0.1 * ((f->first + i) % 7);
}

static void exchange(double *u, int count, int rank, int size, MPI_Comm comm)
{
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 0, &u[count + 1], 1, MPI_DOUBLE, right, 0, comm,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[count], 1, MPI_DOUBLE, right, 1, &u[0], 1, MPI_DOUBLE, left, 1, comm,
                 MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    struct field f;
    struct {
        MPI_Comm comm;
    } other;
    MPI_Comm made;
    double t = 0, all = 0, largest = 0;
    MPI_Init(&argc, &argv);
    begin(&f, 33, MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    other.comm = made;
    double *v = calloc((size_t)f.count + 2, sizeof *v);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        double m = 0;
        exchange(f.u, f.count, f.rank, f.size, other.comm);
        for (int i = 1; i <= f.count; i++) {
            v[i] = 0.5 * f.u[i] + 0.2 * (f.u[i - 1] + f.u[i + 1]);
            m = v[i] > m ? v[i] : m;
        }
        for (int i = 1; i <= f.count; i++)
            f.u[i] = v[i];
        MPI_Allreduce(&m, &largest, 1, MPI_DOUBLE, MPI_MAX, f.comm);
    }
    for (int i = 1; i <= f.count; i++)
        t += (1 + (f.first + i) % 5) * f.u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, f.comm);
    if (f.rank == 0)
        printf("%.9g %.9g\n", all, largest);
    MPI_Finalize();
    return 0;
}
