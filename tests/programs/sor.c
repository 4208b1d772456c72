/* Successive over-relaxation, red and black, on an array that everybody has in full; the rows are
 * put together in place. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define IDX(i, j) ((i) * (cols + 2) + (j))

int main(int argc, char **argv)
{
    int rank, nproc, i, j, colour, iter = 0;
    const int rows = 30, cols = 30;
    const double omega = 1.7, eps = 1e-6;
    double maxdiff;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);

    /* rows are numbered from 1 */
    int myrows = rows / nproc, rest = rows % nproc;
    int start = rank * myrows + (rank < rest ? rank : rest);
    if (rank < rest)
        myrows++;

    double *u = calloc((size_t)(rows + 2) * (cols + 2), sizeof(double));
    for (j = 0; j < cols + 2; j++)
        u[IDX(0, j)] = 100.0;
    int *rc = malloc(nproc * sizeof(int)), *rd = malloc(nproc * sizeof(int));
    for (i = 0; i < nproc; i++) {
        rc[i] = (rows / nproc + (i < rest)) * (cols + 2);
        rd[i] = (i * (rows / nproc) + (i < rest ? i : rest) + 1) * (cols + 2);
    }

#pragma xmpi loop
    do {
        double diff = 0.0;
        for (colour = 0; colour < 2; colour++) {
            for (i = start + 1; i <= start + myrows; i++)
                for (j = 1 + (i + colour) % 2; j <= cols; j += 2) {
                    double gs = 0.25 * (u[IDX(i - 1, j)] + u[IDX(i + 1, j)] + u[IDX(i, j - 1)] +
                                        u[IDX(i, j + 1)]);
                    double d = omega * (gs - u[IDX(i, j)]);
                    u[IDX(i, j)] += d;
                    diff = fabs(d) > diff ? fabs(d) : diff;
                }
            MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, u, rc, rd, MPI_DOUBLE, MPI_COMM_WORLD);
        }
        MPI_Allreduce(&diff, &maxdiff, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        iter++;
    } while (maxdiff > eps && iter < 1000);

    if (rank == 0)
        printf("%d iterations, centre %.12f\n", iter, u[IDX(15, 15)]);
    free(u);
    free(rc);
    free(rd);
    MPI_Finalize();
    return 0;
}
