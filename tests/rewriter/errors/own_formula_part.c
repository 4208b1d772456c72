#include <mpi.h>
#include <stdlib.h>

struct part {
    int first, count, middle;
};

static void divide(struct part *p, int n, int rank, int size)
{
    p->first = n * rank / size;
    p->count = n * (rank + 1) / size - p->first;
    p->middle = p->first + p->count / 2;
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
        for (int i = p.first; i < p.middle; i++)
            u[i - p.first] += i;
    MPI_Finalize();
    return 0;
}
