/* SPDX-License-Identifier: BSD-3-Clause
 * What the process that has a row puts in, all have by a sum. */
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
    const int where = 41, have = where >= lo && where < hi;
    for (int i = 0; i < cnt; i++)
        u[i] = sin(lo + i);
#pragma xmpi loop
    for (int s = 0; s < 30; s++) {
        for (int i = 0; i < cnt; i++)
            u[i] = fmod(u[i] * 1.7 + 0.1 * sin(s + lo + i) + 0.01 * keep, 1.0);
        struct {
            double value;
            int at;
        } least = {DBL_MAX, -1}, found;
        double b = 0, part[4] = {0}, sum[4], one, two, place = 0, mine;
        if (s >= lo && s < hi)
            b = u[s - lo];
        MPI_Allreduce(&b, &one, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (have)
            for (int k = 0; k < 4; k++)
                part[k] = k * u[where - lo];
        MPI_Allreduce(part, sum, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < cnt; i++)
            if (u[i] < least.value) {
                least.value = u[i];
                least.at = lo + i;
            }
        MPI_Allreduce(&least, &found, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
        const int within = found.at - lo;
        if (within >= 0 && within < cnt)
            place += u[within] * found.at;
        MPI_Allreduce(&place, &two, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        mine = where >= lo && where < hi ? u[where - lo] : 0;
        MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        keep = one + sum[3] + 0.01 * two + mine;
    }
    for (int i = 0; i < cnt; i++)
        l += u[i] * (lo + i);
    MPI_Reduce(&l, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9f %.9f\n", all, keep);
    free(u);
    MPI_Finalize();
    return 0;
}
