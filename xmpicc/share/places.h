/* SPDX-License-Identifier: BSD-3-Clause
 * Where jobs can be met: at sockets of this machine, and, by the directory of jobs, on others;
 * those of one user, or of all who have such a directory. */
#ifndef XMPI_SHARE_PLACES_H
#define XMPI_SHARE_PLACES_H

#include <stdbool.h>
#include <sys/types.h>

#include "control/address.h"
#include "control/directory.h"

enum { PLACE_NAME_MAX = XMPI_HOST_MAX + 32 };

typedef struct {
    char name[PLACE_NAME_MAX]; /* what people call the job: a number, or HOST-NUMBER */
    bool elsewhere;            /* on another node */
    uid_t uid;                 /* whose job it is, as the folder is that it was found in */
    long pid;                  /* of its first leader, or of the present one */
    xmpi_entry_t entry;        /* its socket, and where it is elsewhere the host */
} place_t;

typedef struct {
    char folder[XMPI_ADDRESS_MAX]; /* with the sockets of this user */
    const char *jobs; /* the directory of this user's jobs; NULL: none; or, of ALL, the folder in
                         which each user has one */
    bool all;         /* those of all users, which are found there alone */
} places_t;

/* All places where there is, or was, a job, in PLACE (malloc), maybe some twice, those of
 * directories first; how many. Less than 0 where a folder of this user's cannot be read. */
int places_find(const places_t *places, place_t **place);

/* A line to the job at PLACE, which does not wait: a socket; less than 0, and errno, where there is
 * none. One elsewhere ends when nobody answers there. What a killed job has left on this machine is
 * removed. */
int place_connect(const place_t *place);

#endif
