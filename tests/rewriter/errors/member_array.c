#include <mpi.h>
#include <stdlib.h>

struct grid {
    int first, count;
    double *u;
};

int main(int argc, char **argv)
{
    int rank, size, n = 50;
    struct grid g;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    g.first = rank * n / size;
    g.count = (rank + 1) * n / size - g.first;
    g.u = malloc(g.count * sizeof *g.u);
    for (int i = 0; i < g.count; i++)
        g.u[i] = g.first + i;
#pragma xmpi loop
    for (int t = 0; t < 10; t++)
        for (int i = 0; i < g.count; i++)
            g.u[i] /= 2;
    MPI_Finalize();
    return 0;
}
