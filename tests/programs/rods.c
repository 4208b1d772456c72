/* Heat in many rods, implicit in time: one tridiagonal system for each rod (Thomas), rods divided. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void thomas(double *x, double *cp, double *dp, int m, double r)
{
    int j;
    cp[0] = -r / (1 + 2 * r);
    dp[0] = x[0] / (1 + 2 * r);
    for (j = 1; j < m; j++) {
        double w = 1 + 2 * r + r * cp[j - 1];
        cp[j] = -r / w;
        dp[j] = (x[j] + r * dp[j - 1]) / w;
    }
    x[m - 1] = dp[m - 1];
    for (j = m - 2; j >= 0; j--)
        x[j] = dp[j] - cp[j] * x[j + 1];
}

int main(int argc, char **argv)
{
    int rank, size, nrods = 26, m = 16;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int chunk = (nrods + size - 1) / size;
    int start = rank * chunk;
    if (start > nrods)
        start = nrods;
    int stop = start + chunk;
    if (stop > nrods)
        stop = nrods;

    double *T = malloc(sizeof(double) * (stop - start) * m);
    double *cp = malloc(sizeof(double) * m);
    double *dp = malloc(sizeof(double) * m);
    for (int i = start; i < stop; i++)
        for (int j = 0; j < m; j++)
            T[(i - start) * m + j] = i + j % 4;

    double mean = 0;
#pragma xmpi loop
    for (int t = 0; t < 20; t++) {
        double own = 0;
        for (int i = 0; i < stop - start; i++) {
            thomas(T + i * m, cp, dp, m, 0.1 + 0.01 * (start + i));
            for (int j = 0; j < m; j++)
                own += T[i * m + j];
        }
        MPI_Allreduce(&own, &mean, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        mean /= nrods * m;
    }
    if (rank == 0)
        printf("mean temperature %.10f\n", mean);
    free(T);
    free(cp);
    free(dp);
    MPI_Finalize();
    return 0;
}
