/* SPDX-License-Identifier: BSD-3-Clause
 * The directory of a user's jobs on all nodes: a file for each, HOST-NUMBER.job, in a folder that the
 * nodes share (XMPI_JOBS). Who leads a job writes it anew, so that the job is found wherever its
 * leader goes. */
#ifndef XMPI_CONTROL_DIRECTORY_H
#define XMPI_CONTROL_DIRECTORY_H

#include <stdbool.h>

#include "control/address.h"
#include "control/job.h"

enum { XMPI_HOST_MAX = 256 };

/* Where the leader of a job can be met. Plain data. */
typedef struct {
    char host[XMPI_HOST_MAX]; /* as it calls itself: letters, digits, points and dashes */
    long pid;
    char socket[XMPI_ADDRESS_MAX];
    char program[XMPI_JOB_NAME];
} xmpi_entry_t;

/* This process, which serves SOCKET, as an entry. False where its host has no name. */
bool xmpi_directory_self(const char *socket, const char *program, xmpi_entry_t *entry);

/* Makes FOLDER where it is missing. XMPI_ERR_INPUT where others may write into it. */
xmpi_status_t xmpi_directory_check(const char *folder, xmpi_error_t *error);

/* The file PATH becomes ENTRY, at once. XMPI_ERR_INPUT. */
xmpi_status_t xmpi_directory_put(const char *path, const xmpi_entry_t *entry, xmpi_error_t *error);

/* False where there is no such file of this user's, or it is no entry. */
bool xmpi_directory_get(const char *path, xmpi_entry_t *entry);

/* Removes the file PATH if it still is ENTRY: another process may lead the job by now. */
void xmpi_directory_remove(const char *path, const xmpi_entry_t *entry);

#endif
