#include <mpi.h>
#include <stdlib.h>

/* Two arrays in one piece of memory: each would be moved, and freed. */
int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *memory = calloc(2 * count, sizeof *memory), *place = memory, *speed = memory + count;
#pragma xmpi data distributed(place[n], speed[n])
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < count; i++) {
            speed[i] += first + i;
            place[i] += speed[i];
        }
    MPI_Finalize();
    return 0;
}
