#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    double *mass, *heat, *fields[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size;
    int count = (rank + 1) * n / size - displ;
    mass = malloc((size_t)count * sizeof *mass);
    heat = malloc((size_t)count * sizeof *heat);
#pragma xmpi setup
    {
        fields[0] = mass;
        fields[1] = heat;
        for (int i = 0; i < count; i++)
            fields[0][i] = fields[1][i] = displ + i;
    }
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        double *field = fields[k % 2];
        for (int i = 0; i < count; i++)
            field[i] += 1;
    }
    printf("%g %g\n", fields[0][0], fields[1][0]);
    MPI_Finalize();
    return 0;
}
