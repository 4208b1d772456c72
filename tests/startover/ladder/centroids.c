/* SPDX-License-Identifier: BSD-3-Clause
 * Points of each rank, and centroids that all ranks have; how many there are is in a struct that
 * rank 0 fills and broadcasts as bytes, as the first centroids are. */
#include "ladder.h"

enum { MOST = 16 };

struct settings {
    int n, clusters, steps;
    double pull;
};

int main(int argc, char **argv)
{
    int rank, size, first = 0;
    struct settings has;
    double centre[MOST];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        has.n = argc > 1 ? atoi(argv[1]) : 40;
        has.clusters = 4;
        has.steps = 20;
        has.pull = 0.5;
        for (int c = 0; c < has.clusters; c++)
            centre[c] = 2.0 * c + 1;
    }
    MPI_Bcast(&has, sizeof has, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(centre, MOST, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    int count = has.n / size + (rank < has.n % size);
    MPI_Exscan(&count, &first, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        first = 0;
    double *x = malloc((count + 1) * sizeof *x);
    int *label = calloc(count + 1, sizeof *label);
    for (int i = 0; i < count; i++)
        x[i] = fmod((first + i) * 7.3, 11);
#pragma xmpi loop
    for (int k = 0; k < has.steps; k++) {
        double sum[MOST] = {0}, all[MOST];
        int members[MOST] = {0}, everywhere[MOST];
        for (int i = 0; i < count; i++) {
            int best = 0;
            for (int c = 1; c < has.clusters; c++)
                if (fabs(x[i] - centre[c]) < fabs(x[i] - centre[best]))
                    best = c;
            label[i] = best;
            sum[best] += x[i];
            members[best]++;
        }
        MPI_Allreduce(sum, all, MOST, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(members, everywhere, MOST, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        for (int c = 0; c < has.clusters; c++)
            if (everywhere[c] > 0)
                centre[c] = (1 - has.pull) * centre[c] + has.pull * all[c] / everywhere[c];
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
