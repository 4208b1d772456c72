/* SPDX-License-Identifier: BSD-3-Clause
 * A loop that changes all of its data, two arrays, in each iteration.
 *
 * Usage: changes ROWS ITERATIONS: prints for each process the largest memory that it had, and its
 * data at the end of the loop, in KiB. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 128 };

static double (*u)[WIDTH], (*v)[WIDTH];

static long most_memory(void)
{
    char line[256];
    long most = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "VmHWM:", 6) == 0)
            most = atol(line + 6);
    if (file != NULL)
        fclose(file);
    return most;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rows = atoi(argv[1]), iterations = atoi(argv[2]);
    int count = rows / size, displ = rank * count;
    u = calloc((size_t)count, sizeof *u);
    v = calloc((size_t)count, sizeof *v);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < WIDTH; j++)
            u[i][j] = v[i][j] = displ + i + j;
#pragma xmpi loop
    for (int it = 0; it < iterations; it++) {
        for (int i = 0; i < count; i++)
            for (int j = 0; j < WIDTH; j++)
                v[i][j] += .5 * u[i][j];
        for (int i = 0; i < count; i++)
            for (int j = 0; j < WIDTH; j++)
                u[i][j] = .25 * v[i][j];
    }
    long own = (long)(2 * (size_t)count * sizeof *u / 1024);
    printf("%ld %ld\n", most_memory(), own);
    MPI_Finalize();
    return 0;
}
