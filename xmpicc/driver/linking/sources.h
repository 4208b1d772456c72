/* SPDX-License-Identifier: BSD-3-Clause
 * The sources of a program that has been linked, and which of them can be looked at as one. */
#ifndef XMPICC_SOURCES_H
#define XMPICC_SOURCES_H

#include "driver/linking/record.h"

typedef struct {
    records_t all;
    const char **apart; /* of each: why it cannot be joined, for people; NULL: it can be */
    size_t main;        /* the last one with an open loop; SOURCES_NONE: there is none */
} sources_t;

#define SOURCES_NONE ((size_t)-1)

/* Those of what the command has linked. COMPLAINED: also loops that are closed may become others.
 */
sources_t sources_find(driver_t *driver, bool complained);

/* The driver as if it compiled one of them with further options MORE. */
int sources_driver(const driver_t *driver, const record_t *record, const words_t *more,
                   driver_t *as);

/* A path of one of them, from the folder of MAIN. */
const char *sources_path(memory_t *memory, const record_t *record, const record_t *main,
                         const char *path);

/* Writes the list for xmpi-rewrite --join to PATH; *NUMBERS are the sources in it. Which of those
 * that are apart are needed, that says: they are not any more. The exit status. */
int sources_list(driver_t *driver, const sources_t *sources, const char *path, size_t *numbers);

#endif
