/* SPDX-License-Identifier: BSD-3-Clause
 * Quicksort down a tree of communicators, each split into those who have what is small and those
 * who have what is large. The point is at the leaves, under all frames of the recursion. */
#include "point.h"

enum { KEYS = 200 };

static unsigned long points, sum;

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

typedef struct {
    int *key, n;
} keys_t;

/* Those of all of COMM that are less than PIVOT, or not, shared among WANTED. */
static keys_t of_my_side(MPI_Comm comm, keys_t mine, int pivot, int low, int half)
{
    int size, rank, *counts, *places, all = 0;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    counts = malloc(2 * sizeof *counts * (size_t)size);
    places = counts + size;
    MPI_Allgather(&mine.n, 1, MPI_INT, counts, 1, MPI_INT, comm);
    for (int i = 0; i < size; i++) {
        places[i] = all;
        all += counts[i];
    }
    int *every = malloc(sizeof *every * (size_t)(all + 1));
    MPI_Allgatherv(mine.key, mine.n, MPI_INT, every, counts, places, MPI_INT, comm);
    keys_t kept = {malloc(sizeof *every * (size_t)(all + 1)), 0};
    int turn = 0, of = low ? half : size - half, place = low ? rank : rank - half;
    for (int i = 0; i < all; i++)
        if ((every[i] < pivot) == low && turn++ % of == place)
            kept.key[kept.n++] = every[i];
    free(every);
    free(counts);
    free(mine.key);
    return kept;
}

static keys_t sort(MPI_Comm comm, keys_t mine)
{
    int size, rank;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    if (size == 1) {
        XMPI_Point();
        points++;
        qsort(mine.key, (size_t)mine.n, sizeof *mine.key, compare);
        return mine;
    }
    MPI_Comm part;
    int half = size / 2, pivot = mine.n > 0 ? mine.key[mine.n / 2] : 0;
    MPI_Bcast(&pivot, 1, MPI_INT, 0, comm);
    mine = of_my_side(comm, mine, pivot, rank < half, half);
    MPI_Comm_split(comm, rank < half, rank, &part);
    mine = sort(part, mine);
    long own = mine.n, both;
    MPI_Allreduce(&own, &both, 1, MPI_LONG, MPI_SUM, part); /* made again while it was in use */
    sum += (unsigned long)both;
    MPI_Comm_free(&part);
    return mine;
}

int main(int argc, char **argv)
{
    int rank, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    srand(11u + (unsigned)rank);
    for (int step = 0; step < n; step++) {
        keys_t mine = {malloc(KEYS * sizeof(int)), KEYS};
        for (int i = 0; i < KEYS; i++)
            mine.key[i] = rand() % 10000;
        mine = sort(MPI_COMM_WORLD, mine);
        for (int i = 0; i < mine.n; i++)
            sum = mix(sum, mine.key[i]);
        free(mine.key);
    }
    say("quicksort", sum + points);
    MPI_Finalize();
    return 0;
}
