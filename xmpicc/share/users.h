/* SPDX-License-Identifier: BSD-3-Clause
 * Other users: what root does with what is theirs it does with their rights, so that nothing that
 * lies there (a link, a socket of somebody else's) leads it further than they could go. */
#ifndef XMPI_SHARE_USERS_H
#define XMPI_SHARE_USERS_H

#include <stdbool.h>
#include <sys/types.h>

/* From now on with the rights of UID, until users_return(). False where that cannot be. Nothing to
 * be done where UID is who this is. */
bool users_become(uid_t uid);
void users_return(void);

/* Calls VISIT with each folder that PATTERN (of glob) names and that nobody but its owner can write
 * into, with the rights of that owner. */
void users_each(const char *pattern, void (*visit)(const char *folder, uid_t uid, void *context),
                void *context);

#endif
