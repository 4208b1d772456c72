/* Structs in an array of fixed size, set in a function that gets the array. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64

struct cell {
    double x;
    int tag;
};

static void refresh(struct cell v[MOST], int n, int k)
{
    for (int i = 0; i < n; i++)
        v[i].x = 0.5 * v[i].x + (k + i) % 11;
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 33;
    struct cell v[MOST];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int lo = rank * n / size, hi = (rank + 1) * n / size;
    double *u = calloc((size_t)(hi - lo), sizeof *u), sum = 0;
    memset(v, 0, sizeof v);
    if (rank == 0)
        for (int i = 0; i < n; i++)
            v[i].x = i % 7;
    MPI_Bcast(v, (int)sizeof v, MPI_BYTE, 0, MPI_COMM_WORLD);
#pragma xmpi loop
    for (int k = 0; k < 12; k++) {
        double own = 0;
        refresh(v, n, k);
        for (int i = lo; i < hi; i++) {
            u[i - lo] = 0.5 * u[i - lo] + v[i].x;
            own += u[i - lo];
        }
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("result %.9g %d\n", sum, v[0].tag);
    free(u);
    MPI_Finalize();
    return 0;
}
