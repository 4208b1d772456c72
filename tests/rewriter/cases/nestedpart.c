/* A struct in a struct, reached by dots only. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct part {
    int rank, size;
    int rows, count, displ;
};

struct world {
    struct part part;
    double *u;
};

int main(int argc, char **argv)
{
    struct world w;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &w.part.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w.part.size);
    w.part.rows = argc > 1 ? atoi(argv[1]) : 33;
    w.part.displ = w.part.rows * w.part.rank / w.part.size;
    w.part.count = w.part.rows * (w.part.rank + 1) / w.part.size - w.part.displ;
    w.u = calloc((size_t)w.part.count, sizeof(double));
    double sum = 0;
#pragma xmpi loop
    for (int k = 0; k < 12; k++) {
        double own = 0;
        for (int i = 0; i < w.part.count; i++) {
            w.u[i] = 0.5 * w.u[i] + (w.part.displ + i) % 7;
            own += w.u[i];
        }
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (w.part.rank == 0)
        printf("result %.9g\n", sum);
    free(w.u);
    MPI_Finalize();
    return 0;
}
