#include <mpi.h>
#include <stdlib.h>

/* On the other ranks the variable keeps what it had. */
int main(int argc, char **argv)
{
    int rank, size, n = 60, source = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
#pragma xmpi setup
    if (17 >= first && 17 < first + count)
        source = 17 - first;
    double *u = calloc(count, sizeof *u);
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        for (int i = 0; i < count; i++)
            u[i] += first + i;
        if (source >= 0)
            u[source] += 1;
    }
    MPI_Finalize();
    return 0;
}
