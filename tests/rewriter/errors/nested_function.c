/* A function within a function, as gcc has them. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 1000, rank, size, count, displ;
    int share(int of) { return of / size; }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    count = share(n);
    displ = rank * count;
    double *a = malloc((size_t)count * sizeof *a);
    #pragma xmpi loop
    for (int it = 0; it < 10; it++)
        for (int i = 0; i < count; i++)
            a[i] = displ + i;
    free(a);
    MPI_Finalize();
    return 0;
}
