/* A wave on a ring: two ghost cells on each side, the ends of the string are neighbours. What is
 * known by a pragma, and the layout of the program is there again when equal blocks are gathered.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 48;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int chunk = n / size;
    if (rank == size - 1)
        chunk += n % size;
    int first = rank * (n / size);
    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;
    long *wave = malloc((size_t)(chunk + 4) * sizeof *wave);
    long *next = malloc((size_t)chunk * sizeof *next);
    for (int i = 0; i < chunk; i++)
        wave[i + 2] = (first + i) * (first + i) % 101;
#pragma xmpi data halo(wave[n]: 2) distributed(next[n])
#pragma xmpi loop restore
    for (int step = 0; step < 30; step++) {
        MPI_Sendrecv(&wave[2], 2, MPI_LONG, left, 1, &wave[chunk + 2], 2, MPI_LONG, right, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&wave[chunk], 2, MPI_LONG, right, 2, &wave[0], 2, MPI_LONG, left, 2,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < chunk; i++)
            next[i] = (wave[i] + 3 * wave[i + 1] + wave[i + 3] + 2 * wave[i + 4] + step) % 1009;
        for (int i = 0; i < chunk; i++)
            wave[i + 2] = next[i];
        if (wave[2] < 0)
            return 1;
    }
    long own = 0, *all = malloc((size_t)size * sizeof *all), mixed = 0;
    for (int i = 0; i < chunk; i++)
        own += wave[i + 2] * (rank * (n / size) + i);
    MPI_Allgather(&own, 1, MPI_LONG, all, 1, MPI_LONG, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        mixed += all[r];
    if (rank == 0)
        printf("result %ld\n", mixed);
    free(all);
    free(wave);
    free(next);
    MPI_Finalize();
    return 0;
}
