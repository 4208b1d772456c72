/* Water levels of reaches of a river that flow into the next; the range is only in a table of begins. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 128 };

int main(int argc, char **argv)
{
    int rank, size, reaches = 61;
    long start[MOST + 1];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int r = 0; r <= size; r++)
        start[r] = (long)reaches * r / size;
    double *level = malloc((start[rank + 1] - start[rank]) * sizeof *level);
    double highest = 0;
    for (long i = start[rank]; i < start[rank + 1]; i++)
        level[i - start[rank]] = i * 13 % 11;
#pragma xmpi loop
    for (int hour = 0; hour < 30; hour++) {
        double top = 0;
        for (long i = start[rank]; i < start[rank + 1]; i++) {
            double l = level[i - start[rank]] * 0.75 + i % 3;
            level[i - start[rank]] = l;
            if (l > top)
                top = l;
        }
        MPI_Allreduce(&top, &highest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("highest %.10g\n", highest);
    free(level);
    MPI_Finalize();
    return 0;
}
