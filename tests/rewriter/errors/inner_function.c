/* Functions within functions: one that computes from its parameters is as one of another file; the
 * other one uses a variable of the function around it. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 1000, rank, size, count, displ;
    double half(double x)
    {
        double y = x;
        return y / 2;
    }
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
            a[i] = displ + half(i);
    free(a);
    MPI_Finalize();
    return 0;
}
