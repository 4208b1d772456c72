/* SPDX-License-Identifier: BSD-3-Clause
 * A program that runs with three processes only, and has what its loop's state does not keep: a
 * list and a sum of each rank, random numbers of the C library, another rank's communicator. With as
 * many members as before it goes elsewhere as it is, with all of that. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
    struct item *next;
    int value;
};

static int sum;

int main(int argc, char **argv)
{
    int rank, size, rows = 30, steps = argc > 1 ? atoi(argv[1]) : 20, step;
    struct item *list = NULL;
    MPI_Comm pair;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 3)
        exit(1);
    int count = rows / size, first = rank * count;
    double *u = calloc((size_t)count, sizeof *u);
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &pair);
    srand((unsigned)rank);
#pragma xmpi loop state(rows(u[rows] from first, count), same(step), scratch(sum, list))
    for (step = 0; step < steps; step++) {
        struct item *item = malloc(sizeof *item);
        int all;
        item->next = list;
        item->value = rand() % 1000;
        list = item;
        MPI_Allreduce(&item->value, &all, 1, MPI_INT, MPI_SUM, pair);
        sum += all + rank;
        for (int i = 0; i < count; i++)
            u[i] += first + i + all % 7;
    }
    for (struct item *item = list; item != NULL; item = item->next)
        sum = sum * 31 % 1000003 + item->value;
    double mine[2] = {sum, 0}, every[6];
    for (int i = 0; i < count; i++)
        mine[1] += u[i];
    MPI_Gather(mine, 2, MPI_DOUBLE, every, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 3 && rank == 0; i++)
        printf("moves %d %.0f %.0f\n", i, every[2 * i], every[2 * i + 1]);
    MPI_Finalize();
    return 0;
}
