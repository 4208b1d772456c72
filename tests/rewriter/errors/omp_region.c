#define _OPENMP 201511 /* as -fopenmp has it */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size;
    int count = (rank + 1) * n / size - first;
    double *own = calloc((size_t)count, sizeof *own);
#pragma omp parallel for
    for (int i = 0; i < count; i++)
        own[i] = first + i;
#pragma omp parallel num_threads(2)
    {
#pragma xmpi loop
        for (int k = 0; k < 9; k++) {
#pragma omp for
            for (int i = 0; i < count; i++)
                own[i] += omp_get_max_threads() > 0;
        }
    }
    if (count > 0)
        printf("%g\n", own[0]);
    MPI_Finalize();
    return 0;
}
