/* The range is in a table only, the rank comes from a function, and what is one less than the rank is set later.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, left;
static int *starts;

static void identify(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    identify();
    int n = argc > 1 ? atoi(argv[1]) : 33;
    starts = malloc((size_t)(size + 1) * sizeof *starts);
    for (int r = 0; r <= size; r++)
        starts[r] = r * n / size;
    double *u = calloc((size_t)(starts[rank + 1] - starts[rank]), sizeof *u);
    left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    double sum = 0;
#pragma xmpi loop
    for (int k = 0; k < 12; k++) {
        double own = 0, edge = 0;
        for (int i = 0; i < starts[rank + 1] - starts[rank]; i++) {
            u[i] = 0.5 * u[i] + (starts[rank] + i) % 7;
            own += u[i];
        }
        if (rank == size - 1) /* a walk through all, back to front */
            edge = u[starts[rank + 1] - starts[rank] - 1];
        else
            MPI_Recv(&edge, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&edge, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD);
        u[0] += starts[rank] == 0 ? 0.1 * edge : 0;
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("result %.9g\n", sum);
    free(u);
    free(starts);
    MPI_Finalize();
    return 0;
}
