/* A membrane that swings: three states of (rows + 2) x (columns + 2) points, edge points in the ghost rows;
 * a function of the file computes the interior. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define AT(u, i, j) (u)[(i) * (columns + 2) + (j)]

static void swing(const double *before, const double *now, double *after, int rows, int columns)
{
    for (int i = 1; i < rows + 1; i++)
        for (int j = 1; j <= columns; j++)
            AT(after, i, j) = 2 * AT(now, i, j) - AT(before, i, j) +
                              0.25 * (AT(now, i - 1, j) + AT(now, i + 1, j) + AT(now, i, j - 1) +
                                      AT(now, i, j + 1) - 4 * AT(now, i, j));
}

int main(int argc, char **argv)
{
    int rank, size, n = 40, columns = 7;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        n = atoi(argv[1]);
    int rows = n / size, first = rank * rows;
    if (rank == size - 1)
        rows = n - first;
    int up = rank == 0 ? MPI_PROC_NULL : rank - 1, down = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
    size_t points = (size_t)(rows + 2) * (size_t)(columns + 2);
    double *before = calloc(points, sizeof *before), *now = calloc(points, sizeof *now);
    double *after = calloc(points, sizeof *after);
    for (int i = 1; i <= rows; i++)
        for (int j = 1; j <= columns; j++)
            AT(before, i, j) = AT(now, i, j) = (first + i) % 8 == 3 ? j : 0;
#pragma xmpi loop
    for (int t = 0; t < 60; t++) {
        MPI_Request request[4];
        MPI_Status status[4];
        MPI_Irecv(&AT(now, 0, 0), columns + 2, MPI_DOUBLE, up, t, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&AT(now, rows + 1, 0), columns + 2, MPI_DOUBLE, down, t, MPI_COMM_WORLD, &request[1]);
        MPI_Isend(&AT(now, 1, 0), columns + 2, MPI_DOUBLE, up, t, MPI_COMM_WORLD, &request[2]);
        MPI_Isend(&AT(now, rows, 0), columns + 2, MPI_DOUBLE, down, t, MPI_COMM_WORLD, &request[3]);
        MPI_Waitall(4, request, status);
        swing(before, now, after, rows, columns);
        double *last = before;
        before = now;
        now = after;
        after = last;
    }
    double own = 0, most;
    for (int i = 1; i <= rows; i++)
        own = AT(now, i, 3) > own ? AT(now, i, 3) : own;
    MPI_Reduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.17g\n", most);
    free(before);
    free(now);
    free(after);
    MPI_Finalize();
    return 0;
}
