/* A library-minded program: it works on a duplicate of the world, and asks that for rank and size.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    MPI_Comm comm;
    int rank, size, first, count;
} part_t;

static void divide(part_t *part, int n)
{
    MPI_Comm_rank(part->comm, &part->rank);
    MPI_Comm_size(part->comm, &part->size);
    part->first = part->rank * n / part->size;
    part->count = (part->rank + 1) * n / part->size - part->first;
}

int main(int argc, char **argv)
{
    int n = 0;
    part_t part;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &part.comm);
    MPI_Comm_rank(part.comm, &part.rank);
    if (part.rank == 0)
        n = 67;
    MPI_Bcast(&n, 1, MPI_INT, 0, part.comm);
    divide(&part, n);
    double *u = malloc((size_t)part.count * sizeof *u), own = 0, energy, sum = 0;
    for (int i = 0; i < part.count; i++)
        u[i] = (part.first + i) % 9;
    for (int i = 0; i < part.count; i++)
        own += u[i];
    MPI_Allreduce(&own, &energy, 1, MPI_DOUBLE, MPI_SUM, part.comm);
    int before = (part.rank + part.size - 1) % part.size, behind = (part.rank + 1) % part.size;
#pragma xmpi loop
    for (int k = 0; k < 40; k++) {
        double left, all;
        MPI_Sendrecv(&u[part.count - 1], 1, MPI_DOUBLE, behind, 0, &left, 1, MPI_DOUBLE, before, 0,
                     part.comm, MPI_STATUS_IGNORE);
        own = 0;
        for (int i = part.count - 1; i >= 0; i--) {
            u[i] = 0.5 * (u[i] + (i > 0 ? u[i - 1] : left));
            own += u[i] * (part.first + i);
        }
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, part.comm);
        sum += all / energy;
    }
    if (part.rank == 0)
        printf("result %.9g\n", sum);
    MPI_Comm_free(&part.comm);
    free(u);
    MPI_Finalize();
    return 0;
}
