/* SPDX-License-Identifier: BSD-3-Clause
 * Users of this machine, and the one group with whose rights root acts for them. */
#ifndef XMPI_TOOL_USER_H
#define XMPI_TOOL_USER_H

#include <stdbool.h>
#include <sys/types.h>

/* The group of user UID. Who has no entry has none either that others would lend a right to. */
gid_t user_group(uid_t uid);

/* Whose name, or number, TEXT is. False: there is no user of that name. */
bool user_find(const char *text, uid_t *uid);

#endif
