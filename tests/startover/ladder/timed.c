/* SPDX-License-Identifier: BSD-3-Clause
 * Jacobi with larger blocks on the last rank, and sums of the times of its parts. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40, step = 0;
    double err = 1, computing = 0, waiting = 0, from, to, most;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int per = n / size, rest = n - per * size;
    int rows = rank == size - 1 ? per + rest : per, first = rank * per;
    int *counts = malloc(size * sizeof(int)), *displs = malloc(size * sizeof(int));
    for (int p = 0; p < size; p++) {
        counts[p] = p == size - 1 ? per + rest : per;
        displs[p] = p * per;
    }
    double *x = calloc(n, sizeof(double)), *own = malloc((rows + 1) * sizeof(double));
#pragma xmpi loop
    while (err > 1e-9 && step < 40) {
        double difference = 0;
        from = MPI_Wtime();
        for (int i = 0; i < rows; i++) {
            int g = first + i;
            own[i] = (g + 1 + x[(g + 1) % n] + x[(g + n - 1) % n]) / 3;
            if (fabs(own[i] - x[g]) > difference)
                difference = fabs(own[i] - x[g]);
        }
        to = MPI_Wtime();
        computing += to - from;
        MPI_Allreduce(&difference, &err, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        MPI_Allgatherv(own, rows, MPI_DOUBLE, x, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
        waiting += MPI_Wtime() - to;
        step++;
    }
    MPI_Reduce(&computing, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d steps%s\n", step, most + waiting < 1e6 ? "" : ", for long");
    tell(x + first, rows);
    MPI_Finalize();
    return 0;
}
