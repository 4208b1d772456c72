#include <mpi.h>
#include <stdlib.h>

void exchange(double *u, int n, MPI_Comm comm);

/* There is room that the pragma does not speak of, and another file gets it. */
int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = calloc(count + 64, sizeof *u);
#pragma xmpi data distributed(u[n])
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        exchange(u, count, MPI_COMM_WORLD);
    free(u);
    MPI_Finalize();
    return 0;
}
