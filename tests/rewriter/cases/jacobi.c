/* Matrix and vectors in main, tables in setup.
 * The result is the same for any layout. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void divide(int n, int rank, int size, int *count, int *displ)
{
    int rest = n % size;
    *count = n / size + (rank < rest);
    *displ = rank * (n / size) + (rank < rest ? rank : rest);
}

int main(int argc, char **argv)
{
    int rank, size, n, count, displ, it;
    double *A, *b, *x, *x_new, change = 0;
    int *counts, *displs;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* who am I */
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi initial
    {
        n = 0;
        if (rank == 0)
            n = argc > 1 ? atoi(argv[1]) : 40;
        MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
#pragma xmpi domain(n) range(count, displ)
    divide(n, rank, size, &count, &displ);
    A = malloc(((size_t)count * (size_t)n + 1) * sizeof *A);
    b = malloc(((size_t)count + 1) * sizeof *b);
    x = malloc((size_t)n * sizeof *x);
    if (A == NULL || b == NULL || x == NULL) {
        if (rank == 0)
            fprintf(stderr, "no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
#pragma xmpi data outofcore(A[n][n]) distributed(b[n]) replicated(x[n])
#pragma xmpi initial
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < n; j++)
            A[i * n + j] = displ + i == j ? 2.0 * n : 1.0 / (1 + j);
        b[i] = displ + i;
    }
#pragma xmpi initial
    for (int i = 0; i < n; i++)
        x[i] = 0;
#pragma xmpi setup
    {
        x_new = malloc(((size_t)count + 1) * sizeof *x_new);
        counts = malloc((size_t)size * sizeof *counts);
        displs = malloc((size_t)size * sizeof *displs);
        if (x_new == NULL || counts == NULL || displs == NULL)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    }
#pragma xmpi loop interval(5)
    for (it = 0; it < 30 && (it == 0 || change > 1e-12); it++) {
        change = 0;
        for (int i = 0; i < count; i++) {
            double sum = b[i];
            for (int j = 0; j < n; j++)
                if (j != displ + i)
                    sum -= A[i * n + j] * x[j];
            x_new[i] = sum / A[i * n + displ + i];
            change = fmax(change, fabs(x_new[i] - x[displ + i]));
        }
        MPI_Allgatherv(x_new, count, MPI_DOUBLE, x, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("result %d %.17g %.17g\n", it, x[0], x[n - 1]);
    free(A);
    free(b);
    free(x);
    free(x_new);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
