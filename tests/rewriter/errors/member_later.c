#include <mpi.h>
#include <stdlib.h>

typedef struct {
    int rank, size, n, first, count, middle;
} part_t;

static void relax(const part_t *part, double *u)
{
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        for (int i = 0; i < part->count; i++)
            u[i] += part->first + i;
        u[part->middle - part->first] += 1;
    }
}

/* What main computes from the range is used behind a pointer. */
int main(int argc, char **argv)
{
    part_t part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &part.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &part.size);
    part.n = 60;
    part.first = part.rank * part.n / part.size;
    part.count = (part.rank + 1) * part.n / part.size - part.first;
    part.middle = part.first + part.count / 2;
    double *u = calloc(part.count, sizeof *u);
    relax(&part, u);
    MPI_Finalize();
    return 0;
}
