/* A history to which each iteration adds a row and which it reads as a whole, a number that only a pointer leads
 * to, and two extents with the same default, which need not stay the same. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 24, PARTS = 4 };

static int rows = 48, columns = 48;

int main(int argc, char **argv)
{
    int rank, size;
    long phase = 3, *shift = &phase, *past = calloc((size_t)STEPS * PARTS, sizeof *past);
    if (argc > 1)
        rows = atoi(argv[1]);
    if (argc > 2)
        columns = atoi(argv[2]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * rows / size, count = (rank + 1) * rows / size - first;
    long *u = malloc((size_t)count * (size_t)columns * sizeof *u);
    for (int i = 0; i < count * columns; i++)
        u[i] = (first * columns + i) % 17;
#pragma xmpi loop
    for (int k = 0; k < STEPS; k++) {
        long part[PARTS] = {0}, all[PARTS], sum = 0;
        for (int i = 0; i < count * columns; i++)
            part[(first * columns + i) % PARTS] += u[i];
        MPI_Allreduce(part, all, PARTS, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        for (int j = 0; j < PARTS; j++)
            past[k * PARTS + j] = all[j];
        for (int j = 0; j < STEPS * PARTS; j++)
            sum += past[j];
        *shift += 5;
        for (int i = 0; i < count * columns; i++)
            u[i] = (u[i] * 7 + sum + *shift) % 1009;
    }
    long own = 0, total = 0;
    for (int i = 0; i < count * columns; i++)
        own += u[i] * (1 + (first * columns + i) % 11);
    MPI_Reduce(&own, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) /* The result is the same for any layout. */
        printf("result %ld\n", total);
    free(past);
    free(u);
    MPI_Finalize();
    return 0;
}
