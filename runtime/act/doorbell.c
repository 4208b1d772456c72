/* SPDX-License-Identifier: BSD-3-Clause
 * Doorbell: how a parked process waits without using the CPU. */
#define _GNU_SOURCE
#include "act/doorbell.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum { RING_SECONDS = 10, TOKEN_SECONDS = 1 };

xmpi_status_t xmpi_doorbell_open(xmpi_doorbell_t *doorbell, xmpi_door_t *door, xmpi_error_t *error)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    memset(door, 0, sizeof *door);
    doorbell->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (doorbell->fd < 0 || bind(doorbell->fd, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(doorbell->fd, 4) != 0 ||
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
static int token_arrives(int caller, uint64_t wanted)
{
    uint64_t token = 0;
    struct timeval limit = {.tv_sec = TOKEN_SECONDS};
    setsockopt(caller, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    return recv(caller, &token, sizeof token, MSG_WAITALL) == sizeof token && token == wanted;
}

xmpi_status_t xmpi_doorbell_wait(const xmpi_doorbell_t *doorbell, xmpi_error_t *error)
{
    for (;;) {
        int caller = accept4(doorbell->fd, NULL, NULL, SOCK_CLOEXEC);
        if (caller < 0 && (errno == EINTR || errno == ECONNABORTED))
            continue;
        if (caller < 0)
            return xmpi_error_set(error, XMPI_ERR_PROCESS, "cannot wait while parked: %s",
                                  strerror(errno));
        int right = token_arrives(caller, doorbell->token);
        close(caller);
        if (right)
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

static int connect_and_send(int fd, const struct sockaddr_in *address, uint64_t token)
{
    struct timeval limit = {.tv_sec = RING_SECONDS};
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    return connect(fd, (const struct sockaddr *)address, sizeof *address) == 0 &&
           send(fd, &token, sizeof token, MSG_NOSIGNAL) == sizeof token;
}

xmpi_status_t xmpi_doorbell_ring(const xmpi_door_t *door, xmpi_error_t *error)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(door->port)};
    if (door->port == 0 || !resolve(door->host, &address))
        return xmpi_error_set(error, XMPI_ERR_PROCESS, "a parked process on %s has no address",
                              door->host);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int rung = fd >= 0 && connect_and_send(fd, &address, door->token);
    int reason = errno;
    if (fd >= 0)
        close(fd);
    if (rung)
        return XMPI_OK;
    return xmpi_error_set(error, XMPI_ERR_PROCESS, "a parked process on %s cannot be woken: %s",
                          door->host, strerror(reason));
}

void xmpi_doorbell_close(xmpi_doorbell_t *doorbell)
{
    if (doorbell->fd >= 0)
        close(doorbell->fd);
    doorbell->fd = -1;
}
