/* SPDX-License-Identifier: BSD-3-Clause
 * Every rank reads the input from a file before the loop. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40, shift = 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    FILE *f = fopen("shift.txt", "r");
    if (f != NULL) {
        if (fscanf(f, "%d", &shift) != 1)
            shift = 5;
        fclose(f);
    }
    int first = (int)((long)n * rank / size), count = (int)((long)n * (rank + 1) / size) - first;
    double *u = malloc(((size_t)count + 1) * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = first + i + shift;
#pragma xmpi loop
    for (int k = 0; k < 30; k++)
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.1 * shift;
    tell(u, count);
    MPI_Finalize();
    return 0;
}
