/* SPDX-License-Identifier: BSD-3-Clause
 * A program as the rewriter leaves it, without data to speak of: what a reconfiguration costs here
 * is its processes alone.
 *
 * Usage: steady ITERATIONS [SECONDS]. In every iteration the members pause, so that processes that
 * have just ended or parked are out of the way, and meet. With SECONDS, member 0 watches for that
 * long after the last iteration what CPU time the other processes of this program use that are not
 * members, and prints "parked N PERCENT", the greatest share of one core of the N of them. */
#define _GNU_SOURCE
#include <dirent.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "xmpi_gen.h"

enum { ROWS = 1000, PARKED_MAX = 256, PAUSE_MS = 10 };

static void pause_for(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds};
    t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
    nanosleep(&t, NULL);
}

/* Parked processes do not end before the job does. */
static double cpu_of(pid_t pid)
{
    clockid_t clock;
    struct timespec t = {0};
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0) {
        fprintf(stderr, "steady: there is no CPU time of process %d\n", (int)pid);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Whether process PID runs this program. */
static int runs_this(pid_t pid)
{
    char link[64], mine[4096], other[4096];
    ssize_t length = readlink("/proc/self/exe", mine, sizeof mine);
    snprintf(link, sizeof link, "/proc/%d/exe", (int)pid);
    return length > 0 && readlink(link, other, sizeof other) == length &&
           memcmp(mine, other, (size_t)length) == 0;
}

static int is_member(pid_t pid, const int *members, int size)
{
    for (int i = 0; i < size; i++)
        if (members[i] == pid)
            return 1;
    return 0;
}

/* The processes of this program that are not members. */
static int find_parked(const int *members, int size, pid_t *parked)
{
    int n = 0;
    const struct dirent *entry;
    DIR *proc = opendir("/proc");
    while (proc != NULL && n < PARKED_MAX && (entry = readdir(proc)) != NULL) {
        pid_t pid = atoi(entry->d_name);
        if (pid > 0 && runs_this(pid) && !is_member(pid, members, size))
            parked[n++] = pid;
    }
    if (proc != NULL)
        closedir(proc);
    return n;
}

static void watch_parked(const int *members, int size, double seconds)
{
    pid_t parked[PARKED_MAX];
    double before[PARKED_MAX], greatest = 0;
    int n = find_parked(members, size, parked);
    for (int i = 0; i < n; i++)
        before[i] = cpu_of(parked[i]);
    double start = MPI_Wtime();
    pause_for(seconds);
    double elapsed = MPI_Wtime() - start;
    for (int i = 0; i < n; i++) {
        double share = 100 * (cpu_of(parked[i]) - before[i]) / elapsed;
        greatest = share > greatest ? share : greatest;
    }
    printf("parked %d %.6f\n", n, greatest);
}

static void watch(int rank, int size, double seconds)
{
    int pid = getpid(), *members = malloc((size_t)size * sizeof *members);
    if (members == NULL)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Gather(&pid, 1, MPI_INT, members, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        watch_parked(members, size, seconds);
    free(members);
}

int main(int argc, char **argv)
{
    int rank, size, count, displ, it = 0;
    int iterations = argc > 1 ? atoi(argv[1]) : 10;
    double seconds = argc > 2 ? atof(argv[2]) : 0;

    xmpi_gen_program(1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    count = ROWS / size + (rank < ROWS % size);
    displ = rank * (ROWS / size) + (rank < ROWS % size ? rank : ROWS % size);
    xmpi_gen_domain(ROWS);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    xmpi_gen_live("it", &it, sizeof it);
    xmpi_gen_loop_begin("steady.c", 0);
    for (it = 0; xmpi_gen_joining() || it < iterations; it++) {
        int rows;
        xmpi_gen_point();
        pause_for(1e-3 * PAUSE_MS);
        MPI_Allreduce(&count, &rows, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (rows != ROWS) {
            fprintf(stderr, "steady: iteration %d: the members have %d rows\n", it, rows);
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
    }
    xmpi_gen_loop_end();
    if (seconds > 0)
        watch(rank, size, seconds);
    MPI_Finalize();
    return 0;
}
