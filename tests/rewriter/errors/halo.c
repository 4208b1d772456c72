#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(long n);

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size;
    int count = (rank + 1) * n / size - displ;
    /* The game of life on a line, with a ghost cell on either side. */
    char *cells = calloc((size_t)count + 2, sizeof *cells);
    char *next = calloc((size_t)count + 2, sizeof *next);
    for (int i = 1; i <= count; i++)
        cells[i] = (displ + i) % 3 == 0;
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        for (int i = 1; i <= count; i++)
            next[i] = cells[i - 1] != cells[i + 1];
        for (int i = 1; i <= count; i++)
            cells[i] = next[i];
    }
    MPI_Finalize();
    return 0;
}
