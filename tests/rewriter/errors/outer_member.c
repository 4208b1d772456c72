/* A member of a struct that a loop around adds own rows to, before the adaptive loop. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define N 240
struct world {
    int rank, size, first, count;
    double *u;
    long kept;
};
static void note(struct world *w)
{
    w->kept += w->count;
}
int main(int argc, char **argv)
{
    struct world w;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &w.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w.size);
    w.first = w.rank * N / w.size, w.count = (w.rank + 1) * N / w.size - w.first;
    w.u = malloc(w.count * sizeof *w.u);
    long all = 0;
    for (int i = 0; i < w.count; i++)
        w.u[i] = (w.first + i) % 7;
    w.kept = 0;
    for (int s = 0; s < 4; s++) {
        w.kept += w.count;
#pragma xmpi loop divisible
        for (int t = 0; t < 50; t++) {
            for (int i = 0; i < w.count; i++)
                w.u[i] = .5 * w.u[i] + (w.first + i) % 5 + .001 * t;
        }
    }
    MPI_Reduce(&w.kept, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (w.rank == 0)
        printf("%ld\n", all);
    MPI_Finalize();
    return 0;
}
