#include <mpi.h>
#include <stdlib.h>

typedef struct {
    int rank, size;
} world_t;

static world_t *make_world(void)
{
    world_t *world = malloc(sizeof *world);
    MPI_Comm_rank(MPI_COMM_WORLD, &world->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world->size);
    return world;
}

/* Nobody would know where the rank is. */
int main(int argc, char **argv)
{
    int n = 60;
    MPI_Init(&argc, &argv);
    world_t *world = make_world();
    int first = world->rank * n / world->size;
    int count = (world->rank + 1) * n / world->size - first;
    double *u = calloc(count, sizeof *u);
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < count; i++)
            u[i] += first + i + (world->rank == 0);
    MPI_Finalize();
    return 0;
}
