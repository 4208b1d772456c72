/* SPDX-License-Identifier: BSD-3-Clause
 * Line: a stream connection between the leader and a process that it has called. */
#define _GNU_SOURCE
#include "act/doors/line.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* What every word begins with. */
typedef struct {
    uint32_t mark; /* tells a stranger */
    uint32_t word;
    uint64_t size; /* of what follows */
} head_t;

enum { MARK = 0x494D5058 };

static const uint64_t most = UINT64_C(1) << 31;

static bool send_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t sent = send(fd, data, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        data += sent;
        size -= (size_t)sent;
    }
    return true;
}

static bool receive_all(int fd, char *data, size_t size)
{
    while (size > 0) {
        ssize_t got = recv(fd, data, size, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        data += got;
        size -= (size_t)got;
    }
    return true;
}

bool xmpi_line_say(int fd, xmpi_word_t word, const xmpi_pack_t *pack)
{
    head_t head = {MARK, word, pack != NULL ? pack->size : 0};
    return send_all(fd, (const char *)&head, sizeof head) &&
           (pack == NULL || send_all(fd, pack->data, pack->size));
}

bool xmpi_line_hear(int fd, xmpi_word_t *word, xmpi_pack_t *pack)
{
    head_t head;
    memset(pack, 0, sizeof *pack);
    if (!receive_all(fd, (char *)&head, sizeof head) || head.mark != MARK || head.size > most)
        return false;
    *word = (xmpi_word_t)head.word;
    pack->data = malloc((size_t)head.size + 1);
    pack->size = pack->room = (size_t)head.size;
    if (pack->data != NULL && receive_all(fd, pack->data, pack->size))
        return true;
    bool lacks = pack->data == NULL;
    xmpi_pack_free(pack);
    pack->status = lacks ? XMPI_ERR_MEMORY : XMPI_OK;
    return false;
}

void xmpi_line_limit(int fd, int seconds)
{
    struct timeval limit = {.tv_sec = seconds};
    if (fd >= 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

void xmpi_line_close(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}
