/* SPDX-License-Identifier: BSD-3-Clause
 * Calls at the edges of what the waiting mode replaces: partners that are not there, persistent
 * collectives, non-blocking I/O, generalized requests, calls that fail, memory that others access.
 * Prints what they gave: the same in both modes. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xmpi.h>

static int rank, size, naps;

/* In the place of libc's: how often the library has slept. */
int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    naps++;
    return clock_nanosleep(CLOCK_MONOTONIC, 0, wanted, left);
}

static void late(int who)
{
    if (rank == who)
        clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = 20000000}, NULL);
}

static int class_of(int code)
{
    int class = -1;
    MPI_Error_class(code, &class);
    return class;
}

static void show(const char *what, const int *values, int n)
{
    char mine[256] = "", *all = malloc((size_t)size * sizeof mine);
    for (int i = 0; i < n; i++)
        snprintf(mine + strlen(mine), sizeof mine - strlen(mine), " %d", values[i]);
    PMPI_Gather(mine, sizeof mine, MPI_CHAR, all, sizeof mine, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++)
        printf("%s %d%s\n", what, i, all + (size_t)i * sizeof mine);
    free(all);
}

static void nobody_there(void)
{
    MPI_Status status = {.MPI_SOURCE = 77, .MPI_TAG = 77};
    int number = 5, count;
    MPI_Recv(&number, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    show("no source",
         (int[]){status.MPI_SOURCE == MPI_PROC_NULL, status.MPI_TAG == MPI_ANY_TAG, count}, 3);
    MPI_Sendrecv(&rank, 1, MPI_INT, MPI_PROC_NULL, 3, &number, 1, MPI_INT, MPI_PROC_NULL, 3,
                 MPI_COMM_WORLD, &status);
    show("no partner",
         (int[]){status.MPI_SOURCE == MPI_PROC_NULL, status.MPI_TAG == MPI_ANY_TAG, number}, 3);
    MPI_Probe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status);
    show("no probe", (int[]){status.MPI_SOURCE == MPI_PROC_NULL}, 1);
}

static void persistent_collectives(void)
{
    int value = rank == 0 ? 42 : -1, mine = rank + 1, sum = 0;
    MPI_Request request[3];
    MPI_Bcast_init(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]);
    MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request[2]);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request[rank % 2]);
        late(i);
        MPI_Start(&request[1 - rank % 2]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        MPI_Start(&request[2]);
        MPI_Wait(&request[2], MPI_STATUS_IGNORE);
        show("persistent", (int[]){value, sum}, 2);
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&request[i]);
}

static int nothing_to_tell(void *extra, MPI_Status *status)
{
    (void)extra;
    MPI_Status_set_elements(status, MPI_INT, 1);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int nothing_to_free(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int nothing_to_cancel(void *extra, int complete)
{
    (void)extra;
    (void)complete;
    return MPI_SUCCESS;
}

static void files(void)
{
    enum { N = 4 };
    int numbers[N] = {rank, 10 + rank, 20 + rank, 30 + rank}, read[N] = {0}, index, flag = 0;
    MPI_File file;
    MPI_Request request[N];
    MPI_File_open(MPI_COMM_WORLD, "numbers", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (int i = 0; i < N; i++)
        MPI_File_iwrite_at(file, (MPI_Offset)(N * rank + i) * (MPI_Offset)sizeof(int), &numbers[i],
                           1, MPI_INT, &request[i]);
    MPI_Waitany(N, request, &index, MPI_STATUS_IGNORE);
    MPI_Waitall(N, request, MPI_STATUSES_IGNORE);
    MPI_File_set_view(file, (MPI_Offset)(N * rank) * (MPI_Offset)sizeof(int), MPI_INT, MPI_INT,
                      "native", MPI_INFO_NULL);
    MPI_File_iread_all(file, read, N, MPI_INT, &request[0]);
    while (!flag)
        MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_iwrite_all(file, numbers, N, MPI_INT, &request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    show("file", read, N);
    MPI_Grequest_start(nothing_to_tell, nothing_to_free, nothing_to_cancel, NULL, &request[0]);
    MPI_Grequest_complete(request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    show("own request", (int[]){request[0] == MPI_REQUEST_NULL}, 1);
}

static int handled;

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    handled++;
}

/* What fails here, and only on some, must not be waited for by the others. */
static void failures(void)
{
    int value = rank, sum[2] = {0, 0}, code = 0, last = size - 1;
    MPI_Comm comm;
    MPI_Errhandler handler;
    MPI_Status status;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    if (rank == 0)
        code = MPI_Reduce(sum, sum, 1, MPI_INT, MPI_SUM, 0, comm);
    show("reduce in place of itself", (int[]){class_of(code), handled}, 2);
    if (rank == 0)
        code = MPI_Allreduce(&value, sum, 1, MPI_BYTE, MPI_MAX, comm);
    show("allreduce of bytes", (int[]){class_of(code), handled}, 2);
    if (rank == 0)
        code = MPI_Reduce(&value, sum, 1, MPI_INT, MPI_SUM, size, comm);
    show("reduce to nobody", (int[]){class_of(code), handled}, 2);
    late(0);
    MPI_Allreduce(&value, sum, 1, MPI_INT, MPI_SUM, comm);
    if (rank == last)
        MPI_Send((int[]){1, 2}, 2, MPI_INT, 0, 4, comm);
    if (rank == 0)
        code = MPI_Recv(&value, 1, MPI_INT, last, 4, comm, &status);
    show("too long", (int[]){class_of(code), handled, sum[0]}, 3);
    if (rank == last)
        MPI_Send((int[]){1, 2}, 2, MPI_INT, 0, 5, comm);
    if (rank == 0)
        code = MPI_Sendrecv(&value, 1, MPI_INT, MPI_PROC_NULL, 5, sum, 1, MPI_INT, last, 5, comm,
                            &status);
    show("too long, and a send", (int[]){class_of(code), handled}, 2);
    if (rank == 0)
        code = MPI_Sendrecv(&value, 1, MPI_INT, size, 6, sum, 1, MPI_INT, last, 6, comm, &status);
    if (rank == last)
        MPI_Send(&last, 1, MPI_INT, 0, 6, comm);
    show("to nobody", (int[]){class_of(code), handled}, 2);
    if (rank == 0)
        MPI_Recv(&value, 1, MPI_INT, last, 6, comm, MPI_STATUS_IGNORE);
    show("after it", &value, 1);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
}

/* Who waits serves the others' accesses meanwhile. */
static void windows(void)
{
    int *memory, before = naps;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    late(0);
    MPI_Barrier(MPI_COMM_WORLD);
    show("naps beside a window", (int[]){naps - before}, 1);
    MPI_Win_free(&window);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    nobody_there();
    persistent_collectives();
    files();
    failures();
    windows();
    MPI_Finalize();
    return 0;
}
