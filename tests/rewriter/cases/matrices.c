/* A plate whose rows have a length that is read: arrays of variable length as types, in one
 * allocation each. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n = 60, nx = argc > 1 ? atoi(argv[1]) : 7;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int lo = rank * n / size, m = (rank + 1) * n / size - lo;
    double(*u)[nx] = malloc(sizeof(double[m + 2][nx])),
    (*v)[nx] = malloc((size_t)(m + 2) * sizeof *v), *w = malloc(sizeof(double[m][nx]));
    for (int i = 0; i < m + 2; i++)
        for (int j = 0; j < nx; j++)
            u[i][j] = (lo + i) % 7 + j, v[i][j] = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < nx; j++)
            w[i * nx + j] = 1 + (lo + i) % 3;
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
#pragma xmpi loop
    for (int k = 0; k < 40; k++) {
        MPI_Sendrecv(u[1], nx, MPI_DOUBLE, up, 0, u[m + 1], nx, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(u[m], nx, MPI_DOUBLE, down, 1, u[0], nx, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= m; i++)
            for (int j = 0; j < nx; j++)
                v[i][j] =
                    0.25 * (u[i - 1][j] + u[i + 1][j] + 2 * u[i][j]) + 0.001 * w[(i - 1) * nx + j];
        for (int i = 1; i <= m; i++)
            for (int j = 0; j < nx; j++) {
                u[i][j] = v[i][j];
                w[(i - 1) * nx + j] *= 0.99;
            }
    }
    double own = 0, all;
    for (int i = 1; i <= m; i++)
        for (int j = 0; j < nx; j++)
            own += u[i][j] * (lo + i + j) + w[(i - 1) * nx + j];
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.9g\n", all);
    free(u);
    free(v);
    free(w);
    MPI_Finalize();
    return 0;
}
