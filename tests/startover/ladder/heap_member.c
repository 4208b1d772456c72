/* SPDX-License-Identifier: BSD-3-Clause
 * A fixed-size member of a struct on the heap, broadcast as bytes. */
#include "ladder.h"

typedef struct {
    double weight[3], t;
} model_t;

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    model_t *model = calloc(1, sizeof *model);
    if (rank == 0)
        for (int i = 0; i < 3; i++)
            model->weight[i] = 0.3 - 0.1 * i;
    MPI_Bcast(model, (int)sizeof *model, MPI_BYTE, 0, MPI_COMM_WORLD);
    int first = n * rank / size, count = n * (rank + 1) / size - first;
    double *u = malloc(((size_t)count + 1) * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = first + i;
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        for (int i = 0; i < count; i++)
            u[i] = model->weight[k % 3] * u[i] + model->t;
        model->t += 0.25;
    }
    tell(u, count);
    MPI_Finalize();
    return 0;
}
