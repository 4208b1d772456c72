/* SPDX-License-Identifier: BSD-3-Clause
 * A derived type of rows, and a communicator of the program's own in a struct initialiser. */
#include "ladder.h"

typedef struct {
    MPI_Comm comm;
    int rank, size;
} world_t;

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 40, m = 4;
    MPI_Datatype row;
    MPI_Init(&argc, &argv);
    world_t w = {MPI_COMM_WORLD, 0, 1};
    MPI_Comm_rank(w.comm, &w.rank);
    MPI_Comm_size(w.comm, &w.size);
    MPI_Type_contiguous(m, MPI_DOUBLE, &row);
    MPI_Type_commit(&row);
    int first = (int)((long)n * w.rank / w.size), count = (int)((long)n * (w.rank + 1) / w.size) - first;
    int up = w.rank > 0 ? w.rank - 1 : MPI_PROC_NULL, down = w.rank < w.size - 1 ? w.rank + 1 : MPI_PROC_NULL;
    double *u = calloc(((size_t)count + 2) * (size_t)m, sizeof *u);
    for (int i = 0; i < count * m; i++)
        u[m + i] = sin(first * m + i);
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        MPI_Sendrecv(u + m, 1, row, up, 0, u + (count + 1) * m, 1, row, down, 0, w.comm, MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            for (int j = 0; j < m; j++)
                u[i * m + j] = 0.6 * u[i * m + j] + 0.4 * u[(i + 1) * m + j];
    }
    tell(u + m, count * m);
    MPI_Type_free(&row);
    MPI_Finalize();
    return 0;
}
