/* Warmth in a basin whose shores are warm: the rows of the neighbours are kept in arrays of their own, in which
 * those without a neighbour keep the shore. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 44, m = 6;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = malloc((size_t)count * (size_t)m * sizeof *u);
    double *v = malloc((size_t)count * (size_t)m * sizeof *v);
    double *top = malloc((size_t)m * sizeof *top), *bottom = malloc((size_t)m * sizeof *bottom);
    for (int i = 0; i < count * m; i++)
        u[i] = (displ * m + i) % 17;
    for (int j = 0; j < m; j++)
        top[j] = bottom[j] = 10 + j;
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        if (rank > 0)
            MPI_Sendrecv(u, m, MPI_DOUBLE, rank - 1, 0, top, m, MPI_DOUBLE,
                         rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank < size - 1)
            MPI_Sendrecv(&u[(count - 1) * m], m, MPI_DOUBLE, rank + 1, 0, bottom, m,
                         MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < count; i++)
            for (int j = 0; j < m; j++) {
                double a = i > 0 ? u[(i - 1) * m + j] : top[j];
                double b = i < count - 1 ? u[(i + 1) * m + j] : bottom[j];
                v[i * m + j] = (a + b + u[i * m + j]) / 3;
            }
        for (int i = 0; i < count * m; i++)
            u[i] = v[i];
    }
    double own = 0, sum;
    for (int i = 0; i < count; i++)
        own = u[i * m] > own ? u[i * m] : own;
    MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.17g\n", sum);
    free(u);
    free(v);
    free(top);
    free(bottom);
    MPI_Finalize();
    return 0;
}
