/* Colonies on a strip: two states behind an array of pointers, the current one by its index; further
 * pointers lead into the arrays, and a helper computes the index. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { Columns = 12 };

static unsigned *state[2];
static int current;

static inline int at(int row, int column, int columns)
{
    return row * columns + column;
}

int main(int argc, char **argv)
{
    int rank, size, rows = 30, i, j;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        rows = atoi(argv[1]);
    int first = rank * rows / size;
    int own = (rank + 1) * rows / size - first;
    state[0] = calloc((size_t)(own + 2) * Columns, sizeof(unsigned));
    state[1] = calloc((size_t)(own + 2) * Columns, sizeof(unsigned));
    unsigned *mean = calloc((size_t)rows, sizeof *mean);
    for (i = 1; i <= own; i++)
        for (j = 0; j < Columns; j++)
            state[0][at(i, j, Columns)] = (unsigned)((first + i) * 7 + j * 3) % 11;
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int below = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
#pragma xmpi loop
    for (int step = 0; step < 20; step++) {
        unsigned *old = state[current], *new = state[1 - current], *share = mean + first;
        MPI_Sendrecv(old + Columns, Columns, MPI_UNSIGNED, above, 0, old + (own + 1) * Columns,
                     Columns, MPI_UNSIGNED, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&old[own * Columns], Columns, MPI_UNSIGNED, below, 1, &old[0], Columns,
                     MPI_UNSIGNED, above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (i = 1; i <= own; i++)
            for (j = 0; j < Columns; j++)
                new[at(i, j, Columns)] = (old[at(i, j, Columns)] + old[at(i - 1, j, Columns)] +
                                          2 * old[at(i + 1, j, Columns)] + (unsigned)j) %
                                         23;
        for (i = 0; i < own; i++)
            share[i] += new[at(i + 1, step % Columns, Columns)];
        current = 1 - current;
    }
    unsigned sum[2] = {0, 0}, all[2];
    for (i = 1; i <= own; i++)
        for (j = 0; j < Columns; j++)
            sum[0] += state[current][at(i, j, Columns)] * (unsigned)(first + i);
    for (i = first; i < first + own; i++)
        sum[1] += mean[i] * (unsigned)i;
    MPI_Reduce(sum, all, 2, MPI_UNSIGNED, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %u %u\n", all[0], all[1]);
    free(state[0]);
    free(state[1]);
    free(mean);
    MPI_Finalize();
    return 0;
}
