/* SPDX-License-Identifier: BSD-3-Clause
 * Two time levels in a pointer to pointers; which of them is new follows from the step. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size, first = rank * count;
    if (rank == size - 1)
        count = n - first;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    float **t = malloc(2 * sizeof(float *));
    for (int l = 0; l < 2; l++)
        t[l] = calloc(count + 2, sizeof(float));
    for (int i = 1; i <= count; i++)
        t[0][i] = (first + i) % 8;
#pragma xmpi loop state(rows((t[0])[n], (t[1])[n] from first, count at 1 halo 1), same(k))
    for (int k = 0; k < 30; k++) {
        float *old = t[k % 2], *new = t[(k + 1) % 2];
        MPI_Sendrecv(&old[1], 1, MPI_FLOAT, left, 0, &old[count + 1], 1, MPI_FLOAT, right, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(&old[count], 1, MPI_FLOAT, right, 1, &old[0], 1, MPI_FLOAT, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            new[i] = 0.5f * old[i] + 0.25f * (old[i - 1] + old[i + 1]);
    }
    double *mine = malloc((count + 1) * sizeof *mine);
    for (int i = 0; i < count; i++)
        mine[i] = t[0][i + 1];
    tell(mine, count);
    MPI_Finalize();
    return 0;
}
