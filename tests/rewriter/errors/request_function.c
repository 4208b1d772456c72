#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static MPI_Request pending = MPI_REQUEST_NULL;
static double edge;

static void pass_on(int rank, int size)
{
    double got;
    MPI_Isend(&edge, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &pending);
    MPI_Recv(&got, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void wait_for_it(void)
{
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size, displ = rank * count;
    double *u = malloc((size_t)count * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
#pragma xmpi loop
    for (int k = 0; k < 12; k++) {
        for (int i = 0; i < count; i++)
            u[i] = .9 * u[i] + k;
        wait_for_it();
        edge = k;
        pass_on(rank, size);
    }
    double last = 0, result = 0;
    for (int i = 0; i < count; i++)
        last += u[i] * (displ + i);
    MPI_Reduce(&last, &result, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    wait_for_it();
    if (rank == 0)
        printf("result %.9g\n", result);
    MPI_Finalize();
    return 0;
}
