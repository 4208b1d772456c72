/* SPDX-License-Identifier: BSD-3-Clause
 * Sums that rank 0 alone has: in the log that it has open, and printed behind the loop. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    FILE *log = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rows = n / size, first = rank * rows;
    if (rank == size - 1)
        rows = n - first;
    double *u = malloc((rows + 1) * sizeof *u);
    for (int i = 0; i < rows; i++)
        u[i] = 1 + (first + i) % 7;
    if (rank == 0)
        log = fopen("log", "w");
    double total = 0, largest = 0;
    long above = 0, all;
#pragma xmpi loop
    for (int step = 1; step <= 30; step++) {
        double sum = 0, most = 0;
        for (int i = 0; i < rows; i++) {
            u[i] += 0.5 * ((first + i) % 3);
            if (u[i] > 9)
                above++;
            sum += u[i];
            most = u[i] > most ? u[i] : most;
        }
        if (step % 4 == 0) {
            MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
            if (log)
                fprintf(log, "%d %.6f %.6f\n", step, total, largest);
        }
        if (step % 5 == 0)
            MPI_Reduce(&most, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    }
    MPI_Reduce(&above, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        fclose(log);
        printf("%.6f %.6f %ld\n", total, largest, all);
    }
    tell(u, rows);
    MPI_Finalize();
    return 0;
}
