/* Own rows in an array of fixed size, and a sum by another file: what could be meant is said. */
#include <mpi.h>
#include <stdio.h>

double norm_of(const double *u, int count, MPI_Comm comm);

int main(int argc, char **argv)
{
    static double u[40][1000]; /* too many to be arrays of their own */
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    for (int i = 0; i < count; i++)
        u[0][i] = u[1][i] = first + i;
    double norm = norm_of(u[0], count, MPI_COMM_WORLD);
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        for (int i = 0; i < count; i++)
            u[0][i] += 0.001 * norm * u[1][i];
        norm = 0.5 * norm;
    }
    MPI_Finalize();
    return 0;
}
