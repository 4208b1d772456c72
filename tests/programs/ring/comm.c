#include <mpi.h>
#include "comm.h"

int my_rank(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int my_size(void)
{
    static int size;
    if (size == 0)
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

double from_right(double first, int left, int right)
{
    double other;
    MPI_Sendrecv(&first, 1, MPI_DOUBLE, left, 3, &other, 1, MPI_DOUBLE, right, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    return other;
}
