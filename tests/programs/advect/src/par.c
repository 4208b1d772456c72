#include "advect.h"
#include <mpi.h>

double par_sum(double own)
{
    double sum = 0;
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

void par_collect(const double *own, int n, double *whole, const int *counts, const int *displs)
{
    MPI_Allgatherv(own, n, MPI_DOUBLE, whole, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
}
