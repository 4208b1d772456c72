/* What a pragma says of the range is of a statement that also communicates and makes the rows; a
 * table of weights is made from what a statement marked as setup hands to all.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct part {
    int n, count, first;
    double *u;
};

static int columns;

static int load(struct part *p, int n, MPI_Comm comm)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Bcast(&n, 1, MPI_INT, 0, comm);
    p->n = n;
    p->first = n * rank / size;
    p->count = n * (rank + 1) / size - p->first;
    p->u = malloc((size_t)p->count * sizeof *p->u);
    for (int i = 0; i < p->count; i++)
        p->u[i] = p->first + i;
    return n < 1;
}

static void agree(int rank)
{
    if (rank == 0)
        columns = 3;
    MPI_Bcast(&columns, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, failed;
    struct part p;
    double largest = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma xmpi domain(p.n) range(p.count, p.first)
    failed = load(&p, 41, MPI_COMM_WORLD);
    if (failed) {
        MPI_Finalize();
        return 1;
    }
#pragma xmpi setup
    agree(rank);
    double *v = calloc((size_t)(p.count * columns), sizeof *v);
#pragma xmpi data distributed(p.u[p.n], v[p.n][columns])
#pragma xmpi loop
    for (int k = 0; k < 24; k++) {
        largest = 0;
        for (int i = 0; i < p.count; i++) {
            p.u[i] = 0.75 * p.u[i] + 1;
            for (int j = 0; j < columns; j++) {
                v[i * columns + j] = 0.5 * v[i * columns + j] + p.u[i] + j;
                largest = v[i * columns + j] > largest ? v[i * columns + j] : largest;
            }
        }
        MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("result %.9g\n", largest);
    free(v);
    free(p.u);
    MPI_Finalize();
    return 0;
}
