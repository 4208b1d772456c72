/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators that are split, duplicated and joined by intercommunicators in each iteration, and
 * live for some of them. */
#include "point.h"

enum { LIVES = 5 };

static MPI_Comm kept[LIVES], between[LIVES];

static void drop(int slot)
{
    if (kept[slot] != MPI_COMM_NULL)
        MPI_Comm_free(&kept[slot]);
    if (between[slot] != MPI_COMM_NULL)
        MPI_Comm_free(&between[slot]);
}

/* Two halves that a step chooses; who is alone in it has no other half. */
static void make(int slot, int step, int rank, int size)
{
    int first = 1 + step % (size - 1);
    int low = rank < first;
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, low, step % 2 ? rank : -rank, &half);
    MPI_Comm_dup(half, &kept[slot]);
    /* the leaders are rank 0 of each half, in the order that the key gives */
    int low_leader = step % 2 ? 0 : first - 1, high_leader = step % 2 ? first : size - 1;
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? high_leader : low_leader, step % 100,
                         &between[slot]);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    int rank, size, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < LIVES; i++)
        kept[i] = between[i] = MPI_COMM_NULL;
    unsigned long sum = (unsigned long)rank;
    for (int step = 0; step < n; step++) {
        XMPI_Point();
        drop(step % LIVES);
        make(step % LIVES, step, rank, size);
        for (int i = 0; i < LIVES && i <= step; i++) {
            double mine = rank + step, here, there;
            int place;
            MPI_Comm_rank(kept[i], &place);
            MPI_Scan(&mine, &here, 1, MPI_DOUBLE, MPI_SUM, kept[i]);
            MPI_Allreduce(&mine, &there, 1, MPI_DOUBLE, MPI_SUM, between[i]);
            sum = mix(sum, here + 1000 * there + place);
        }
    }
    for (int i = 0; i < LIVES; i++)
        drop(i);
    say("splits", sum);
    MPI_Finalize();
    return 0;
}
