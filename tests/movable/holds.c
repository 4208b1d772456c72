/* SPDX-License-Identifier: BSD-3-Clause
 * What a process holds when the program has moved a little, and when it has moved a lot: file
 * descriptors, memory, communicators that can still be made. Nothing is opened for that which could
 * not move. Arguments: iterations, of which the first so many count for nothing; without the latter
 * only the sum is told. */
#include <fcntl.h>
#include <unistd.h>

#include "point.h"

static int open_descriptors(void)
{
    int n = 0;
    for (int fd = 0; fd < 4096; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

static long resident(void)
{
    long size, pages = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    if (statm == NULL || fscanf(statm, "%ld %ld", &size, &pages) != 2)
        MPI_Abort(MPI_COMM_WORLD, 3);
    fclose(statm);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* MPI has a limited number of them. */
static int communicators_left(void)
{
    enum { MOST = 4096 };
    static MPI_Comm made[MOST];
    int n = 0;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    while (n < MOST && MPI_Comm_dup(MPI_COMM_SELF, &made[n]) == MPI_SUCCESS)
        n++;
    for (int i = 0; i < n; i++)
        MPI_Comm_free(&made[i]);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    return n;
}

static void tell(const long *then, const long *now)
{
    int size, rank;
    long mine[6], *all;
    memcpy(mine, then, 3 * sizeof *mine);
    memcpy(mine + 3, now, 3 * sizeof *mine);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    all = malloc(6 * sizeof *all * (size_t)size);
    MPI_Gather(mine, 6, MPI_LONG, all, 6, MPI_LONG, 0, MPI_COMM_WORLD);
    for (int i = 0; i < size && rank == 0; i++)
        printf("holds: fds %ld %ld communicators %ld %ld kilobytes %ld %ld\n", all[6 * i],
               all[6 * i + 3], all[6 * i + 1], all[6 * i + 4], all[6 * i + 2], all[6 * i + 5]);
    free(all);
}

static void count(long *held)
{
    held[0] = open_descriptors();
    held[1] = communicators_left();
    held[2] = resident();
}

int main(int argc, char **argv)
{
    int rank, size, n = atoi(argv[1]), warm = argc > 2 ? atoi(argv[2]) : -1;
    long then[3] = {0}, now[3];
    MPI_Comm ring;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &ring);
    unsigned long sum = 0;
    double value = rank, got;
    for (int step = 0; step < n; step++) {
        XMPI_Point();
        if (step == warm)
            count(then);
        char *some = malloc((size_t)(1000 + step % 100 * 97));
        memset(some, step, 1000);
        MPI_Sendrecv(&value, 1, MPI_DOUBLE, (rank + 1) % size, 1, &got, 1, MPI_DOUBLE,
                     (rank + size - 1) % size, 1, ring, MPI_STATUS_IGNORE);
        value = got / 2 + some[step % 1000] + rank;
        sum = mix(sum, value);
        free(some);
    }
    say("holds", sum);
    count(now);
    if (warm >= 0)
        tell(then, now);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
