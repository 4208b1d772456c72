/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static int counted(void)
{
    char text[20];
    const char *was = getenv("ROWS_COUNTED");
    int n = was != NULL ? atoi(was) : 0;
    snprintf(text, sizeof text, "%d", n + 1);
    setenv("ROWS_COUNTED", text, 1);
    return n;
}

int main(int argc, char **argv)
{
    int rank, size, n = 37;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = n * rank / size, count = n * (rank + 1) / size - first;
    double *u = malloc(count * sizeof *u), sum = 0, all = 0;
    for (int i = 0; i < count; i++)
        u[i] = first + i;
#pragma xmpi loop
    for (int k = 0; k < 12; k++)
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + k;
    for (int i = 0; i < count; i++)
        u[i] += counted();
    for (int i = 0; i < count; i++)
        sum += u[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g\n", all);
    free(u);
    MPI_Finalize();
    return 0;
}
