/* The loop exchanges pointers to the structs: which is which, a joining process could not know. */
#include <mpi.h>
#include <stdlib.h>

struct grid {
    int first, count;
    double *u;
};

static void make(struct grid *g, int first, int count)
{
    g->first = first;
    g->count = count;
    g->u = calloc(count, sizeof *g->u);
}

int main(int argc, char **argv)
{
    int rank, size, n = 50;
    struct grid a, b, *now = &a, *next = &b;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    make(&a, first, count);
    make(&b, first, count);
#pragma xmpi loop
    for (int t = 0; t < 10; t++) {
        for (int i = 0; i < count; i++)
            next->u[i] = now->u[i] + i;
        struct grid *swap = now;
        now = next;
        next = swap;
    }
    MPI_Finalize();
    return 0;
}
