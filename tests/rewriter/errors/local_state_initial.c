#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 300;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = n * rank / size, rows = n * (rank + 1) / size - first;
    long *u = malloc((size_t)rows * sizeof *u), sum = 0;
    int odd = 0;
    for (int i = 0; i < rows; i++) {
        u[i] = (first + i) % 7;
        if ((first + i) % 2 == 1)
            odd++;
    }
#pragma xmpi loop
    for (int k = 0; k < 50; k++) {
        long own = odd;
        for (int i = 0; i < rows; i++)
            own += u[i] += 1;
        MPI_Allreduce(&own, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return sum == 0;
}
