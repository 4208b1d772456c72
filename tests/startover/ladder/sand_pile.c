/* SPDX-License-Identifier: BSD-3-Clause
 * Abelian sand pile (Bak, Tang, Wiesenfeld) on a square grid, rows divided among the processes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CRITICAL 4

typedef struct {
    int rows, cols;    /* own rows, columns */
    int offset;        /* global number of the first own row */
    int **now, **next; /* rows 0 and rows + 1 are ghosts */
} pile_t;

static int **alloc_grid(int rows, int cols)
{
    int **g = malloc(rows * sizeof(int *));
    g[0] = calloc((size_t)rows * cols, sizeof(int));
    for (int i = 1; i < rows; i++)
        g[i] = g[i - 1] + cols;
    return g;
}

static void free_grid(int **g)
{
    free(g[0]);
    free(g);
}

static void exchange(int **g, const pile_t *p, int up, int down)
{
    MPI_Sendrecv(g[1], p->cols, MPI_INT, up, 0, g[p->rows + 1], p->cols, MPI_INT, down, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(g[p->rows], p->cols, MPI_INT, down, 1, g[0], p->cols, MPI_INT, up, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* One synchronous toppling; returns how many sites have toppled here. */
static int topple(pile_t *p)
{
    int toppled = 0;
    for (int i = 1; i <= p->rows; i++) {
        for (int j = 0; j < p->cols; j++) {
            int grains = p->now[i][j];
            if (grains >= CRITICAL) {
                grains -= CRITICAL;
                toppled++;
            }
            if (p->now[i - 1][j] >= CRITICAL)
                grains++;
            if (p->now[i + 1][j] >= CRITICAL)
                grains++;
            if (j > 0 && p->now[i][j - 1] >= CRITICAL)
                grains++;
            if (j < p->cols - 1 && p->now[i][j + 1] >= CRITICAL)
                grains++;
            p->next[i][j] = grains;
        }
    }
    return toppled;
}

int main(int argc, char *argv[])
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    const int n = argc > 1 ? atoi(argv[1]) : 64;
    const int max_steps = 40;
    pile_t pile;
    pile.cols = n;
    pile.rows = n / size;
    pile.offset = rank * pile.rows;
    if (rank < n % size) {
        pile.rows++;
        pile.offset += rank;
    } else {
        pile.offset += n % size;
    }
    pile.now = alloc_grid(pile.rows + 2, n);
    pile.next = alloc_grid(pile.rows + 2, n);
    for (int i = 1; i <= pile.rows; i++)
        for (int j = 0; j < n; j++) {
            int gi = pile.offset + i - 1;
            pile.now[i][j] = (gi * 7 + j * 13) % 4;
            if (gi == n / 2 && j == n / 2)
                pile.now[i][j] = 500;
        }

    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    long avalanche = 0;
    int step = 0, active = 1;

#pragma xmpi loop
    while (active && step < max_steps) {
        exchange(pile.now, &pile, up, down);
        int local = topple(&pile), total;
        MPI_Allreduce(&local, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        avalanche += total;
        active = total > 0;
        int **t = pile.now;
        pile.now = pile.next;
        pile.next = t;
        step++;
    }

    long local_grains = 0, grains = 0, local_hash = 0, hash = 0;
    for (int i = 1; i <= pile.rows; i++)
        for (int j = 0; j < n; j++) {
            local_grains += pile.now[i][j];
            local_hash += (long)pile.now[i][j] * ((pile.offset + i) * 31 + j);
        }
    MPI_Reduce(&local_grains, &grains, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&local_hash, &hash, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%d steps, %ld topplings, %ld grains left, hash %ld\n", step, avalanche, grains,
               hash);
    }
    free_grid(pile.now);
    free_grid(pile.next);
    MPI_Finalize();
    return 0;
}
