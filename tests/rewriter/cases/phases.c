/* Two adaptive loops in main, one after another: a wave is damped, then its energy is summed up in
 * growing powers. What was divided for the first loop serves the second one. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 61;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size);
    int displ = rank * (n / size) + (rank < n % size ? rank : n % size);
    long *wave = malloc((size_t)count * sizeof *wave);
    int *counts = malloc((size_t)size * sizeof *counts);
    int *displs = malloc((size_t)size * sizeof *displs);
    for (int r = 0; r < size; r++) {
        counts[r] = n / size + (r < n % size);
        displs[r] = r * (n / size) + (r < n % size ? r : n % size);
    }
    for (int i = 0; i < count; i++)
        wave[i] = (displ + i) * 7919 % 1009;
#pragma xmpi loop
    for (int step = 0; step < 12; step++) {
        for (int i = 0; i < count; i++)
            wave[i] = (wave[i] * 3 + displ + i + step) % 100003;
    }
    long peak = 0, top = 0;
    for (int i = 0; i < count; i++)
        top = wave[i] > top ? wave[i] : top;
    MPI_Allreduce(&top, &peak, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    long *all = malloc((size_t)n * sizeof *all);
    long energy = 0;
#pragma xmpi loop
    for (int power = 1; power < 14; power++) {
        long own = 0, sum;
        for (int i = 0; i < count; i++)
            own += wave[i] * power % (peak + 1);
        MPI_Allreduce(&own, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            wave[i] = (wave[i] + sum) % 65521;
        MPI_Allgatherv(wave, count, MPI_LONG, all, counts, displs, MPI_LONG, MPI_COMM_WORLD);
        energy += all[power % n] + sum;
    }
    if (rank == 0)
        printf("result %ld %ld %ld\n", peak, energy, all[n - 1]);
    free(wave);
    free(all);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
