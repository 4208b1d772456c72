/* SPDX-License-Identifier: BSD-3-Clause
 * How xmpictl shows jobs to people. */
#ifndef XMPICTL_SHOW_H
#define XMPICTL_SHOW_H

#include "jobs.h"

void show_list(const found_t *found, int jobs);

/* NAME: the path of its socket. */
void show_status(const cJSON *status, const char *name);

/* Who sends how much to whom. */
void show_matrix(const cJSON *matrix);

/* What numbers of members are worth. */
void show_worth(const cJSON *worth);

/* The lines of the log. */
void show_log(const cJSON *log);

/* One line. */
void show_line(const cJSON *status);

#endif
