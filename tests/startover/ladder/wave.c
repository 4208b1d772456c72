/* SPDX-License-Identifier: BSD-3-Clause
 * Three time levels, whose pointers change places; file-scope variables throughout. */
#include "ladder.h"

static int me, procs, total, begin, end;
static double *before, *now, *after;

static void setup(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    total = argc > 1 ? atoi(argv[1]) : 40;
    int chunk = (total + procs - 1) / procs;
    begin = me * chunk < total ? me * chunk : total;
    end = begin + chunk < total ? begin + chunk : total;
    before = calloc(end - begin + 2, sizeof(double));
    now = calloc(end - begin + 2, sizeof(double));
    after = calloc(end - begin + 2, sizeof(double));
    for (int i = begin; i < end; i++)
        before[i - begin + 1] = now[i - begin + 1] = sin(0.3 * i);
}

static void step(void)
{
    int count = end - begin, left = me == 0 ? MPI_PROC_NULL : me - 1;
    int right = me == procs - 1 ? MPI_PROC_NULL : me + 1;
    MPI_Sendrecv(now + 1, 1, MPI_DOUBLE, left, 3, now + count + 1, 1, MPI_DOUBLE, right, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(now + count, 1, MPI_DOUBLE, right, 4, now, 1, MPI_DOUBLE, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 1; i <= count; i++)
        after[i] = 2 * now[i] - before[i] + 0.2 * (now[i - 1] - 2 * now[i] + now[i + 1]);
    double *oldest = before;
    before = now;
    now = after;
    after = oldest;
}

int main(int argc, char **argv)
{
    setup(argc, argv);
#pragma xmpi loop
    for (int t = 0; t < 40; t++)
        step();
    tell(now + 1, end - begin);
    MPI_Finalize();
    return 0;
}
