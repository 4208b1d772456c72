/* The largest value of all rows, with whose it is: that is put out nowhere, but the value is. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct peak {
    double value;
    int of;
};

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 61;
    struct peak mine, least;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = malloc((size_t)count * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = sin(first + i);
#pragma xmpi loop
    for (int step = 0; step < 40; step++) {
        double large = 0;
        mine.value = 1e9;
        mine.of = -1;
        for (int i = 0; i < count; i++) {
            u[i] = cos(u[i] + 0.01 * (first + i));
            if (fabs(u[i]) > large)
                large = fabs(u[i]);
            if (u[i] < mine.value) {
                mine.value = u[i];
                mine.of = first + i;
            }
        }
        struct peak top = {large, rank};
        MPI_Allreduce(MPI_IN_PLACE, &top, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
        MPI_Reduce(&mine, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, 0, MPI_COMM_WORLD);
        if (rank == 0 && step % 10 == 0)
            printf("%d: %.12g, least %.12g in row %d\n", step, top.value, least.value, least.of);
    }
    free(u);
    MPI_Finalize();
    return 0;
}
