/* SPDX-License-Identifier: BSD-3-Clause
 * Jobs whose leader is on another node: they are known by the directory in XMPI_JOBS
 * (control/directory.h), and xmpictl is run there by a remote shell. */
#ifndef XMPI_REMOTE_H
#define XMPI_REMOTE_H

#include <stdbool.h>
#include <stdio.h>

#include "control/directory.h"

/* The entry NAME ("HOST-NUMBER") of the directory. False where there is none, or no directory. */
bool remote_find(const char *name, xmpi_entry_t *entry);

/* Removes ENTRY from the directory, if it is still what NAME is there. */
void remote_forget(const char *name, const xmpi_entry_t *entry);

/* Whether its leader is on this host. */
bool remote_is_here(const xmpi_entry_t *entry);

/* Calls VISIT with each entry of the directory, and its name. 0, or less after a message. */
int remote_each(void (*visit)(const char *name, const xmpi_entry_t *entry, void *context),
                void *context);

/* The same of the directory FOLDER. */
int remote_each_of(const char *folder,
                   void (*visit)(const char *name, const xmpi_entry_t *entry, void *context),
                   void *context);

/* Runs xmpictl there on the entry's job with WORDS, which end with NULL; its exit status, 255 where
 * the host cannot be reached. */
int remote_run(const xmpi_entry_t *entry, char *const *words);

/* The same, and what it prints within LIMIT seconds, a line of fewer than ROOM characters; false
 * where there is none. */
bool remote_hear(const xmpi_entry_t *entry, char *const *words, double limit, char *line,
                 size_t room);

/* The same, and a socket that is its standard input and output: it does not wait, and ends when the
 * remote shell does. Less than 0, and errno, where there can be none. */
int remote_line(const xmpi_entry_t *entry, char *const *words);

#endif
