/* Numbers drawn by hashing, with constants of 64 bits that no signed type holds.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define GOLDEN 0x9E3779B97F4A7C15ULL

static uint64_t hash(uint64_t x)
{
    x += GOLDEN;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    return x ^ (x >> 31);
}

int main(int argc, char **argv)
{
    int rank, size, n = 44;
    uint64_t seed = hash(UINT64_MAX);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    uint64_t *value = malloc((size_t)count * sizeof *value);
    for (int i = 0; i < count; i++)
        value[i] = hash((uint64_t)(first + i) ^ seed);
    uint64_t sum = 0;
#pragma xmpi loop
    for (int k = 0; k < 11; k++) {
        uint64_t own = 0, all;
        for (int i = 0; i < count; i++) {
            value[i] = hash(value[i] + (uint64_t)k);
            own += value[i] > 0xF000000000000000ULL;
        }
        MPI_Allreduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
        sum += all;
    }
    if (rank == 0)
        printf("result %d\n", (int)sum);
    free(value);
    MPI_Finalize();
    return 0;
}
