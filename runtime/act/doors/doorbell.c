/* SPDX-License-Identifier: BSD-3-Clause
 * Doorbell: how a parked process waits without using the CPU. */
#define _GNU_SOURCE
#include "act/doors/doorbell.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "act/doors/line.h"

/* How often one rings again who is sent away because of a crowd, and the first pause. */
enum { TRIES = 12, PAUSE_MS = 4 };

/* In which one who has come in has to say what for: it is on its way already. */
enum { FIRST_WORD_SECONDS = 5 };

static xmpi_status_t cannot_listen(xmpi_doorbell_t *doorbell, xmpi_error_t *error)
{
    int reason = errno;
    xmpi_visitors_close(&doorbell->visitors);
    return xmpi_error_set(error, XMPI_ERR_PROCESS, "no socket to wait on while parked: %s",
                          strerror(reason));
}

xmpi_status_t xmpi_doorbell_open(xmpi_doorbell_t *doorbell, xmpi_error_t *error)
{
    xmpi_door_t *door = &doorbell->door;
    memset(doorbell, 0, sizeof *doorbell);
    doorbell->fd = doorbell->visitors.fd = -1;
    xmpi_status_t status = xmpi_proof_load(error);
    if (status != XMPI_OK)
        return status;
    if (gethostname(door->host, sizeof door->host - 1) != 0 ||
        !xmpi_proof_random(&door->token, sizeof door->token) ||
        !xmpi_visitors_open(&doorbell->visitors))
        return cannot_listen(doorbell, error);
    int listener = xmpi_door_listen_home(door);
    if (listener < 0 || !xmpi_visitors_listen(&doorbell->visitors, listener))
        return cannot_listen(doorbell, error);
    doorbell->fd = doorbell->visitors.fd;
    return XMPI_OK;
}

xmpi_status_t xmpi_doorbell_reach_out(xmpi_doorbell_t *doorbell, xmpi_error_t *error)
{
    if (doorbell->fd < 0 || doorbell->door.port != 0)
        return XMPI_OK; /* it has been said, or done */
    int listener = xmpi_door_listen_outside(&doorbell->door);
    if (listener >= 0 && xmpi_visitors_listen(&doorbell->visitors, listener))
        return XMPI_OK;
    doorbell->door.port = 0;
    return xmpi_error_set(error, XMPI_ERR_PROCESS, "no socket for processes of other nodes: %s",
                          strerror(errno));
}

int xmpi_doorbell_answer(xmpi_doorbell_t *doorbell)
{
    int line = doorbell->fd >= 0
                   ? xmpi_visitors_serve(&doorbell->visitors, &doorbell->door.token, true)
                   : -1;
    xmpi_line_limit(line, FIRST_WORD_SECONDS);
    return line;
}

void xmpi_doorbell_tend(xmpi_doorbell_t *doorbell)
{
    if (doorbell->fd >= 0)
        xmpi_visitors_serve(&doorbell->visitors, &doorbell->door.token, false);
}

xmpi_status_t xmpi_doorbell_wait(xmpi_doorbell_t *doorbell, int *line, xmpi_error_t *error)
{
    xmpi_status_t status =
        doorbell->fd < 0 ? xmpi_doorbell_open(doorbell, error) : XMPI_OK; /* or says why not */
    struct pollfd door = {.fd = doorbell->fd, .events = POLLIN};
    while (status == XMPI_OK) {
        int n = poll(&door, 1, -1);
        if (n < 0 && errno != EINTR)
            return xmpi_error_set(error, XMPI_ERR_PROCESS, "cannot wait while parked: %s",
                                  strerror(errno));
        *line = n > 0 ? xmpi_doorbell_answer(doorbell) : -1;
        if (*line >= 0)
            return XMPI_OK;
    }
    return status;
}

/* --- the caller --------------------------------------------------------------------------------
 */

static bool receive(int fd, void *data, size_t size)
{
    for (size_t at = 0; at < size;) {
        ssize_t got = recv(fd, (char *)data + at, size - at, MSG_WAITALL);
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = ECONNRESET; /* sent away */
        if (got <= 0)
            return false;
        at += (size_t)got;
    }
    return true;
}

bool xmpi_doorbell_reply(const xmpi_door_t *door, int line, xmpi_token_t *wanted)
{
    xmpi_challenge_t challenge;
    xmpi_answer_t answer;
    if (!xmpi_door_same_user(line) || !receive(line, &challenge, sizeof challenge) ||
        !xmpi_proof_answer(&door->token, &challenge, &answer) ||
        send(line, &answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer)
        return false;
    *wanted = xmpi_proof_of_door(&door->token, &challenge, &answer);
    return true;
}

bool xmpi_doorbell_is_owner(int line, const xmpi_token_t *wanted)
{
    xmpi_token_t proof;
    if (!receive(line, &proof, sizeof proof))
        return false;
    errno = EACCES;
    return xmpi_proof_same(&proof, wanted);
}

/* Both sides prove themselves: what follows is not for one who has taken the name of a door that is
 * no more. */
static bool prove(int fd, const xmpi_door_t *door, int seconds)
{
    xmpi_token_t wanted;
    xmpi_line_limit(fd, seconds);
    bool proven = xmpi_doorbell_reply(door, fd, &wanted) && xmpi_doorbell_is_owner(fd, &wanted);
    int reason = errno;
    if (proven)
        xmpi_line_limit(fd, 0);
    errno = reason;
    return proven;
}

static xmpi_status_t cannot_ring(const xmpi_door_t *door, xmpi_error_t *error)
{
    return xmpi_error_set(error, XMPI_ERR_PROCESS, "a process on %s cannot be reached: %s",
                          door->host[0] != '\0' ? door->host : "an unknown node", strerror(errno));
}

xmpi_status_t xmpi_doorbell_touch(const xmpi_door_t *door, int *line, xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_proof_load(error);
    *line = -1;
    if (status != XMPI_OK)
        return status;
    *line = xmpi_door_connect(door, XMPI_RING_SECONDS);
    return *line >= 0 ? XMPI_OK : cannot_ring(door, error);
}

static void hang_up(int *line)
{
    int reason = errno;
    close(*line);
    *line = -1;
    errno = reason;
}

/* In a crowd one may be sent away for another (act/doors/visitors.h), and rings again. */
xmpi_status_t xmpi_doorbell_ring(const xmpi_door_t *door, int seconds, int *line,
                                 xmpi_error_t *error)
{
    struct timespec pause = {.tv_nsec = 1000000L * PAUSE_MS};
    for (int i = 0; i < TRIES; i++) {
        xmpi_status_t status = *line >= 0 ? XMPI_OK : xmpi_doorbell_touch(door, line, error);
        if (status != XMPI_OK || prove(*line, door, seconds))
            return status;
        hang_up(line);
        if (errno != ECONNRESET && errno != EPIPE)
            break;
        nanosleep(&pause, NULL);
        pause.tv_nsec += pause.tv_nsec / 2;
    }
    return cannot_ring(door, error);
}

bool xmpi_doorbell_is_gone(const xmpi_door_t *door)
{
    int line = xmpi_door_connect(door, XMPI_RING_SECONDS);
    if (line < 0)
        return errno == ECONNREFUSED;
    close(line);
    return false;
}

void xmpi_doorbell_close(xmpi_doorbell_t *doorbell)
{
    if (doorbell->fd >= 0)
        xmpi_visitors_close(&doorbell->visitors);
    doorbell->fd = -1;
}
