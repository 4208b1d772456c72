/* SPDX-License-Identifier: BSD-3-Clause
 * Door: where a process can be reached. Processes of one node come by a Unix socket, which nobody
 * sees elsewhere and which tells the user of the caller; only where others have to come from other
 * nodes is there a TCP port as well. */
#ifndef XMPI_ACT_DOORS_DOOR_H
#define XMPI_ACT_DOORS_DOOR_H

#include <stdbool.h>
#include <stdint.h>

#include "act/doors/proof.h"
#include "decide/layout/resources.h"

/* Plain data, which travels. */
typedef struct {
    char host[XMPI_NAME_MAX];
    uint64_t home;    /* of the node, as by xmpi_door_home; 0: there is no door */
    uint64_t name;    /* of the Unix socket, which is abstract */
    int32_t pid;      /* the process, as its home numbers it, for people */
    uint32_t address; /* IPv4, in network order; 0: the one that the host's name has */
    uint16_t port;    /* 0: only processes of its home reach it */
    xmpi_token_t token;
} xmpi_door_t;

/* What processes that reach one another by Unix sockets have in common: the kernel, since it was
 * booted, and the network namespace. Not 0. */
uint64_t xmpi_door_home(void);

/* Makes a socket that listens for processes of this home, and describes it in DOOR; -1 and errno.
 */
int xmpi_door_listen_home(xmpi_door_t *door);

/* The same for all others, at the address that the name of this host has. */
int xmpi_door_listen_outside(xmpi_door_t *door);

/* Connects, within SECONDS; -1 and errno. */
int xmpi_door_connect(const xmpi_door_t *door, int seconds);

/* Whether the other side of FD, if it is on this node, is of the same user, or root. */
bool xmpi_door_same_user(int fd);

/* Whether DOOR, which has come from elsewhere, can be used: its text ends. */
bool xmpi_door_is_sound(const xmpi_door_t *door);

#endif
