/* SPDX-License-Identifier: BSD-3-Clause
 * The network of an emulated cluster: what MPI writes to a socket arrives later, by EMU_ALPHA
 * seconds for each message and EMU_BETA seconds for each byte. The sender is busy meanwhile, so
 * that a node sends one message at a time, while it can receive others: the network of Hockney's
 * model (thesis §5.3.2), below MPI, which sends its own messages by its own algorithms.
 *
 * Made a shared object, and loaded before others into the programs of the cluster (EMU_PRELOAD,
 * tests/cluster/launcher); for devices of MPICH that write to TCP sockets (ch3:sock). */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { FDS = 4096 };

static double alpha, beta;
static size_t paid[FDS]; /* bytes of a message that are late already, and were not taken yet */

static double setting(const char *name)
{
    const char *text = getenv(name);
    double value = text != NULL ? strtod(text, NULL) : 0;
    return isfinite(value) && value > 0 ? value : 0;
}

/* Not in the process manager, which goes by its own network. */
__attribute__((constructor)) static void start(void)
{
    if (strncmp(program_invocation_short_name, "hydra", 5) == 0 ||
        strncmp(program_invocation_short_name, "mpiexec", 7) == 0)
        return;
    alpha = setting("EMU_ALPHA");
    beta = setting("EMU_BETA");
    prctl(PR_SET_TIMERSLACK, 1L, 0L, 0L, 0L);
}

static int is_network(int fd)
{
    int domain = 0;
    socklen_t size = sizeof domain;
    return fd >= 0 && fd < FDS && getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 &&
           domain == AF_INET;
}

static void wait_for(double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    long nanoseconds = until.tv_nsec + (long)(fmod(seconds, 1) * 1e9);
    until.tv_sec += (time_t)seconds + nanoseconds / 1000000000;
    until.tv_nsec = nanoseconds % 1000000000;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
}

/* Before BYTES are written: the message waits once, however many calls it takes to get rid of it.
 */
static void delay(int fd, size_t bytes)
{
    if (alpha + beta <= 0 || bytes == 0 || !is_network(fd))
        return;
    if (paid[fd] != bytes)
        wait_for(alpha + beta * (double)bytes);
    paid[fd] = bytes;
}

static ssize_t account(int fd, ssize_t written)
{
    if (fd >= 0 && fd < FDS && paid[fd] > 0 && written > 0)
        paid[fd] -= (size_t)written <= paid[fd] ? (size_t)written : paid[fd];
    return written;
}

ssize_t write(int fd, const void *data, size_t bytes)
{
    delay(fd, bytes);
    return account(fd, syscall(SYS_write, fd, data, bytes));
}

ssize_t writev(int fd, const struct iovec *part, int parts)
{
    size_t bytes = 0;
    for (int i = 0; i < parts; i++)
        bytes += part[i].iov_len;
    delay(fd, bytes);
    return account(fd, syscall(SYS_writev, fd, part, parts));
}
