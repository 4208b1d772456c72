/* SPDX-License-Identifier: BSD-3-Clause
 * What a file of a checkpoint begins with, and what it says in brief: for those who do not want its
 * data. */
#ifndef XMPI_ACT_CHECKPOINT_FILES_BRIEF_H
#define XMPI_ACT_CHECKPOINT_FILES_BRIEF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* The version of the format: a reader takes its own only. */
enum { XMPI_CHECKPOINT_VERSION = 4, XMPI_CHECKPOINT_LOOP_MAX = 256 };

/* What a file begins with. */
typedef struct {
    char magic[8];
    uint32_t order; /* tells another byte order */
    uint32_t version;
    uint64_t head;   /* bytes of the head behind this */
    uint64_t digest; /* of them */
    uint64_t file;   /* bytes in all */
} xmpi_front_t;

_Static_assert(sizeof(xmpi_front_t) == 40, "it is in files");

/* Of one that we write, but for lengths and the digest. */
void xmpi_front_set(xmpi_front_t *front);

/* Whether it is one that we read: XMPI_ERR_INPUT where not, and why. */
xmpi_status_t xmpi_front_check(const xmpi_front_t *front, xmpi_error_t *error);

/* BYTES of the file from AT on; false: there are not so many, or the disk fails. */
bool xmpi_front_bytes(int fd, char *data, int64_t bytes, int64_t at);

/* How far the run was when the newest whole set in FOLDER was taken. */
typedef struct {
    int64_t set;             /* 0: there is none */
    int64_t loop, iteration; /* which loop of the run, and its completed iterations */
    double written;          /* seconds since 1970 */
} xmpi_brief_t;

void xmpi_brief_newest(const char *folder, xmpi_brief_t *brief);

#endif
