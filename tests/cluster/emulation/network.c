/* SPDX-License-Identifier: BSD-3-Clause
 * The network of an emulated cluster: what MPI writes to a socket of another node arrives later, by
 * EMU_ALPHA seconds for each message and EMU_BETA seconds for each byte. A node sends one message
 * at a time and receives one at a time: the network of Hockney's model (thesis §5.3.2), below MPI,
 * which sends its own messages by its own algorithms. Within a node nothing is delayed.
 *
 * Made a shared object, and loaded before others into the programs of the cluster (EMU_PRELOAD,
 * tests/cluster/launcher); for devices of MPICH that write to TCP sockets (ch3:sock). EMU_NETWORK
 * names the file that the nodes share: which ports are whose, and until when a node is busy. A
 * program may ask how much a process has written so far (emu_sent_to). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "nodes.h"

enum { FDS = 4096, PORTS = 65536, LINKS = 1 << 18 };

/* A connection. (The kernel gives a port to several of them, where they lead to different ones.) */
typedef struct {
    uint32_t ports; /* from, and to; 0: none */
    uint16_t owner; /* of the first; node + 1 */
} link_t;

/* What the nodes share. */
typedef struct {
    nodes_t nodes;
    double sends_until[NODES], receives_until[NODES]; /* seconds of the monotonic clock */
    uint16_t owner[PORTS];                            /* of those that listen; node + 1 */
    link_t link[LINKS];
} network_t;

static double alpha, beta;
static network_t *network;
static int here;
static uint64_t sent[NODES]; /* bytes that this process has written to sockets of each node */
static size_t paid[FDS];     /* bytes of a message that are late already, and were not taken yet */

/* --- the beginning ---------------------------------------------------------------------------- */

static double setting(const char *name)
{
    const char *text = getenv(name);
    double value = text != NULL ? strtod(text, NULL) : 0;
    return isfinite(value) && value > 0 ? value : 0;
}

__attribute__((constructor)) static void start(void)
{
    const char *file = getenv("EMU_NETWORK"), *node = getenv("XMPI_NODE");
    if (nodes_is_manager() || file == NULL || node == NULL)
        return;
    network = nodes_map(file, sizeof *network);
    if (network == NULL)
        return;
    here = nodes_number(&network->nodes, node);
    alpha = setting("EMU_ALPHA");
    beta = setting("EMU_BETA");
    prctl(PR_SET_TIMERSLACK, 1L, 0L, 0L, 0L);
}

/* --- whose ports are whose --------------------------------------------------------------------
 */

static int port_of(int (*ask)(int, struct sockaddr *, socklen_t *), int fd)
{
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    if (ask(fd, (struct sockaddr *)&address, &size) != 0 || address.sin_family != AF_INET)
        return -1;
    return ntohs(address.sin_port);
}

/* The place of the connection between these ports, or where it would be. Under the lock. */
static link_t *place_of(int from, int to)
{
    uint32_t ports = (uint32_t)from << 16 | (uint32_t)to, i = ports * 2654435769u % LINKS;
    for (int k = 0; k < LINKS - 1 && network->link[i].ports != 0 && network->link[i].ports != ports;
         k++)
        i = (i + 1) % LINKS;
    return &network->link[i];
}

static void own_link(int fd, const struct sockaddr *address)
{
    int from = network != NULL ? port_of(getsockname, fd) : -1;
    if (from < 0 || address->sa_family != AF_INET)
        return;
    int to = ntohs(((const struct sockaddr_in *)address)->sin_port);
    nodes_lock(&network->nodes);
    *place_of(from, to) =
        (link_t){.ports = (uint32_t)from << 16 | (uint32_t)to, .owner = (uint16_t)(here + 1)};
    nodes_unlock(&network->nodes);
}

/* Who has connected from one port to the other, or else listens at the first; node + 1, 0: nobody.
 */
static int owner_of(int from, int to)
{
    nodes_lock(&network->nodes);
    const link_t *link = place_of(from, to);
    int owner = link->ports != 0 ? link->owner : network->owner[from];
    nodes_unlock(&network->nodes);
    return owner;
}

int listen(int fd, int backlog)
{
    int result = (int)syscall(SYS_listen, fd, backlog);
    int port = network != NULL ? port_of(getsockname, fd) : -1;
    if (port >= 0)
        network->owner[port] = (uint16_t)(here + 1);
    return result;
}

int connect(int fd, const struct sockaddr *address, socklen_t size)
{
    int result = (int)syscall(SYS_connect, fd, address, size), reason = errno;
    own_link(fd, address);
    errno = reason;
    return result;
}

/* --- messages ---------------------------------------------------------------------------------
 */

/* The other node at the end of a socket; -1: none, or this one. */
static int node_behind(int fd)
{
    int port = fd >= 0 && fd < FDS ? port_of(getpeername, fd) : -1;
    int own = port >= 0 ? port_of(getsockname, fd) : -1;
    int node = own >= 0 ? owner_of(port, own) - 1 : -1;
    return node == here ? -1 : node;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void wait_until(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds};
    t.tv_nsec = (long)((seconds - floor(seconds)) * 1e9);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
        ;
}

/* Both ports are busy while the bytes pass. When the message is there. */
static double pass(int other, size_t bytes)
{
    double begin = now();
    nodes_lock(&network->nodes);
    begin = fmax(begin, fmax(network->sends_until[here], network->receives_until[other]));
    double end = begin + beta * (double)bytes;
    network->sends_until[here] = network->receives_until[other] = end;
    nodes_unlock(&network->nodes);
    return end + alpha;
}

/* Before BYTES are written: a message waits once, however many calls it takes to get rid of it. */
static void delay(int fd, size_t bytes)
{
    int other = network != NULL && bytes > 0 ? node_behind(fd) : -1;
    if (other < 0)
        return;
    if (paid[fd] != bytes)
        wait_until(pass(other, bytes));
    paid[fd] = bytes;
}

static ssize_t account(int fd, ssize_t written)
{
    int other = network != NULL && written > 0 ? node_behind(fd) : -1;
    if (other >= 0)
        __atomic_add_fetch(&sent[other], (uint64_t)written, __ATOMIC_RELAXED);
    if (fd >= 0 && fd < FDS && paid[fd] > 0 && written > 0)
        paid[fd] -= (size_t)written <= paid[fd] ? (size_t)written : paid[fd];
    return written;
}

/* The bytes that this process has written to sockets of another NODE. */
__attribute__((visibility("default"))) uint64_t emu_sent_to(const char *node)
{
    return network != NULL
               ? __atomic_load_n(&sent[nodes_number(&network->nodes, node)], __ATOMIC_RELAXED)
               : 0;
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
