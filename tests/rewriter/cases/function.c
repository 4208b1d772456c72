/* The loop in a function: pointers, rank and range arrive as parameters, through another one.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double smooth(int n, double *u, double *sums, long count, int displ, int rank, int steps)
{
    double last = 0;
    int *owners;
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi setup
    {
        owners = calloc((size_t)size, sizeof *owners);
        if (owners == NULL)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Allgather(&rank, 1, MPI_INT, owners, 1, MPI_INT, MPI_COMM_WORLD);
    }
#pragma xmpi data distributed(u[n][2][3])
#pragma xmpi loop
    for (int step = 0; step < steps; step++) {
        double local = 0;
        for (long i = 0; i < count * 6; i++) {
            u[i] = 0.5 * u[i] + (double)(6 * displ + i + owners[0]);
            local += u[i];
        }
        MPI_Allreduce(&local, &last, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sums[step % 4] += last;
        if (last < 0)
            return -1;
    }
    free(owners);
    return last;
}

static double run(double *field, double *sums, int n, const int *steps)
{
    int rank, size, displ;
    long count;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi domain(n) range(count, displ)
    {
        count = n / size;
        displ = rank * (int)count;
    }
#pragma xmpi initial
    for (long i = 0; i < count * 6; i++)
        field[i] = (double)((i + 6 * displ) % 7);
    double result = smooth(n, field, sums, count, displ, rank, *steps);
    return rank == 0 ? result : -1;
}

int main(int argc, char **argv)
{
    int steps = 9;
    MPI_Init(&argc, &argv);
    double *u = malloc(64 * 6 * sizeof *u);
    double *totals = calloc(4, sizeof *totals);
#pragma xmpi data replicated(totals[4])
    double result = run(u, totals, 64, &steps);
    if (result >= 0)
        printf("result %.17g %.17g %d\n", result, totals[1], steps);
    free(u);
    free(totals);
    MPI_Finalize();
    return 0;
}
