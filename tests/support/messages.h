/* SPDX-License-Identifier: BSD-3-Clause
 * How many messages the runtime sends, counted while a program without data runs on a pool. */
#ifndef XMPI_TESTS_MESSAGES_H
#define XMPI_TESTS_MESSAGES_H

typedef struct {
    double interval; /* of all members together, in an interval without a change */
    double change;   /* in an interval in which a member leaves or comes back */
} messages_t;

/* Builds what is needed in folder DIR. 0, or the exit status of what has failed, with its output on
 * stderr. */
int messages_build(const char *dir);

/* Counts with MEMBERS members; 0 or an exit status. */
int messages_count(const char *dir, int members, messages_t *messages);

/* Builds a program that moves whole in DIR, and counts in an interval in which one of its MEMBERS
 * goes to another process, what the program itself sends left out. */
int messages_of_move(const char *dir, int members, double *messages);

#endif
