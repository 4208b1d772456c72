/* A wave on a ring of cells that two functions step. One function of the file divides the cells and tells who the
 * neighbours are, in a struct; main also knows the ring, and hands it on. All of it is known to follow the rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct part {
    int first, cells;
    int before, after; /* at the ends nobody */
    int is_last;
};

static void divide(int n, int rank, int size, struct part *part)
{
    part->first = (int)((long)n * rank / size);
    part->cells = (int)((long)n * (rank + 1) / size) - part->first;
    part->before = rank == 0 ? MPI_PROC_NULL : rank - 1;
    part->after = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
    part->is_last = rank + 1 == size;
}

static void exchange(long *u, const struct part *part)
{
    MPI_Sendrecv(&u[1], 1, MPI_LONG, part->before, 0, &u[part->cells + 1], 1, MPI_LONG, part->after, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[part->cells], 1, MPI_LONG, part->after, 1, &u[0], 1, MPI_LONG, part->before, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static long step(long *u, long *next, const struct part *part, const int left, int right, int steps)
{
    long token = 7;
#pragma xmpi loop
    for (int k = 0; k < steps; k++) {
        long own = 0, sum;
        exchange(u, part);
        for (int i = 1; i <= part->cells; i++)
            next[i] = (u[i - 1] + 2 * u[i] + u[i + 1]) % 1009;
        for (int i = 1; i <= part->cells; i++) {
            u[i] = next[i];
            own += u[i];
        }
        if (part->is_last)
            u[part->cells] += 3;
        long got;
        MPI_Sendrecv(&own, 1, MPI_LONG, right, 2, &got, 1, MPI_LONG, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&got, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        token = (token * 31 + sum) % 65521;
    }
    return token;
}

int main(int argc, char **argv)
{
    int rank, size, n = 61;
    struct part part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    divide(n, rank, size, &part);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    long *u = calloc((size_t)part.cells + 2, sizeof *u), *next = calloc((size_t)part.cells + 2, sizeof *next);
    for (int i = 1; i <= part.cells; i++)
        u[i] = next[i] = (part.first + i) * 5 % 23;
    long token = step(u, next, &part, left, right, 30), own = 0, sum = 0;
    for (int i = 1; i <= part.cells; i++)
        own += u[i] * (part.first + i);
    MPI_Reduce(&own, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %ld %ld\n", token, sum);
    free(u);
    free(next);
    MPI_Finalize();
    return 0;
}
