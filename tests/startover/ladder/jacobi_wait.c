/* SPDX-License-Identifier: BSD-3-Clause
 * Jacobi iteration with non-blocking exchanges, until all agree that it is done. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40, m = 6, steps = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rows = n / size, rest = n % size;
    int start = rank * rows + (rank < rest ? rank : rest);
    if (rank < rest)
        rows++;
    double *u = calloc((size_t)(rows + 2) * m, sizeof(double));
    double *v = calloc((size_t)(rows + 2) * m, sizeof(double));
    double error = 1.0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < m; j++)
            u[(i + 1) * m + j] = v[(i + 1) * m + j] = (start + i + j) % 5;
#pragma xmpi loop
    while (error > 1e-3 && steps < 60) {
        MPI_Request request[4];
        int requests = 0;
        if (rank > 0) {
            MPI_Irecv(&u[0], m, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, &request[requests++]);
            MPI_Isend(&u[m], m, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, &request[requests++]);
        }
        if (rank < size - 1) {
            MPI_Irecv(&u[(rows + 1) * m], m, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD, &request[requests++]);
            MPI_Isend(&u[rows * m], m, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, &request[requests++]);
        }
        MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
        double worst = 0;
        for (int i = 1; i <= rows; i++)
            for (int j = 1; j < m - 1; j++) {
                v[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
                double change = fabs(v[i * m + j] - u[i * m + j]);
                if (change > worst)
                    worst = change;
            }
        double *t = u;
        u = v;
        v = t;
        MPI_Allreduce(&worst, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        steps++;
    }
    if (rank == 0)
        printf("%d steps, %.9g\n", steps, error);
    tell(u + m, rows * m);
    free(u);
    free(v);
    MPI_Finalize();
    return 0;
}
