#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double *field;
static int rows;

static void step(double by)
{
    for (int i = 0; i < rows; i++)
        field[i] = field[i] * 0.9 + by;
}

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size;
    int count = (rank + 1) * n / size - displ;
    double *a = malloc((size_t)count * sizeof *a);
    for (int i = 0; i < count; i++)
        a[i] = displ + i;
    field = a;
    rows = count;
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        step(k);
    printf("%g\n", a[0]);
    MPI_Finalize();
    return 0;
}
