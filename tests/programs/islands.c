/* A genetic algorithm: individuals are rows of genes, the best one of each generation goes to all. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POP 48
#define GENES 12

struct best {
    double value;
    int where;
};

/* A number that depends on generation, individual and gene only. */
static unsigned mix(unsigned g, unsigned i, unsigned j)
{
    unsigned h = g * 0x9E3779B1u ^ i * 0x85EBCA77u ^ j * 0xC2B2AE3Du;
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    return h ^ h >> 12;
}

static double fitness(const int *genes)
{
    double f = 0;
    for (int j = 0; j < GENES; j++)
        f += (genes[j] % 10) * (j + 1) - (j > 0 && genes[j] == genes[j - 1] ? 20 : 0);
    return f;
}

static int *population;
static int champion[GENES];

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int mine = POP / size + (rank < POP % size), first = 0;
    for (int r = 0; r < rank; r++)
        first += POP / size + (r < POP % size);
    population = malloc(mine * GENES * sizeof *population);
    for (int i = 0; i < mine; i++)
        for (int j = 0; j < GENES; j++)
            population[i * GENES + j] = (int)(mix(0, first + i, j) % 10);

    struct best own, all;
#pragma xmpi loop
    for (unsigned generation = 1; generation <= 25; generation++) {
        own.value = -1e9;
        own.where = -1;
        for (int i = 0; i < mine; i++) {
            double f = fitness(&population[i * GENES]);
            if (f > own.value) {
                own.value = f;
                own.where = first + i;
            }
        }
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
        int holder = all.where >= first && all.where < first + mine ? rank : 0, root;
        MPI_Allreduce(&holder, &root, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        if (rank == root)
            memcpy(champion, &population[(all.where - first) * GENES], sizeof champion);
        MPI_Bcast(champion, GENES, MPI_INT, root, MPI_COMM_WORLD);
        for (int i = 0; i < mine; i++)
            for (int j = 0; j < GENES; j++) {
                unsigned dice = mix(generation, first + i, j) % 100;
                if (dice < 40)
                    population[i * GENES + j] = champion[j];
                else if (dice < 50)
                    population[i * GENES + j] = (int)(dice % 10);
            }
    }
    if (rank == 0) {
        printf("best %g:", all.value);
        for (int j = 0; j < GENES; j++)
            printf(" %d", champion[j]);
        printf("\n");
    }
    free(population);
    MPI_Finalize();
    return 0;
}
