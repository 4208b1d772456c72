/* SPDX-License-Identifier: BSD-3-Clause
 * The rank divided by a number, and what remains, are the place of a process in a grid. */
/* None: number stays: state(...) names rows, not the parts of a grid */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int px, py, m, rank;
    double *now, *next;
} part_t;

static void place(int rank, int side, int *row, int *column)
{
    *column = rank % side;
    *row = (rank - *column) / side;
}

static double step(const part_t *p, int n)
{
    double most = 0;
    for (int i = 1; i <= p->m; i++)
        for (int j = 1; j <= p->m; j++) {
            const double *at = p->now + i * (p->m + 2) + j;
            const int y = p->py * p->m + i, x = p->px * p->m + j;
            p->next[i * (p->m + 2) + j] =
                (at[-1] + at[1] + at[-p->m - 2] + at[p->m + 2]) / 4 + (x + y) % n * 1e-3;
            most = fmax(most, fabs(p->next[i * (p->m + 2) + j] - *at));
        }
    return most;
}

int main(int argc, char **argv)
{
    int size, side, n = argc > 1 ? atoi(argv[1]) : 64;
    part_t p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    side = (int)(sqrt(size) + 0.5);
    if (side * side != size)
        side = 1;
    place(p.rank, side, &p.py, &p.px);
    p.m = n / side;
    p.now = calloc((p.m + 2) * (p.m + 2), sizeof(double));
    p.next = calloc((p.m + 2) * (p.m + 2), sizeof(double));
    double most = 1, all = 1;
    int t = 0;
#pragma xmpi loop
    while (t < 50 && all > 1e-6) {
        most = step(&p, n);
        MPI_Allreduce(&most, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        double *other = p.now;
        p.now = p.next, p.next = other;
        t++;
    }
    if (p.rank == 0)
        printf("%.9e\n", all);
    MPI_Finalize();
    return 0;
}
