/* The row of a source lies one beside its place: at the end of a block this is no own row. */
#include <mpi.h>

#define ROWS 90

static double u[ROWS + 2];

int main(int argc, char **argv)
{
    int rank, size, source = ROWS / 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int begin = ROWS * rank / size, end = ROWS * (rank + 1) / size, rows = end - begin;
#pragma xmpi loop
    for (int t = 0; t < 60; t++) {
        for (int i = 1; i <= rows; i++)
            u[i] = 0.5 * u[i] + begin + i;
        if (source >= begin && source < end)
            u[source - begin + 2] = t;
    }
    MPI_Finalize();
    return 0;
}
