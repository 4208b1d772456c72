/* The Ising model with the Metropolis rule on a chequerboard; random numbers by site and sweep. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define L 32

typedef int8_t spin_t;

static inline double draw(uint32_t sweep, uint32_t site)
{
    uint32_t x = sweep * 747796405u + site * 2891336453u + 1u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    x = (x >> 22) ^ x;
    return x / 4294967296.0;
}

static int energy_change(const spin_t *s, int i, int j)
{
    int up = (i + L - 1) % L, down = (i + 1) % L, left = (j + L - 1) % L, right = (j + 1) % L;
    return 2 * s[i * L + j] * (s[up * L + j] + s[down * L + j] + s[i * L + left] + s[i * L + right]);
}

int main(int argc, char **argv)
{
    int rank, size;
    double beta = 0.45;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (L < size) {
        if (rank == 0)
            fprintf(stderr, "at most %d processes\n", L);
        MPI_Finalize();
        return 1;
    }
    int row0 = L * rank / size, row1 = L * (rank + 1) / size;
    int *n = malloc(sizeof(int) * size), *at = malloc(sizeof(int) * size);
    for (int p = 0; p < size; p++) {
        at[p] = L * p / size * L;
        n[p] = L * (p + 1) / size * L - at[p];
    }
    spin_t *spins = malloc(L * L), *mine = malloc((row1 - row0) * L);
    memset(spins, 1, L * L);
    int m = 0;
    double average = 0;
#pragma xmpi loop interval(3)
    for (int sweep = 0; sweep < 20; sweep++) {
        for (int colour = 0; colour < 2; colour++) {
            memcpy(mine, spins + row0 * L, (row1 - row0) * L);
            for (int i = row0; i < row1; i++)
                for (int j = (i + colour) % 2; j < L; j += 2) {
                    int de = energy_change(spins, i, j);
                    if (de <= 0 || draw(sweep, i * L + j) < exp(-beta * de))
                        mine[(i - row0) * L + j] = (spin_t)-mine[(i - row0) * L + j];
                }
            MPI_Allgatherv(mine, (row1 - row0) * L, MPI_INT8_T, spins, n, at, MPI_INT8_T,
                           MPI_COMM_WORLD);
        }
        m = 0;
        for (int k = 0; k < L * L; k++)
            m += spins[k];
        average += abs(m) / (double)(L * L) / 20;
    }
    if (rank == 0)
        printf("magnetisation %d, average %.12f\n", m, average);
    free(spins);
    free(mine);
    free(n);
    free(at);
    MPI_Finalize();
    return 0;
}
