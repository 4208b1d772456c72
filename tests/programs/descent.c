/* Steepest descent for a diagonal matrix: the communicator is a variable, which functions get as an
 * argument, or find in a struct. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct solver {
    MPI_Comm comm;
    int most;
};

static double dot(int n, const double *x, const double *y, MPI_Comm comm)
{
    double own = 0, all;
    for (int i = 0; i < n; i++)
        own += x[i] * y[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    return all;
}

static double norm(int n, const double *x, MPI_Comm comm)
{
    return sqrt(dot(n, x, x, comm));
}

int main(int argc, char **argv)
{
    int rank, size, n = 60, step;
    MPI_Comm comm = MPI_COMM_WORLD;
    struct solver solver = {.comm = MPI_COMM_WORLD, .most = 40};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int first = n * rank / size, count = n * (rank + 1) / size - first;
    double *r = malloc((size_t)count * sizeof *r);
    for (int i = 0; i < count; i++)
        r[i] = 1 + (first + i) % 7;
    double left = norm(count, r, comm), square = dot(count, r, r, solver.comm);
#pragma xmpi loop
    for (step = 0; step < solver.most && left > 1e-6; step++) {
        for (int i = 0; i < count; i++)
            r[i] -= 0.3 * r[i] * (1 + (first + i) % 3);
        left = 0.25 * left + norm(count, r, comm);
        square = 0.25 * square + dot(count, r, r, solver.comm);
    }
    if (rank == 0)
        printf("%d steps, %.6e and %.6e left\n", step, left, square);
    free(r);
    MPI_Finalize();
    return 0;
}
