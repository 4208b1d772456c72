/* SPDX-License-Identifier: BSD-3-Clause
 * Messages to some of the others, and how many connections are opened for them behind the first
 * step: none, as those of a process that takes over are there before the program goes on. */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "point.h"

enum { FILES = 1024 };

typedef struct {
    ino_t of[FILES];
    int n;
} sockets_t;

/* Those that lead to another process, by the internet's protocols. */
static void list_connections(sockets_t *sockets)
{
    sockets->n = 0;
    for (int fd = 0; fd < FILES; fd++) {
        struct sockaddr_storage peer;
        socklen_t size = sizeof peer;
        struct stat about;
        if (getpeername(fd, (struct sockaddr *)&peer, &size) == 0 &&
            (peer.ss_family == AF_INET || peer.ss_family == AF_INET6) && fstat(fd, &about) == 0)
            sockets->of[sockets->n++] = about.st_ino;
    }
}

static bool has(const sockets_t *sockets, ino_t one)
{
    for (int i = 0; i < sockets->n; i++)
        if (sockets->of[i] == one)
            return true;
    return false;
}

static int more(const sockets_t *before, const sockets_t *after)
{
    int n = 0;
    for (int i = 0; i < after->n; i++)
        n += !has(before, after->of[i]);
    return n;
}

static double exchange(double value, int distance)
{
    int rank, size;
    double got = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&value, 1, MPI_DOUBLE, (rank + distance) % size, distance, &got, 1, MPI_DOUBLE,
                 (rank + size - distance) % size, distance, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return got;
}

int main(int argc, char **argv)
{
    static sockets_t before, after;
    int rank, n = atoi(argv[1]), opened = 0, step = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double value = rank;
    unsigned long sum = 0;
    for (; goes_on(step, n); step++) {
        XMPI_Point();
        list_connections(&before);
        value += exchange(value, 1) / 2 - exchange(value, 2) / 3;
        list_connections(&after);
        opened += step > 0 ? more(&before, &after) : 0;
        sum = mix(sum, value);
    }
    say_steps(step, n);
    say("meets", sum);
    say("opened", (unsigned long)opened);
    MPI_Finalize();
    return 0;
}
