/* What is computed from a whole vector is the same on all ranks: the norm that the loop starts from, and
 * the goal that follows from it. What is computed from a block is summed up first.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static long dot(int n, const long *a, const long *b)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum = (sum + a[i] * b[i]) % 1000003;
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size, n = 47, rounds = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *counts = malloc((size_t)size * sizeof *counts), *displs = malloc((size_t)size * sizeof *displs);
    for (int r = 0, next = 0; r < size; next += counts[r++]) {
        counts[r] = n / size + (size - r <= n % size);
        displs[r] = next;
    }
    int own = counts[rank], first = displs[rank];
    long *residual = malloc(((size_t)own + 1) * sizeof *residual), *direction = malloc((size_t)n * sizeof *direction);
    for (int i = 0; i < own; i++)
        residual[i] = (first + i) * 37 % 101;
    MPI_Allgatherv(residual, own, MPI_LONG, direction, counts, displs, MPI_LONG, MPI_COMM_WORLD);
    long norm = dot(n, direction, direction);
    long goal = norm / 8 + 1;
    long mine = 0, total;
    for (int i = 0; i < own; i++)
        mine += residual[i];
    MPI_Allreduce(&mine, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
#pragma xmpi loop
    while (norm > goal && rounds < 40) {
        for (int i = 0; i < own; i++)
            residual[i] = (residual[i] * 5 + direction[(first + i + 1) % n] + norm % 7) % (total + 1);
        MPI_Allgatherv(residual, own, MPI_LONG, direction, counts, displs, MPI_LONG, MPI_COMM_WORLD);
        norm = dot(n, direction, direction);
        rounds++;
    }
    if (rank == 0)
        printf("result %d %ld %ld %ld\n", rounds, norm, goal, total);
    free(residual);
    free(direction);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
