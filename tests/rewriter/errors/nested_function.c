/* A function within a function that is one or another by a directive: its body cannot be hidden. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 1000, rank, size, count, displ;
    int half(int of)
    {
#ifdef THIRDS
        return of / 3;
#else
        return of / 2;
#endif
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    count = n / size;
    displ = rank * count;
    double *a = malloc((size_t)count * sizeof *a);
    #pragma xmpi loop
    for (int it = 0; it < 10; it++)
        for (int i = 0; i < count; i++)
            a[i] = displ + half(i);
    free(a);
    MPI_Finalize();
    return 0;
}
