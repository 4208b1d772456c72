/* SPDX-License-Identifier: BSD-3-Clause
 * Users of this machine. */
#define _GNU_SOURCE
#include "tool/user.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>

static const gid_t NOBODYS = 65534;

gid_t user_group(uid_t uid)
{
    const struct passwd *entry = getpwuid(uid);
    return entry != NULL ? entry->pw_gid : NOBODYS;
}

bool user_find(const char *text, uid_t *uid)
{
    char *end;
    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    bool is_number = *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
    const struct passwd *entry = is_number ? NULL : getpwnam(text);
    if (entry == NULL && (!is_number || number != (uid_t)number))
        return false;
    *uid = entry != NULL ? entry->pw_uid : (uid_t)number;
    return true;
}
