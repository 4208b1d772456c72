/* SPDX-License-Identifier: BSD-3-Clause
 * Two structs with fields, which one file makes, another one steps, and whose pointers a function
 * of the first exchanges. Files have names of their own in common. */
#include "../ladder.h"
#include "step.h"

enum { PERIOD = 3 };

static int source(int argc, char **argv)
{
    return argc > 1 ? atoi(argv[1]) : 40 * PERIOD;
}

int main(int argc, char **argv)
{
    int rank, size, n = source(argc, argv);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = (int)((long)n * rank / size), count = (int)((long)n * (rank + 1) / size) - first;
    field_t now = field_make(first, count), next = field_make(first, count);
    for (int i = 0; i < count; i++)
        now.u[i] = first + i;
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        step(&now, &next);
        field_swap(&now, &next);
    }
    tell(now.u, count);
    MPI_Finalize();
    return 0;
}
