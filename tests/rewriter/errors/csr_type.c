#include <mpi.h>
#include <stdlib.h>

void work(const double *ia, const int *ja, const double *a, int count);

int main(int argc, char **argv)
{
    int rank, size, n = 8, count, displ, *ja;
    double *ia, *a;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi domain(n) range(count, displ)
    {
        displ = rank * n / size;
        count = (rank + 1) * n / size - displ;
    }
    ia = calloc((size_t)count + 1, sizeof *ia);
    ja = calloc((size_t)count, sizeof *ja);
    a = calloc((size_t)count, sizeof *a);
#pragma xmpi data csr(ia, ja, a: n)
#pragma xmpi loop
    for (int i = 0; i < 9; i++)
        work(ia, ja, a, count);
    MPI_Finalize();
    return 0;
}
