/* SPDX-License-Identifier: BSD-3-Clause
 * Rank 0 gives out work, the others ask for it: who computes what depends on who asks first, the
 * result does not. */
#include "point.h"

enum { TASKS = 12, ASK = 1, TASK, RESULT };

static double compute(int task, double seed)
{
    double x = seed + task;
    for (int i = 0; i < 200; i++)
        x = x / 2 + 1 / (x + i + 1);
    return x;
}

static unsigned long master(int size, double seed, unsigned long sum)
{
    double result[TASKS];
    int given = 0, done = 0, stopped = 0;
    while (done < TASKS || stopped < size - 1) {
        struct {
            int task;
            double value;
        } message;
        MPI_Status status;
        MPI_Recv(&message, sizeof message, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                 &status);
        if (status.MPI_TAG == RESULT) {
            result[message.task] = message.value;
            done++;
            continue;
        }
        int task = given < TASKS ? given++ : -1;
        stopped += task < 0;
        MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, TASK, MPI_COMM_WORLD);
    }
    for (int i = 0; i < TASKS; i++)
        sum = mix(sum, result[i] + seed);
    return sum;
}

static void worker(double seed)
{
    for (;;) {
        struct {
            int task;
            double value;
        } message = {0, 0};
        MPI_Send(&message, sizeof message, MPI_BYTE, 0, ASK, MPI_COMM_WORLD);
        MPI_Recv(&message.task, 1, MPI_INT, 0, TASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (message.task < 0)
            return;
        message.value = compute(message.task, seed);
        MPI_Send(&message, sizeof message, MPI_BYTE, 0, RESULT, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    unsigned long sum = 0;
    for (int step = 0; step < n; step++) {
        double seed = step * 0.25;
        XMPI_Point();
        if (rank == 0)
            sum = size > 1 ? master(size, seed, sum) : sum;
        else
            worker(seed);
        MPI_Barrier(
            MPI_COMM_WORLD); /* nobody asks in the next step before all have ended this one */
    }
    say("workers", sum);
    MPI_Finalize();
    return 0;
}
