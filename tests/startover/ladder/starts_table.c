/* SPDX-License-Identifier: BSD-3-Clause
 * Rows from starts[rank] to starts[rank + 1], an entry of a table that a function fills. */
#include "ladder.h"

static int rank, size, n, *starts;
static double *u, *v;

static void divide(void)
{
    starts = malloc(((size_t)size + 1) * sizeof *starts);
    for (int r = 0; r <= size; r++)
        starts[r] = (int)((long)n * r / size);
}

static void step(int k)
{
    for (int i = 0; i < starts[rank + 1] - starts[rank]; i++)
        v[i] = 0.9 * u[i] + 0.1 * ((starts[rank] + i + k) % 3);
    for (int i = 0; i < starts[rank + 1] - starts[rank]; i++)
        u[i] = v[i];
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = argc > 1 ? atoi(argv[1]) : 40;
    divide();
    u = malloc(((size_t)(starts[rank + 1] - starts[rank]) + 1) * sizeof *u);
    v = malloc(((size_t)(starts[rank + 1] - starts[rank]) + 1) * sizeof *v);
    for (int i = 0; i < starts[rank + 1] - starts[rank]; i++)
        u[i] = starts[rank] + i;
#pragma xmpi loop
    for (int k = 0; k < 30; k++)
        step(k);
    tell(u, starts[rank + 1] - starts[rank]);
    MPI_Finalize();
    return 0;
}
