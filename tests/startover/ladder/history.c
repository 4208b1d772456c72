/* SPDX-License-Identifier: BSD-3-Clause
 * What each rank adds up in each step is put together after the loop. */
#include "ladder.h"

#define STEPS 30

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    double energy[STEPS] = {0}, all[STEPS], work = 0, worked;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = (int)((long)n * rank / size), count = (int)((long)n * (rank + 1) / size) - first;
    double *u = malloc((count + 1) * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = first + i;
#pragma xmpi loop
    for (int k = 0; k < STEPS; k++)
        for (int i = 0; i < count; i++) {
            u[i] = 0.9 * u[i] + 0.1 * ((first + i) % 5);
            energy[k] += u[i] * u[i];
            work += 1;
        }
    MPI_Reduce(energy, all, STEPS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&work, &worked, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g %.9g %.9g %.9g\n", all[0], all[10], all[STEPS - 1], worked);
    tell(u, count);
    MPI_Finalize();
    return 0;
}
