/* SPDX-License-Identifier: BSD-3-Clause
 * Door: where a process can be reached. */
#define _GNU_SOURCE
#include "act/doors/door.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "act/machine/kernel.h"
#include "base/data/digest.h"
#include "base/process/own_files.h"

/* Many may ring at once: all that join. */
enum { BACKLOG = 1024 };

/* --- the home ----------------------------------------------------------------------------------
 */

/* Where the kernel does not say, its name is the best that there is. */
uint64_t xmpi_door_home(void)
{
    uint64_t home = xmpi_kernel_space("net");
    if (home != 0)
        return home;
    char name[XMPI_NAME_MAX] = "";
    gethostname(name, sizeof name - 1);
    home = xmpi_digest_bytes(name, strlen(name), 0);
    return home != 0 ? home : 1;
}

/* The abstract name of a door: a NUL, then text that has no end but the length. */
static socklen_t home_address(const xmpi_door_t *door, struct sockaddr_un *address)
{
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    int length = snprintf(address->sun_path + 1, sizeof address->sun_path - 1,
                          "xmpi-door-%016" PRIx64, door->name);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static int close_failed(int fd)
{
    int reason = errno;
    if (fd >= 0)
        close(fd);
    errno = reason;
    return -1;
}

int xmpi_door_listen_home(xmpi_door_t *door)
{
    struct sockaddr_un address;
    door->home = xmpi_door_home();
    door->pid = getpid();
    if (!xmpi_proof_random(&door->name, sizeof door->name))
        return -1;
    socklen_t length = home_address(door, &address);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&address, length) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    return close_failed(fd);
}

bool xmpi_door_same_user(int fd)
{
    struct ucred peer;
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &length) != 0)
        return false;
    if (address.ss_family != AF_UNIX)
        return true;
    length = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 &&
           (peer.uid == geteuid() || peer.uid == 0);
}

/* --- other nodes -------------------------------------------------------------------------------
 */

static uint32_t resolve(const char *host)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found;
    xmpi_own_files_begin(); /* those that name hosts */
    int failure = getaddrinfo(host, NULL, &hints, &found);
    xmpi_own_files_end();
    if (failure != 0)
        return 0;
    uint32_t address = ((struct sockaddr_in *)(void *)found->ai_addr)->sin_addr.s_addr;
    freeaddrinfo(found);
    return address;
}

static bool is_loopback(uint32_t address)
{
    return ntohl(address) >> 24 == 127;
}

static int listen_at(uint32_t at, uint16_t *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = at};
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(fd, BACKLOG) != 0 || getsockname(fd, (struct sockaddr *)&address, &length) != 0)
        return close_failed(fd);
    *port = ntohs(address.sin_port);
    return fd;
}

/* The interface that MPICH's own addresses name too. Where the host's own name leads nowhere else
 * (Debian's 127.0.1.1), that is not known, and others have to resolve it themselves. */
int xmpi_door_listen_outside(xmpi_door_t *door)
{
    uint32_t address = resolve(door->host);
    int fd = address != 0 && !is_loopback(address) ? listen_at(address, &door->port) : -1;
    door->address = fd >= 0 ? address : 0;
    return fd >= 0 ? fd : listen_at(htonl(INADDR_ANY), &door->port);
}

/* --- callers -----------------------------------------------------------------------------------
 */

/* An address of the family that leads to DOOR from here; its length, 0 when there is none. */
static socklen_t address_of(const xmpi_door_t *door, struct sockaddr_storage *address)
{
    struct sockaddr_in outside = {.sin_family = AF_INET, .sin_port = htons(door->port)};
    if (door->home == xmpi_door_home())
        return home_address(door, (struct sockaddr_un *)(void *)address);
    outside.sin_addr.s_addr = door->address != 0 ? door->address : resolve(door->host);
    if (door->port == 0 || outside.sin_addr.s_addr == 0)
        return 0;
    memcpy(address, &outside, sizeof outside);
    return sizeof outside;
}

/* A signal of the program's does not call the connection off: it is made all the same. */
static bool is_connected(int fd, int seconds)
{
    struct pollfd made = {.fd = fd, .events = POLLOUT};
    int n, failure = ETIMEDOUT;
    socklen_t length = sizeof failure;
    while ((n = poll(&made, 1, 1000 * seconds)) < 0 && errno == EINTR)
        ;
    if (n > 0)
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &failure, &length);
    errno = failure;
    return failure == 0;
}

int xmpi_door_connect(const xmpi_door_t *door, int seconds)
{
    int now = 1;
    struct sockaddr_storage address;
    struct timeval limit = {.tv_sec = seconds};
    socklen_t length = door->home != 0 ? address_of(door, &address) : 0;
    if (length == 0) {
        errno = EADDRNOTAVAIL;
        return -1;
    }
    int fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (address.ss_family == AF_INET)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &now, sizeof now);
    if (connect(fd, (struct sockaddr *)&address, length) == 0 ||
        (errno == EINTR && is_connected(fd, seconds)))
        return fd;
    return close_failed(fd);
}

bool xmpi_door_is_sound(const xmpi_door_t *door)
{
    return memchr(door->host, '\0', sizeof door->host) != NULL;
}
