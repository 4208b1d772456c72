/* SPDX-License-Identifier: BSD-3-Clause
 * A program with an adaptive loop for xmpicc: rows with a halo, rows of structs, a sum that all have,
 * rows that the loop only reads.
 *
 * Usage: saves ROWS STEPS SCALE SHARE: prints a digest of all that it has come to. The rows that it
 * only reads follow from SCALE; SHARE is a number that it only reads. SAVES_PAUSE_MS makes iterations last. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct cell {
    double heat;
    int visits;
};

int main(int argc, char **argv)
{
    int rank, size, rows = argc > 1 ? atoi(argv[1]) : 100, steps = argc > 2 ? atoi(argv[2]) : 50;
    double scale = argc > 3 ? atof(argv[3]) : 1, total = 0, all = 0;
    double share = argc > 4 ? atof(argv[4]) : 0.5;
    const char *pause = getenv("SAVES_PAUSE_MS");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = (int)((long)rows * rank / size), end = (int)((long)rows * (rank + 1) / size);
    int count = end - first;
    double *old = calloc((size_t)count + 2, sizeof *old);
    double *new = calloc((size_t)count + 2, sizeof *new);
    double *source = malloc((size_t)count * sizeof *source + 1);
    struct cell *cell = malloc((size_t)count * sizeof *cell + 1);
    for (int i = 0; i < count; i++) {
        old[i + 1] = (first + i) % 17;
        source[i] = scale * ((first + i) % 5);
        cell[i].heat = 0;
        cell[i].visits = first + i;
    }
#pragma xmpi loop
    for (int step = 0; step < steps; step++) {
        int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
        int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
        double mine = 0, sum = 0;
        MPI_Sendrecv(&old[1], 1, MPI_DOUBLE, left, 0, &old[count + 1], 1, MPI_DOUBLE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&old[count], 1, MPI_DOUBLE, right, 0, &old[0], 1, MPI_DOUBLE, left, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            new[i] = (old[i - 1] + 2 * old[i] + old[i + 1]) / 4 + source[i - 1];
        for (int i = 0; i < count; i++) {
            old[i + 1] = new[i + 1];
            cell[i].heat += new[i + 1] * share;
            cell[i].visits += step;
            mine += cell[i].visits % 7; /* whole numbers: the sum is the same in any order */
        }
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        total += sum;
        if (pause != NULL)
            usleep(1000 * (unsigned)atoi(pause));
    }
    double mine = 0;
    for (int i = 0; i < count; i++)
        mine += (double)(long)(old[i + 1] * 1e3) + (double)(long)(cell[i].heat * 1e3) +
                cell[i].visits;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("saves: %.17g %.17g\n", all, total);
    MPI_Finalize();
    return 0;
}
