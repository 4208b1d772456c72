/* SPDX-License-Identifier: BSD-3-Clause
 * Carries MiB of memory along, writes some of it, and allocates little pieces: what moving a whole
 * program takes, and what it takes to run so that it can move. Arguments: MiB; steps; pieces that
 * are allocated and freed in each; parts in a thousand of the memory that each writes; milliseconds
 * that each takes besides. Prints the seconds of the steps, the median of those in which a process
 * went elsewhere, as the program sees it, and how often that was. Two plain processes print the
 * median of what it takes to send what a step writes, to memory that is there and to memory that is
 * not. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifdef PLAIN
#define XMPI_Point() MPI_SUCCESS
#else
#include "xmpi.h"
#endif

enum { KEPT = 1000, MOST = 10000, PAGE = 4096 };

/* The same in all processes of the node. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double *one = a, *other = b;
    return *one < *other ? -1 : *one > *other;
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, compare);
    return n == 0 ? 0 : (values[n / 2] + values[(n - 1) / 2]) / 2;
}

static void allocate(long pieces)
{
    static char *kept[KEPT];
    static unsigned number = 1;
    for (long i = 0; i < pieces; i++) {
        number = number * 1664525u + 1013904223u;
        char **place = &kept[(number >> 8) % KEPT];
        free(*place);
        *place = malloc(16 + (number >> 20) % 500);
        **place = (char)number;
    }
}

static void work(int rank, char *memory, size_t bytes, char **argv, size_t written)
{
    static double still[MOST];
    int steps = atoi(argv[2]), moves = 0;
    const struct timespec besides = {.tv_nsec = atol(argv[5]) * 1000000};
    double start = now();
    for (int step = 0; step < steps; step++) {
        pid_t process = getpid();
        double at = now();
        XMPI_Point();
        if (getpid() != process && moves < MOST)
            still[moves++] = now() - at;
        allocate(atol(argv[3]));
        size_t first = (size_t)step * (written + PAGE) % (bytes - written);
        for (size_t i = 0; i < written; i += PAGE)
            memory[first + i]++;
        memory[(size_t)step * PAGE % bytes]++;
        if (besides.tv_nsec > 0)
            nanosleep(&besides, NULL);
    }
    if (rank == 0)
        printf("%.9f %.9f %d\n", now() - start, median(still, moves), moves);
}

/* Twice N to and from memory, on two processes. */
static double send(int rank, char *memory, size_t n)
{
    double start = now();
    if (rank == 0)
        MPI_Send(memory, (int)n, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(memory, (int)n, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    return now() - start;
}

static void measure_bare(int rank, char *memory, size_t n, int times)
{
    static double there[MOST], fresh[MOST];
    for (int i = 0; i < times && i < MOST; i++) {
        char *none =
            rank == 0 ? memory
                      : mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        MPI_Barrier(MPI_COMM_WORLD);
        there[i] = send(rank, memory, n);
        MPI_Barrier(MPI_COMM_WORLD);
        fresh[i] = send(rank, none, n);
        if (rank != 0)
            munmap(none, n);
    }
    if (rank == 0)
        printf("%.9f %.9f\n", median(there, times), median(fresh, times));
}

int main(int argc, char **argv)
{
    int rank, size;
    size_t bytes = (size_t)atol(argv[1]) << 20, written = bytes / 1000 * (size_t)atol(argv[4]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char *memory = malloc(bytes + 1);
    memset(memory, rank + 1, bytes + 1);
#ifdef PLAIN
    if (size == 2)
        measure_bare(rank, memory, written, atoi(argv[2]));
#endif
    if (size == 1)
        work(rank, memory, bytes, argv, written);
    MPI_Finalize();
    return 0;
}
