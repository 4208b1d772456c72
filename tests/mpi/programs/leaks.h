/* SPDX-License-Identifier: BSD-3-Clause
 * What a process of the program holds: file descriptors, memory, communicators, shared memory. A
 * header, as programs of tests are of one file. */
#ifndef LEAKS_H
#define LEAKS_H

#include <dirent.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    int fds;
    int communicators; /* that can still be made; -1: as many as one wants */
    long kilobytes;    /* resident */
    int segments;      /* of shared memory, of this process */
} holdings_t;

static inline int count_entries(const char *folder)
{
    int n = 0;
    DIR *dir = opendir(folder);
    while (dir != NULL && readdir(dir) != NULL)
        n++;
    if (dir != NULL)
        closedir(dir);
    return n;
}

/* Lines of the memory map that are of files in /dev/shm or of System V. */
static inline int count_segments(void)
{
    char line[512];
    int n = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        n += strstr(line, "/dev/shm") != NULL || strstr(line, "/SYSV") != NULL;
    if (maps != NULL)
        fclose(maps);
    return n;
}

static inline long resident_kilobytes(void)
{
    long size, resident = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    if (statm == NULL || fscanf(statm, "%ld %ld", &size, &resident) != 2)
        resident = 0;
    if (statm != NULL)
        fclose(statm);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

/* MPI has a limited number of them. */
static inline int communicators_left(void)
{
    enum { MOST = 100000 };
    static MPI_Comm made[MOST];
    MPI_Comm self;
    int n = 0;
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    MPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN);
    while (n < MOST && MPI_Comm_dup(self, &made[n]) == MPI_SUCCESS)
        n++;
    int left = n < MOST ? n : -1;
    while (n > 0)
        MPI_Comm_free(&made[--n]);
    MPI_Comm_free(&self);
    return left;
}

/* COMMUNICATORS is how many could be made when the program began: to count them takes memory, which
 * must not be taken for lost. */
static inline holdings_t holdings(int communicators)
{
    holdings_t h = {.communicators = communicators};
    h.fds = count_entries("/proc/self/fd");
    h.segments = count_segments();
    h.kilobytes = resident_kilobytes();
    return h;
}

/* One line: what this process held then, and what it holds now. */
static inline void print_holdings(const holdings_t *then)
{
    holdings_t now = holdings(0);
    now.communicators = communicators_left();
    printf("holdings: fds %d %d communicators %d %d kilobytes %ld %ld segments %d %d\n", then->fds,
           now.fds, then->communicators, now.communicators, then->kilobytes, now.kilobytes,
           then->segments, now.segments);
}

#endif
