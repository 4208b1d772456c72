/* SPDX-License-Identifier: BSD-3-Clause
 * Jacobi with larger blocks on the last rank, and sums of times in members of structs, among others
 * that are the same everywhere, and in an array. */
#include "ladder.h"

struct solver {
    struct {
        double computing, waiting;
    } timer;
    double t, dt;
};

struct clock {
    double total[2];
    int calls[2];
};

static void stop(struct clock *clock, int part, double since)
{
    clock->total[part] += MPI_Wtime() - since;
    clock->calls[part]++;
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40, step = 0;
    double err = 1, from, to, most;
    struct solver solver = {.dt = 0.25};
    struct clock clock = {{0, 0}, {0, 0}};
    struct clock *running = &clock;
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
        solver.timer.computing += to - from;
        stop(running, 0, from);
        MPI_Allreduce(&difference, &err, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        MPI_Allgatherv(own, rows, MPI_DOUBLE, x, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
        solver.timer.waiting += MPI_Wtime() - to;
        solver.t += solver.dt;
        stop(running, 1, to);
        step++;
    }
    MPI_Reduce(&solver.timer.computing, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d steps to %g, %d and %d calls%s\n", step, solver.t, clock.calls[0],
               clock.calls[1], most + solver.timer.waiting + clock.total[0] < 1e6 ? "" : ", long");
    tell(x + first, rows);
    MPI_Finalize();
    return 0;
}
