#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 50, events = 0, room = 8;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = calloc(count, sizeof *u);
    int *event = malloc(room * sizeof *event);
#pragma xmpi loop
    for (int t = 0; t < 100; t++) {
        for (int i = 0; i < count; i++)
            u[i] += first + i;
        if (events == room) {
            room *= 2;
            event = realloc(event, room * sizeof *event);
        }
        event[events++] = t;
    }
    free(event);
    MPI_Finalize();
    return 0;
}
