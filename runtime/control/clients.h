/* SPDX-License-Identifier: BSD-3-Clause
 * The connections of the control endpoint: lines in, lines out, both bounded. */
#ifndef XMPI_CONTROL_CLIENTS_H
#define XMPI_CONTROL_CLIENTS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#include "control/job.h"

enum { CLIENTS_MAX = 16, CLIENT_OUTPUT_MAX = 1 << 20 };

typedef struct {
    int fd;                 /* -1: a free place */
    bool watches;           /* wants every new state */
    int64_t heard;          /* the number of the last that it was told */
    bool asks[XMPI_LATERS]; /* wants it, once */
    bool waits;             /* its next line is not answered yet */
    bool ended;             /* it says nothing any more, and hears what it has asked for */
    bool pending;           /* there may be another whole line in the input */
    char input[XMPI_REQUEST_LINE];
    size_t received;
    char *output; /* what the client has not read yet; malloc */
    size_t unsent;
} client_t;

typedef struct {
    client_t client[CLIENTS_MAX];
} clients_t;

void clients_start(clients_t *clients);
void clients_end(clients_t *clients);

/* What to poll for: CLIENTS_MAX entries; whether there is input that has not been looked at, and
 * whether somebody watches. */
void clients_poll(const clients_t *clients, struct pollfd *ready, bool *pending, bool *watched);

/* Accepts one connection of the same user (or root); refuses others, and those that are too many.
 * How many there were. */
int clients_accept(clients_t *clients, int listener);

/* Those who have said all that they will, and heard what they have asked for, are left. */
void clients_part(clients_t *clients);

/* Reads what has arrived: a last line may have no end. Ends the connection when it has failed, or a
 * line is too long; that of one who waits in any case, as its end is all that is polled for. */
void clients_receive(client_t *client);

/* Both sides have ended, which is all that is polled for of one who says nothing any more. */
void clients_leave(client_t *client);

/* Takes one line (XMPI_REQUEST_LINE long) from the input; false when there is no whole one. */
bool clients_next_line(client_t *client, char *line);

/* Puts back the LINE that was taken last: it is taken again when the client does not wait any more.
 */
void clients_put_back(client_t *client, const char *line);

/* Sends LINE (may be NULL), or keeps it until the client reads. One who does not read is left. */
void clients_tell(client_t *client, const char *line);
void clients_flush(client_t *client);

#endif
