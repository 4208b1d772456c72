/* The loop in a function, everything in parameters; input checked and broadcast in main.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void partition(int n, int rank, int size, int *count, int *displ)
{
    int base = n / size, rest = n % size;
    *count = rank < rest ? base + 1 : base;
    *displ = rank < rest ? rank * (base + 1) : rest * (base + 1) + (rank - rest) * base;
}

static double dot(const double *a, const double *b, int count)
{
    long own = 0, all;
    for (int i = 0; i < count; i++)
        own += (long)(a[i] * b[i] * 64);
    MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return (double)all / 64;
}

static double iterate(double *u, double *v, int count, int displ, int steps)
{
    double value = 0;
#pragma xmpi loop
    for (int k = 0; k < steps; k++) {
        for (int i = 0; i < count; i++)
            v[i] = u[i] + (displ + i) % 3;
        value += dot(u, v, count);
        for (int i = 0; i < count; i++)
            u[i] = 0.5 * v[i];
        if (value < 0)
            return -1;
    }
    return value;
}

int main(int argc, char **argv)
{
    int rank, size, n, steps = 10, count, displ;
    double *u, *v;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 3) {
        if (rank == 0)
            fprintf(stderr, "usage: solver [n]\n");
        MPI_Finalize();
        return 1;
    }
    n = argc > 1 ? atoi(argv[1]) : 37;
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (n < size) {
        fprintf(stderr, "too many processes\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    partition(n, rank, size, &count, &displ);
    u = malloc((size_t)count * sizeof *u);
    v = malloc((size_t)count * sizeof *v);
    for (int i = 0; i < count; i++)
        u[i] = displ + i;
    double value = iterate(u, v, count, displ, steps);
    if (rank == 0)
        printf("result %.17g\n", value);
    free(u);
    free(v);
    MPI_Finalize();
    return 0;
}
