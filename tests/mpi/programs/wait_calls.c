/* SPDX-License-Identifier: BSD-3-Clause
 * Makes every blocking call that the waiting mode replaces, with someone who comes late, and prints
 * what they gave: the same in both modes. With the argument latency instead: the seconds that a
 * message takes there and back, and the CPU seconds of a second of waiting. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xmpi.h>

static int rank, size;

static void late(int who)
{
    if (rank == who)
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

static void show(const char *call, const double *values, int n)
{
    char mine[256] = "", *all = malloc((size_t)size * sizeof mine);
    for (int i = 0; i < n; i++)
        snprintf(mine + strlen(mine), sizeof mine - strlen(mine), " %.17g", values[i]);
    PMPI_Gather(mine, sizeof mine, MPI_CHAR, all, sizeof mine, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++)
        printf("%s %d%s\n", call, i, all + (size_t)i * sizeof mine);
    free(all);
}

static void show_message(const char *call, const double *values, MPI_Status status)
{
    int count;
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    double list[] = {values[0], values[1], status.MPI_SOURCE, status.MPI_TAG, count};
    show(call, list, 5);
}

static void point_to_point(void)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    double mine[2] = {rank + 0.5, -rank}, other[2] = {0, 0};
    MPI_Status status, statuses[2];
    MPI_Request request[2];
    MPI_Message message;
    int index, done, indices[2];

    late(1);
    if (rank % 2 == 0) {
        MPI_Send(mine, 2, MPI_DOUBLE, next, 5, MPI_COMM_WORLD);
        MPI_Recv(other, 2, MPI_DOUBLE, last, 5, MPI_COMM_WORLD, &status);
    } else {
        MPI_Recv(other, 2, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Ssend(mine, 2, MPI_DOUBLE, next, 5, MPI_COMM_WORLD);
    }
    show_message("recv", other, status);
    late(2);
    MPI_Sendrecv(mine, 1, MPI_DOUBLE, last, 6, other, 2, MPI_DOUBLE, next, 6, MPI_COMM_WORLD,
                 &status);
    show_message("sendrecv", other, status);
    MPI_Sendrecv(mine, 2, MPI_DOUBLE, rank > 0 ? rank - 1 : MPI_PROC_NULL, 6, other, 2, MPI_DOUBLE,
                 rank < size - 1 ? rank + 1 : MPI_PROC_NULL, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    show("sendrecv at the ends", other, 2);
    for (int kind = 0; kind < 4; kind++) {
        MPI_Irecv(other, 2, MPI_DOUBLE, last, 7, MPI_COMM_WORLD, &request[0]);
        late(kind % size);
        MPI_Isend(mine, 2, MPI_DOUBLE, next, 7, MPI_COMM_WORLD, &request[1]);
        if (kind == 0) {
            MPI_Wait(&request[0], &statuses[0]);
            MPI_Wait(&request[1], MPI_STATUS_IGNORE);
        } else if (kind == 1) {
            MPI_Waitall(2, request, statuses);
        } else if (kind == 2) {
            MPI_Waitany(1, request, &index, &statuses[0]);
            MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
            MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE); /* nothing is left */
            show("waitany", (double[]){index == MPI_UNDEFINED}, 1);
        } else {
            MPI_Waitsome(1, request, &done, indices, statuses);
            MPI_Waitsome(1, &request[1], &index, indices, MPI_STATUSES_IGNORE);
            MPI_Waitsome(2, request, &index, indices, MPI_STATUSES_IGNORE);
            show("waitsome", (double[]){done, index == MPI_UNDEFINED}, 2);
        }
        show_message("wait", other, statuses[0]);
    }
    MPI_Isend(mine, 2, MPI_DOUBLE, next, 8, MPI_COMM_WORLD, &request[0]);
    MPI_Probe(last, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Recv(other, 2, MPI_DOUBLE, last, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    show_message("probe", other, status);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    late(0);
    MPI_Isend(mine, 2, MPI_DOUBLE, next, 9, MPI_COMM_WORLD, &request[0]);
    MPI_Mprobe(last, 9, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(other, 2, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
    show_message("mprobe", other, status);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
}

static void collectives(void)
{
    double mine[4] = {1. / (rank + 3), rank, 1e16 / (rank + 1), -rank}, all[64] = {0};
    int counts[16], displs[16];
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        displs[i] = size - 1 - i;
    }
    late(1);
    MPI_Barrier(MPI_COMM_WORLD);
    late(0);
    MPI_Bcast(mine + 1, 1, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
    show("bcast", mine, 2);
    MPI_Gather(mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 1 % size, MPI_COMM_WORLD);
    MPI_Gatherv(mine, 1, MPI_DOUBLE, all + 16, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    late(2);
    MPI_Scatter(all, 1, MPI_DOUBLE, all + 32, 1, MPI_DOUBLE, 1 % size, MPI_COMM_WORLD);
    MPI_Scatterv(all + 16, counts, displs, MPI_DOUBLE, all + 33, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    show("scatter", all + 32, 2);
    MPI_Allgather(mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    show("allgather", all, size);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, displs, MPI_DOUBLE,
                   MPI_COMM_WORLD);
    show("allgatherv", all, size);
    MPI_Alltoall(all, 1, MPI_DOUBLE, all + 16, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Alltoallv(all, counts, displs, MPI_DOUBLE, all + 32, counts, displs, MPI_DOUBLE,
                  MPI_COMM_WORLD);
    show("alltoall", all + 16, size);
    show("alltoallv", all + 32, size);
    late(3);
    MPI_Allreduce(mine, all, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    show("allreduce", all, 4);
    MPI_Reduce(mine, all, 4, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    show("reduce", all, 4);
    MPI_Scan(mine, all, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    show("scan", all, 4);
    MPI_Exscan(mine, all, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    show("exscan", all, rank > 0 ? 4 : 0);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    show("reduce_scatter", all, 1);
}

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void latency(void)
{
    enum { ROUNDS = 2000 };
    char byte = 0;
    for (int i = 0; i < 2; i++) {
        double start = seconds_of(CLOCK_MONOTONIC);
        for (int k = 0; k < ROUNDS; k++)
            if (rank == 0) {
                MPI_Send(&byte, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
                MPI_Recv(&byte, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } else if (rank == 1) {
                MPI_Recv(&byte, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Send(&byte, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
            }
        if (i == 1 && rank == 0)
            printf("pingpong %g\n", (seconds_of(CLOCK_MONOTONIC) - start) / ROUNDS);
    }
    double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    if (rank == 0)
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    if (rank == 1)
        MPI_Send(&cpu, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&cpu, 1, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("cpu %g\n", cpu);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1 && strcmp(argv[1], "latency") == 0) {
        latency();
    } else {
        point_to_point();
        collectives();
    }
    MPI_Finalize();
    return 0;
}
