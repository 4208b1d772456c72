#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct part { int count, first; };
void divide(struct part *part, int n, int rank, int size); /* of another file */

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    struct part part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi setup
    divide(&part, n, rank, size);
    double *u = calloc((size_t)part.count, sizeof *u);
#pragma xmpi data distributed(u[n])
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < part.count; i++)
            u[i] += 1;
    fprintf(stderr, "%g\n", u[0]);
    MPI_Finalize();
    return 0;
}
