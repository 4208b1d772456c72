/* SPDX-License-Identifier: BSD-3-Clause
 * The connections of the control endpoint. */
#define _GNU_SOURCE
#include "control/clients.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void clients_leave(client_t *client)
{
    close(client->fd);
    free(client->output);
    *client = (client_t){.fd = -1};
}

void clients_start(clients_t *clients)
{
    for (int i = 0; i < CLIENTS_MAX; i++)
        clients->client[i] = (client_t){.fd = -1};
}

void clients_end(clients_t *clients)
{
    for (int i = 0; i < CLIENTS_MAX; i++)
        if (clients->client[i].fd >= 0)
            clients_leave(&clients->client[i]);
}

void clients_poll(const clients_t *clients, struct pollfd *ready, bool *pending, bool *watched)
{
    *pending = *watched = false;
    for (int i = 0; i < CLIENTS_MAX; i++) {
        const client_t *client = &clients->client[i];
        short events = (short)((client->waits || client->ended ? 0 : POLLIN) |
                               (client->unsent > 0 ? POLLOUT : 0));
        ready[i] = (struct pollfd){.fd = client->fd, .events = events};
        *pending = *pending || (client->fd >= 0 && client->pending && !client->waits);
        bool waits = client->watches;
        for (int k = 0; k < XMPI_LATERS; k++)
            waits = waits || client->asks[k];
        *watched = *watched || (client->fd >= 0 && waits);
    }
}

static bool is_ours(int fd)
{
    struct ucred peer;
    socklen_t length = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 &&
           (peer.uid == geteuid() || peer.uid == 0);
}

int clients_accept(clients_t *clients, int listener)
{
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return 1; /* it counts: a connection that has gone again costs time too */
    bool ours = is_ours(fd);
    for (int i = 0; i < CLIENTS_MAX && ours; i++)
        if (clients->client[i].fd < 0) {
            clients->client[i].fd = fd;
            return 1;
        }
    char *line = xmpi_refused_line(ours ? "too many connections" : "this job is another user's");
    if (line != NULL)
        send(fd, line, strlen(line), MSG_NOSIGNAL);
    free(line);
    close(fd);
    return 1;
}

static bool hears_more(const client_t *client)
{
    bool more = client->watches || client->waits || client->pending || client->unsent > 0;
    for (int k = 0; k < XMPI_LATERS; k++)
        more = more || client->asks[k];
    return more;
}

void clients_part(clients_t *clients)
{
    for (int i = 0; i < CLIENTS_MAX; i++) {
        client_t *client = &clients->client[i];
        if (client->fd >= 0 && client->ended && !hears_more(client))
            clients_leave(client);
    }
}

static void end_input(client_t *client)
{
    client->ended = client->pending = true;
    if (client->received > 0 && client->input[client->received - 1] != '\n')
        client->input[client->received++] = '\n';
}

void clients_receive(client_t *client)
{
    size_t room = sizeof client->input - client->received;
    if (client->waits) {
        clients_leave(client); /* it is not listened to: it has gone */
        return;
    }
    if (room == 0 || client->ended)
        return; /* whole lines have to be taken first */
    ssize_t got = recv(client->fd, client->input + client->received, room, 0);
    if (got == 0) {
        end_input(client);
        return;
    }
    if (got < 0 && errno != EAGAIN && errno != EINTR) {
        clients_leave(client);
        return;
    }
    if (got > 0)
        client->received += (size_t)got;
    client->pending = true;
}

bool clients_next_line(client_t *client, char *line)
{
    char *end = memchr(client->input, '\n', client->received);
    if (end == NULL) {
        client->pending = false;
        if (client->received == sizeof client->input) {
            char *reply = xmpi_refused_line("this line is too long for a request");
            clients_tell(client, reply);
            free(reply);
            if (client->fd >= 0)
                clients_leave(client);
        }
        return false;
    }
    size_t length = (size_t)(end - client->input);
    memcpy(line, client->input, length);
    line[length] = '\0';
    client->received -= length + 1;
    memmove(client->input, end + 1, client->received);
    client->pending = client->received > 0;
    return true;
}

void clients_put_back(client_t *client, const char *line)
{
    size_t length = strlen(line);
    memmove(client->input + length + 1, client->input, client->received);
    memcpy(client->input, line, length);
    client->input[length] = '\n';
    client->received += length + 1;
    client->waits = true;
}

/* Sends what can be sent without waiting. How much that was; -1 when there is nobody any more. */
static ssize_t send_some(int fd, const char *text, size_t length)
{
    ssize_t sent = send(fd, text, length, MSG_NOSIGNAL);
    return sent < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : sent;
}

static void keep(client_t *client, const char *text, size_t length)
{
    char *output = client->unsent + length <= CLIENT_OUTPUT_MAX
                       ? realloc(client->output, client->unsent + length)
                       : NULL;
    if (output == NULL) {
        clients_leave(client);
        return;
    }
    memcpy(output + client->unsent, text, length);
    client->output = output;
    client->unsent += length;
}

void clients_tell(client_t *client, const char *line)
{
    size_t length = line != NULL ? strlen(line) : 0;
    if (client->fd < 0 || length == 0)
        return;
    ssize_t sent = client->unsent == 0 ? send_some(client->fd, line, length) : 0;
    if (sent < 0)
        clients_leave(client);
    else if ((size_t)sent < length)
        keep(client, line + sent, length - (size_t)sent);
}

void clients_flush(client_t *client)
{
    ssize_t sent = send_some(client->fd, client->output, client->unsent);
    if (sent < 0) {
        clients_leave(client);
        return;
    }
    client->unsent -= (size_t)sent;
    memmove(client->output, client->output + sent, client->unsent);
}
