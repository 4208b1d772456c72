/* A string that swings, as lecture notes have it: rows from s to e, counted from 1, by a function of
 * their own; three states that a function exchanges; options; counters at the top.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void decompose(int n, int size, int rank, int *s, int *e)
{
    int local = n / size, rest = n % size;
    *s = rank * local + 1 + (rank < rest ? rank : rest);
    if (rank < rest)
        local++;
    *e = *s + local - 1;
    if (*e > n || rank == size - 1)
        *e = n;
}

static void swap(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

int main(int argc, char **argv)
{
    int rank, size, n, steps, s, e, i, j, k;
    double *before, *now, *next, largest, energy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = 45;
    steps = 30;
    if (argc > 1)
        n = atoi(argv[1]);
    if (argc > 2)
        steps = atoi(argv[2]);
    decompose(n, size, rank, &s, &e);
    before = calloc((size_t)(e - s + 3), sizeof(double));
    now = calloc((size_t)(e - s + 3), sizeof(double));
    next = calloc((size_t)(e - s + 3), sizeof(double));
    for (i = s; i <= e; i++)
        for (j = 0; j < 4; j++) {
            now[i - s + 1] += i * (n - i) / (double)(n * (j + 1));
            before[i - s + 1] = now[i - s + 1];
        }
#pragma xmpi loop
    for (k = 0; k < steps; k++) {
        int left = rank - 1, right = rank + 1;
        if (rank > 0)
            MPI_Send(&now[1], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD);
        if (rank < size - 1) {
            MPI_Recv(&now[e - s + 2], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&now[e - s + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD);
        }
        if (rank > 0)
            MPI_Recv(&now[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (i = 1; i <= e - s + 1; i++) {
            int g = s + i - 1;
            if (g == 1 || g == n)
                next[i] = 0;
            else
                next[i] = 2 * now[i] - before[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
        }
        swap(&before, &now);
        swap(&now, &next);
    }
    largest = 0;
    for (i = s; i <= e; i++)
        largest = now[i - s + 1] * i > largest ? now[i - s + 1] * i : largest;
    MPI_Reduce(&largest, &energy, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.17g\n", energy);
    free(before);
    free(now);
    free(next);
    MPI_Finalize();
    return 0;
}
