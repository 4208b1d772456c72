#include <mpi.h>
#include <stdlib.h>

struct part {
    int first, count, last;
};

static void divide(struct part *p, int n, int rank, int size)
{
    p->first = n * rank / size;
    p->last = n * (rank + 1) / size - 1;
    p->count = p->last - p->first + 1;
}

int main(int argc, char **argv)
{
    int rank, size, n = 50;
    struct part p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi domain(n) range(p.count, p.first)
    divide(&p, n, rank, size);
    double *u = calloc(p.count, sizeof *u);
#pragma xmpi loop
    for (int t = 0; t < 10; t++)
        for (int i = p.first; i <= p.last; i++)
            u[i - p.first] += i;
    MPI_Finalize();
    return 0;
}
