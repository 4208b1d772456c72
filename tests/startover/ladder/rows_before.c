/* SPDX-License-Identifier: BSD-3-Clause
 * Where the rows of a process begin is the sum of what those before it have, by MPI_Exscan; buffers
 * have room for the largest block. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40, start = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int mine = n / size + (rank < n % size), largest = n / size + 1;
    MPI_Exscan(&mine, &start, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        start = 0;
    double *u = malloc(largest * sizeof *u), *old = malloc(largest * sizeof *old), left, right;
    for (int i = 0; i < mine; i++)
        u[i] = (start + i) * 7 % 11;
    int before = rank == 0 ? MPI_PROC_NULL : rank - 1, behind = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        left = right = 0;
        MPI_Sendrecv(&u[0], 1, MPI_DOUBLE, before, 0, &right, 1, MPI_DOUBLE, behind, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[mine - 1], 1, MPI_DOUBLE, behind, 1, &left, 1, MPI_DOUBLE, before, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 0; i < mine; i++)
            old[i] = u[i];
        for (int i = 0; i < mine; i++)
            u[i] = 0.5 * old[i] + 0.25 * ((i > 0 ? old[i - 1] : left) + (i < mine - 1 ? old[i + 1] : right));
    }
    tell(u, mine);
    MPI_Finalize();
    return 0;
}
