/* SPDX-License-Identifier: BSD-3-Clause
 * Two structs with fields, whose pointers a function exchanges. */
#include "ladder.h"

typedef struct {
    double *u;
    int first, count;
} field_t;

static void swap(field_t *a, field_t *b)
{
    double *u = a->u;
    a->u = b->u;
    b->u = u;
}

static field_t make(int first, int count)
{
    field_t f = {calloc((size_t)count + 1, sizeof(double)), first, count};
    return f;
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = (int)((long)n * rank / size), count = (int)((long)n * (rank + 1) / size) - first;
    field_t now = make(first, count), next = make(first, count);
    for (int i = 0; i < count; i++)
        now.u[i] = first + i;
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        for (int i = 0; i < now.count; i++)
            next.u[i] = 0.9 * now.u[i] + 0.1 * ((now.first + i) % 7);
        swap(&now, &next);
    }
    tell(now.u, count);
    MPI_Finalize();
    return 0;
}
