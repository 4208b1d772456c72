/* A table of the process's own that the adaptive loop hands on, and does not look at. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define N 240
struct world {
    int rank, size, first, count;
    double *u;
    long kept;
};

static int look(double *of, double *u, int i)
{
    return 0;
}
int main(int argc, char **argv)
{
    struct world w;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &w.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w.size);
    w.first = w.rank * N / w.size, w.count = (w.rank + 1) * N / w.size - w.first;
    w.u = malloc(w.count * sizeof *w.u);
    long all = 0, kept = 0;
    double *of = calloc(64, sizeof *of);
    for (int i = 0; i < w.count; i++)
        w.u[i] = (w.first + i) % 7;
    w.kept = 0;
    for (int s = 0; s < 4; s++) {
#pragma xmpi loop divisible
        for (int t = 0; t < 50; t++) {
            for (int i = 0; i < w.count; i++)
                w.u[i] = .5 * w.u[i] + (w.first + i) % 5 + .001 * t + look(of, w.u, i);
        }
        of[w.rank] += w.count;
    }
    kept = of[w.rank];
    MPI_Reduce(&kept, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (w.rank == 0)
        printf("%ld\n", all);
    MPI_Finalize();
    return 0;
}
