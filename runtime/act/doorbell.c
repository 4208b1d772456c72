/* SPDX-License-Identifier: BSD-3-Clause
 * Doorbell: how a parked process waits without using the CPU. */
#define _GNU_SOURCE
#include "act/doorbell.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

/* Many may ring at once: all that join. */
enum { RING_SECONDS = 10, TOKEN_SECONDS = 1, BACKLOG = 1024 };

xmpi_status_t xmpi_doorbell_open(xmpi_doorbell_t *doorbell, xmpi_door_t *door, xmpi_error_t *error)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    memset(door, 0, sizeof *door);
    doorbell->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (doorbell->fd < 0 || bind(doorbell->fd, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(doorbell->fd, BACKLOG) != 0 ||
        getsockname(doorbell->fd, (struct sockaddr *)&address, &length) != 0 ||
        gethostname(door->host, sizeof door->host - 1) != 0 ||
        getrandom(&doorbell->token, sizeof doorbell->token, 0) != sizeof doorbell->token) {
        xmpi_doorbell_close(doorbell);
        return xmpi_error_set(error, XMPI_ERR_PROCESS, "no socket to wait on while parked: %s",
                              strerror(errno));
    }
    door->port = ntohs(address.sin_port);
    door->token = doorbell->token;
    return XMPI_OK;
}

/* A caller that says nothing must not keep the door: it has a second. */
static bool token_arrives(int caller, uint64_t wanted)
{
    uint64_t token = 0;
    struct timeval limit = {.tv_sec = TOKEN_SECONDS};
    setsockopt(caller, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    return recv(caller, &token, sizeof token, MSG_WAITALL) == sizeof token && token == wanted;
}

int xmpi_doorbell_answer(const xmpi_doorbell_t *doorbell)
{
    struct timeval never = {0};
    int caller = accept4(doorbell->fd, NULL, NULL, SOCK_CLOEXEC);
    if (caller < 0)
        return -1;
    if (token_arrives(caller, doorbell->token)) {
        setsockopt(caller, SOL_SOCKET, SO_RCVTIMEO, &never, sizeof never);
        return caller;
    }
    int reason = errno;
    close(caller);
    errno = reason;
    return -1;
}

xmpi_status_t xmpi_doorbell_wait(const xmpi_doorbell_t *doorbell, int *line, xmpi_error_t *error)
{
    struct pollfd door = {.fd = doorbell->fd, .events = POLLIN};
    for (;;) {
        int n = poll(&door, 1, -1);
        if ((n < 0 && errno != EINTR) || (n > 0 && (door.revents & (POLLNVAL | POLLERR)) != 0))
            return xmpi_error_set(error, XMPI_ERR_PROCESS, "cannot wait while parked: %s",
                                  n < 0 ? strerror(errno) : "the socket is closed");
        *line = n > 0 ? xmpi_doorbell_answer(doorbell) : -1;
        if (*line >= 0)
            return XMPI_OK;
    }
}

/* Processes of one host need no name service to find one another. */
static int resolve(const char *host, struct sockaddr_in *address)
{
    char here[XMPI_NAME_MAX] = "";
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found;
    gethostname(here, sizeof here - 1);
    if (strcmp(host, here) == 0) {
        address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return 1;
    }
    if (getaddrinfo(host, NULL, &hints, &found) != 0)
        return 0;
    memcpy(&address->sin_addr, &((struct sockaddr_in *)(void *)found->ai_addr)->sin_addr,
           sizeof address->sin_addr);
    freeaddrinfo(found);
    return 1;
}

static bool connect_and_send(int fd, const struct sockaddr_in *address, uint64_t token)
{
    int now = 1;
    struct timeval limit = {.tv_sec = RING_SECONDS};
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &now, sizeof now);
    return connect(fd, (const struct sockaddr *)address, sizeof *address) == 0 &&
           send(fd, &token, sizeof token, MSG_NOSIGNAL) == sizeof token;
}

xmpi_status_t xmpi_doorbell_ring(const xmpi_door_t *door, int *line, xmpi_error_t *error)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(door->port)};
    *line = -1;
    if (door->port == 0 || !resolve(door->host, &address))
        return xmpi_error_set(error, XMPI_ERR_PROCESS, "a process on %s has no address",
                              door->host[0] != '\0' ? door->host : "an unknown node");
    *line = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*line >= 0 && connect_and_send(*line, &address, door->token))
        return XMPI_OK;
    int reason = errno;
    if (*line >= 0)
        close(*line);
    *line = -1;
    return xmpi_error_set(error, XMPI_ERR_PROCESS, "a process on %s cannot be reached: %s",
                          door->host, strerror(reason));
}

void xmpi_doorbell_close(xmpi_doorbell_t *doorbell)
{
    if (doorbell->fd >= 0)
        close(doorbell->fd);
    doorbell->fd = -1;
}
