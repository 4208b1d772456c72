/* Non-negative factorisation of a matrix, V = W H: rows of V and W are divided, H is everywhere. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { M = 48, N = 20, K = 3 };

static double *V, *W;
static double H[K][N];
static int mrows, mfirst;

static void update_h(void)
{
    double num[K][N] = {{0}}, den[K][K] = {{0}}, gnum[K][N], gden[K][K];
    for (int i = 0; i < mrows; i++)
        for (int k = 0; k < K; k++) {
            for (int j = 0; j < N; j++)
                num[k][j] += W[i * K + k] * V[i * N + j];
            for (int l = 0; l < K; l++)
                den[k][l] += W[i * K + k] * W[i * K + l];
        }
    MPI_Allreduce(num, gnum, K * N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(den, gden, K * K, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int j = 0; j < N; j++) {
        double old[K];
        for (int k = 0; k < K; k++)
            old[k] = H[k][j];
        for (int k = 0; k < K; k++) {
            double d = 1e-9;
            for (int l = 0; l < K; l++)
                d += gden[k][l] * old[l];
            H[k][j] = old[k] * gnum[k][j] / d;
        }
    }
}

static void update_w(void)
{
    double hh[K][K];
    for (int k = 0; k < K; k++)
        for (int l = 0; l < K; l++) {
            hh[k][l] = 0;
            for (int j = 0; j < N; j++)
                hh[k][l] += H[k][j] * H[l][j];
        }
    for (int i = 0; i < mrows; i++) {
        double old[K];
        for (int k = 0; k < K; k++)
            old[k] = W[i * K + k];
        for (int k = 0; k < K; k++) {
            double n = 0, d = 1e-9;
            for (int j = 0; j < N; j++)
                n += V[i * N + j] * H[k][j];
            for (int l = 0; l < K; l++)
                d += old[l] * hh[l][k];
            W[i * K + k] = old[k] * n / d;
        }
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mfirst = rank * M / size;
    mrows = (rank + 1) * M / size - mfirst;
    V = malloc(mrows * N * sizeof *V);
    W = malloc(mrows * K * sizeof *W);
    for (int i = 0; i < mrows; i++) {
        int g = mfirst + i;
        for (int j = 0; j < N; j++)
            V[i * N + j] = 1 + (g * j) % 7 + (g % 3) * (j % 4);
        for (int k = 0; k < K; k++)
            W[i * K + k] = 0.5 + (g * (k + 2)) % 5 / 5.0;
    }
    for (int k = 0; k < K; k++)
        for (int j = 0; j < N; j++)
            H[k][j] = 0.5 + (j * (k + 3)) % 7 / 7.0;
    double error = 0;
#pragma xmpi loop
    for (int it = 0; it < 20; it++) {
        update_h();
        update_w();
        double own = 0;
        for (int i = 0; i < mrows; i++)
            for (int j = 0; j < N; j++) {
                double e = V[i * N + j];
                for (int k = 0; k < K; k++)
                    e -= W[i * K + k] * H[k][j];
                own += e * e;
            }
        MPI_Allreduce(&own, &error, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("error %.7g, H[0][0] %.7g\n", error, H[0][0]);
    free(V);
    free(W);
    MPI_Finalize();
    return 0;
}
