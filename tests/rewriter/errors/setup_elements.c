#include <mpi.h>
#include <stdio.h>

struct cell {
    int id;
    double value;
};

static struct cell cells[100];

/* The cells would have their first values again after every reconfiguration. */
int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
#pragma xmpi setup
    for (int i = 0; i < count; i++) {
        cells[i].id = first + i;
        cells[i].value = i;
    }
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < count; i++)
            cells[i].value = 0.9 * cells[i].value + cells[i].id;
    printf("%g\n", cells[0].value);
    MPI_Finalize();
    return 0;
}
