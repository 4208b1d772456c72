#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

double *data_of(int n);

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size;
    int count = (rank + 1) * n / size - displ;
    double *sums = malloc((size_t)(rank + 3) * sizeof *sums);
    double *all = data_of(n);
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        sums[k % 3] += k;
        all[displ] += all[k];
    }
    MPI_Finalize();
    return 0;
}
