/* SPDX-License-Identifier: BSD-3-Clause
 * Points of each rank, and centroids that all ranks have. */
#include "ladder.h"

enum { K = 4 };

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40, first = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size);
    MPI_Exscan(&count, &first, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        first = 0;
    double *x = malloc((count + 1) * sizeof *x), centre[K];
    int *label = calloc(count + 1, sizeof *label);
    for (int i = 0; i < count; i++)
        x[i] = fmod((first + i) * 7.3, 11);
    for (int c = 0; c < K; c++)
        centre[c] = 2.0 * c + 1;
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        double sum[K] = {0}, all[K];
        int members[K] = {0}, everywhere[K];
        for (int i = 0; i < count; i++) {
            int best = 0;
            for (int c = 1; c < K; c++)
                if (fabs(x[i] - centre[c]) < fabs(x[i] - centre[best]))
                    best = c;
            label[i] = best;
            sum[best] += x[i];
            members[best]++;
        }
        MPI_Allreduce(sum, all, K, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(members, everywhere, K, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        for (int c = 0; c < K; c++)
            if (everywhere[c] > 0)
                centre[c] = 0.5 * centre[c] + 0.5 * all[c] / everywhere[c];
    }
    double *mine = malloc((count + 1) * sizeof *mine);
    for (int i = 0; i < count; i++)
        mine[i] = label[i];
    if (rank == 0)
        printf("%.9g %.9g %.9g %.9g\n", centre[0], centre[1], centre[2], centre[3]);
    tell(mine, count);
    MPI_Finalize();
    return 0;
}
