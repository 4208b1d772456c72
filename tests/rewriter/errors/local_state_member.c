/* A sum in a member of a struct that a function fills. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int first, rows;
    double sum;
} part_t;

static void add(part_t *part)
{
    for (int i = 0; i < part->rows; i++)
        part->sum += part->first + i;
}

int main(int argc, char **argv)
{
    int rank, size, n = 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    part_t part;
    part.first = displ;
    part.rows = count;
    part.sum = 0;
#pragma xmpi loop
    for (int step = 0; step < 20; step++) {
        add(&part);
    }
    if (rank == 0)
        printf("result %g\n", part.sum);
    MPI_Finalize();
    return 0;
}
