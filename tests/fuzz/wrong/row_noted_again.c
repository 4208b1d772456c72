/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int lo = n * rank / size, hi = n * (rank + 1) / size, cnt = hi - lo;
    double *u = malloc((size_t)cnt * sizeof *u), keep = 0, l = 0, all;
    double note[10] = {0};
    for (int i = 0; i < cnt; i++)
        u[i] = sin(lo + i);
#pragma xmpi loop
    for (int s = 0; s < 30; s++) {
        for (int i = 0; i < cnt; i++)
            u[i] = fmod(u[i] * 1.7 + 0.1 * sin(s + lo + i) + 0.01 * keep, 1.0);
        if (7 >= lo && 7 < hi)
            note[s % 10] = u[7 - lo];
        if (s % 3 == 0 && s + 20 >= lo && s + 20 < hi)
            note[s % 10] = u[s + 20 - lo];
    }
    for (int i = 0; i < cnt; i++)
        l += u[i] * (lo + i);
    MPI_Reduce(&l, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, note, 10, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int k = 0; rank == 0 && k < 10; k++)
        printf("%.9f\n", note[k]);
    if (rank == 0)
        printf("%.9f %.9f\n", all, keep);
    free(u);
    MPI_Finalize();
    return 0;
}
