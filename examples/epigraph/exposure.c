/* SPDX-License-Identifier: BSD-3-Clause
 * Exposures and their way. */
#include <stdio.h>
#include <stdlib.h>

#include "exposure.h"

/* Room for N more. */
static int reserve(struct exposures *list, size_t n)
{
    if (list->failed || list->n + n <= list->capacity)
        return !list->failed;
    size_t capacity = 2 * list->capacity + n + 64;
    struct exposure *item = realloc(list->item, capacity * sizeof *item);
    if (item == NULL) {
        list->failed = 1;
        return 0;
    }
    list->item = item;
    list->capacity = capacity;
    return 1;
}

void exposures_add(struct exposures *list, int who, int source)
{
    if (reserve(list, 1))
        list->item[list->n++] = (struct exposure){who, source};
}

void exposures_free(struct exposures *list)
{
    free(list->item);
    *list = (struct exposures){0};
}

/* The process of WHO: the last one that begins there or before. Processes without persons begin
 * where the next one does. */
static int owner(const int *displs, int size, int who)
{
    int low = 0, high = size;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (displs[middle] <= who)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void stop(MPI_Comm comm)
{
    fprintf(stderr, "epigraph: there is no memory for the exposures of a step\n");
    MPI_Abort(comm, 2);
}

/* Numbers of integers that go to each process and come from it, and where they begin. */
struct mail {
    int *send, *send_at, *receive, *receive_at;
};

static struct mail mail_make(int size, MPI_Comm comm)
{
    int *memory = calloc(4 * (size_t)size, sizeof *memory);
    if (memory == NULL)
        stop(comm);
    return (struct mail){memory, memory + size, memory + 2 * size, memory + 3 * size};
}

static void positions(const int *count, int *at, int size)
{
    at[0] = 0;
    for (int i = 1; i < size; i++)
        at[i] = at[i - 1] + count[i - 1];
}

/* The exposures in the order of the processes that they go to. */
static struct exposure *sort(const struct exposures *list, const int *displs, int size,
                             const struct mail *mail, MPI_Comm comm)
{
    struct exposure *sorted = malloc((list->n + 1) * sizeof *sorted);
    int *next = malloc((size_t)size * sizeof *next);
    if (sorted == NULL || next == NULL || list->failed)
        stop(comm);
    for (int i = 0; i < size; i++)
        next[i] = mail->send_at[i] / 2;
    for (size_t i = 0; i < list->n; i++)
        sorted[next[owner(displs, size, list->item[i].who)]++] = list->item[i];
    free(next);
    return sorted;
}

void exposures_deliver(const struct exposures *list, const int *displs, MPI_Comm comm,
                       struct exposures *arrived)
{
    int size;
    MPI_Comm_size(comm, &size);
    struct mail mail = mail_make(size, comm);
    for (size_t i = 0; i < list->n; i++)
        mail.send[owner(displs, size, list->item[i].who)] += 2;
    positions(mail.send, mail.send_at, size);
    struct exposure *sorted = sort(list, displs, size, &mail, comm);
    MPI_Alltoall(mail.send, 1, MPI_INT, mail.receive, 1, MPI_INT, comm);
    positions(mail.receive, mail.receive_at, size);
    int come = (mail.receive_at[size - 1] + mail.receive[size - 1]) / 2;
    if (!reserve(arrived, (size_t)come + 1))
        stop(comm);
    MPI_Alltoallv(sorted, mail.send, mail.send_at, MPI_INT32_T, arrived->item + arrived->n,
                  mail.receive, mail.receive_at, MPI_INT32_T, comm);
    arrived->n += (size_t)come;
    free(sorted);
    free(mail.send);
}
