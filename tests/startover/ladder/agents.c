/* SPDX-License-Identifier: BSD-3-Clause
 * Agents as bytes; each has a state of its own for random numbers. */
#include "ladder.h"

typedef struct {
    unsigned seed;
    int position, money;
} agent_t;

static unsigned draw(agent_t *a)
{
    a->seed = a->seed * 1664525u + 1013904223u;
    return a->seed >> 16;
}

static void act(agent_t *agents, int count, int step, int price)
{
    for (int i = 0; i < count; i++) {
        agents[i].position += (int)(draw(&agents[i]) % 3) - 1;
        agents[i].money += agents[i].position > step % 5 ? price : -1;
    }
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40, price = 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size ? 1 : 0), first = rank * (n / size) + (rank < n % size ? rank : n % size);
    agent_t *agents = malloc((count + 1) * sizeof(agent_t));
    for (int i = 0; i < count; i++)
        agents[i] = (agent_t){(unsigned)(first + i), (first + i) % 6, 10};
#pragma xmpi loop
    for (int step = 0; step < 30; step++) {
        int own = 0, rich = 0;
        act(agents, count, step, price);
        for (int i = 0; i < count; i++)
            own += agents[i].money > 10;
        MPI_Allreduce(&own, &rich, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        price = rich > n / 2 ? 1 : 2;
    }
    agent_t *all = rank == 0 ? malloc(n * sizeof(agent_t)) : NULL;
    int *counts = malloc(size * sizeof(int)), *displs = malloc(size * sizeof(int));
    for (int r = 0; r < size; r++) {
        counts[r] = (n / size + (r < n % size ? 1 : 0)) * (int)sizeof(agent_t);
        displs[r] = r ? displs[r - 1] + counts[r - 1] : 0;
    }
    MPI_Gatherv(agents, counts[rank], MPI_BYTE, all, counts, displs, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        long sum = 0;
        for (int i = 0; i < n; i++)
            sum += (i + 1L) * all[i].money + all[i].position;
        printf("%ld\n", sum);
    }
    MPI_Finalize();
    return 0;
}
