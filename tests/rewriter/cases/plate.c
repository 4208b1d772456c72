/* Heat in a plate: rows with a ghost row on each side, exchanged with the neighbours; the upper and
 * lower edge are in the outermost ghost rows. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 34, m = 9;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size ? 1 : 0);
    int displ = rank * (n / size) + (rank < n % size ? rank : n % size);
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *u = malloc((size_t)(count + 2) * (size_t)m * sizeof *u);
    double *next = malloc((size_t)(count + 2) * (size_t)m * sizeof *next);
    for (int i = 0; i < count + 2; i++)
        for (int j = 0; j < m; j++) {
            u[i * m + j] = (displ + i) * j % 7;
            next[i * m + j] = u[i * m + j];
        }
    double change = 1;
#pragma xmpi loop
    for (int step = 0; step < 40 && change > 1e-9; step++) {
        double own = 0, *other;
        MPI_Sendrecv(&u[m], m, MPI_DOUBLE, up, 1, &u[(count + 1) * m], m, MPI_DOUBLE, down, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[count * m], m, MPI_DOUBLE, down, 2, &u[0], m, MPI_DOUBLE, up, 2,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            for (int j = 1; j < m - 1; j++) {
                next[i * m + j] = (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] +
                                   u[i * m + j + 1]) /
                                  4;
                double by = next[i * m + j] - u[i * m + j];
                own = by * by > own ? by * by : own;
            }
        MPI_Allreduce(&own, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        other = u;
        u = next;
        next = other;
    }
    double middle = 0, sum;
    for (int i = 1; i <= count; i++)
        if (displ + i - 1 == n / 2)
            middle = u[i * m + m / 2];
    MPI_Reduce(&middle, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.17g %.17g\n", change, sum);
    free(u);
    free(next);
    MPI_Finalize();
    return 0;
}
