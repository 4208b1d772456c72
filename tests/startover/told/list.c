/* SPDX-License-Identifier: BSD-3-Clause
 * A list of rows that some iterations make. */
/* None: 'list' and 'active' are kept, too, and may differ on each process, and iterations go by */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 60, steps = argc > 2 ? atoi(argv[2]) : 120;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size),
        first = rank * (n / size) + (rank < n % size ? rank : n % size);
    int lf = rank ? rank - 1 : MPI_PROC_NULL, rt = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;

    double *u = calloc(count + 2, sizeof *u), *v = calloc(count + 2, sizeof *v);
    int *list = malloc((count + 1) * sizeof *list), active = 0;
    for (int i = 1; i <= count; i++)
        u[i] = v[i] = first + i == n / 2 ? 100 : 0;
#pragma xmpi loop
    for (int t = 0; t < steps; t++) {
        if (t % 5 == 0) {
            active = 0;
            for (int i = 1; i <= count; i++)
                if (abs(first + i - n / 2) < 8 + t / 5)
                    list[active++] = i;
        }
        MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, lf, 0, &u[count + 1], 1, MPI_DOUBLE, rt, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[count], 1, MPI_DOUBLE, rt, 1, &u[0], 1, MPI_DOUBLE, lf, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int k = 0; k < active; k++) {
            int i = list[k];
            v[i] = u[i] + 0.2 * (u[i - 1] - 2 * u[i] + u[i + 1]);
        }
        double *w = u;
        u = v;
        v = w;
    }
    double s = 0, tot;
    for (int i = 1; i <= count; i++)
        s += u[i] * (first + i);
    MPI_Reduce(&s, &tot, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9e\n", tot);
    MPI_Finalize();
}
