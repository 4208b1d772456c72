#include <mpi.h>
#include <stdlib.h>

typedef struct {
    int rank, size, n, first, count;
    int *counts, *displs;
} part_t;

static void divide(part_t *part, int n)
{
    part->n = n;
    part->counts = malloc(part->size * sizeof(int));
    part->displs = malloc(part->size * sizeof(int));
    for (int i = 0; i < part->size; i++) {
        part->displs[i] = i * n / part->size;
        part->counts[i] = (i + 1) * n / part->size - part->displs[i];
    }
    part->first = part->displs[part->rank];
    part->count = part->counts[part->rank];
}

static void relax(const part_t *part, double *all, double *own)
{
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        for (int i = 0; i < part->count; i++)
            own[i] = all[part->first + i] + 1;
        MPI_Allgatherv(own, part->count, MPI_DOUBLE, all, part->counts, part->displs, MPI_DOUBLE,
                       MPI_COMM_WORLD);
    }
}

/* The tables are made in another function than that of the loop. */
int main(int argc, char **argv)
{
    part_t part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &part.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &part.size);
#pragma xmpi domain(60) range(part.count, part.first)
    divide(&part, 60);
    double *all = calloc(part.n, sizeof *all), *own = malloc(part.count * sizeof *own);
    relax(&part, all, own);
    MPI_Finalize();
    return 0;
}
