/* Fuel of a fleet on a grid of fields; the part of a process is made by a function that asks MPI itself. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    MPI_Comm comm;
    int rank, size, rows, from, columns;
} part_t;

static inline int at(int i, int j, int columns)
{
    return i * columns + j;
}

static void make_part(part_t *part, int rows, int columns)
{
    part->comm = MPI_COMM_WORLD;
    MPI_Comm_rank(part->comm, &part->rank);
    MPI_Comm_size(part->comm, &part->size);
    part->from = rows * part->rank / part->size;
    part->rows = rows * (part->rank + 1) / part->size - part->from;
    part->columns = columns;
}

int main(int argc, char **argv)
{
    part_t part;
    double top = 0;
    MPI_Init(&argc, &argv);
    make_part(&part, 45, 6);
    double *fuel = malloc((size_t)part.rows * part.columns * sizeof *fuel);
    for (int i = 0; i < part.rows; i++)
        for (int j = 0; j < part.columns; j++)
            fuel[at(i, j, part.columns)] = (part.from + i) * (j + 1) % 19;
#pragma xmpi loop
    for (int day = 0; day < 30; day++) {
        double most = 0;
        for (int i = 0; i < part.rows; i++)
            for (int j = 0; j < part.columns; j++) {
                double *f = &fuel[at(i, j, part.columns)];
                *f = *f * 0.875 + (part.from + i + j + day) % 7;
                if (*f > most)
                    most = *f;
            }
        MPI_Allreduce(&most, &top, 1, MPI_DOUBLE, MPI_MAX, part.comm);
    }
    if (part.rank == 0)
        printf("top %.12g\n", top);
    free(fuel);
    MPI_Finalize();
    return 0;
}
