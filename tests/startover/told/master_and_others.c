/* SPDX-License-Identifier: BSD-3-Clause
 * Results that the master puts together, and all look at behind the loop as they have them. */
/* None: with what becomes of 'results' for '...' */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORK = 1, RESULT, STOP };

static double work(int task, double factor)
{
    double sum = 0;
    for (int i = 1; i < 40; i++)
        sum += sin(factor * i + task) / i;
    return sum;
}

static void serve(double factor)
{
    for (;;) {
        int task;
        double message[2];
        MPI_Status status;
        MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == STOP)
            return;
        message[0] = task;
        message[1] = work(task, factor);
        MPI_Send(message, 2, MPI_DOUBLE, 0, RESULT, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size, tasks = argc > 1 ? atoi(argv[1]) : 20;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *results = calloc(tasks, sizeof *results), factor = 0.1;
#pragma xmpi loop
    for (int r = 0; r < 25; r++) {
        if (rank == 0) {
            int next = 0, done = 0;
            for (int w = 1; w < size && next < tasks; w++, next++)
                MPI_Send(&next, 1, MPI_INT, w, WORK, MPI_COMM_WORLD);
            for (; size == 1 && next < tasks; next++, done++)
                results[next] = 0.5 * results[next] + work(next, factor);
            while (done < tasks) {
                double message[2];
                MPI_Status status;
                MPI_Recv(message, 2, MPI_DOUBLE, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
                results[(int)message[0]] = 0.5 * results[(int)message[0]] + message[1];
                done++;
                if (next < tasks) {
                    MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, WORK, MPI_COMM_WORLD);
                    next++;
                }
            }
            for (int w = 1; w < size; w++)
                MPI_Send(NULL, 0, MPI_INT, w, STOP, MPI_COMM_WORLD);
        } else {
            serve(factor);
        }
        if (rank == 0) {
            double sum = 0;
            for (int i = 0; i < tasks; i++)
                sum += results[i];
            factor = 0.1 + 0.01 * fabs(sum / tasks);
        }
        MPI_Bcast(&factor, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    double sum = 0, all = 0;
    for (int i = 0; i < tasks; i++)
        sum += results[i] * (i + 1);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9e\n", all);
    free(results);
    MPI_Finalize();
    return 0;
}
