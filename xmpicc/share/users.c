/* SPDX-License-Identifier: BSD-3-Clause
 * Other users. */
#define _GNU_SOURCE
#include "users.h"

#include <glob.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool/user.h"

bool users_become(uid_t uid)
{
    if (uid == geteuid())
        return true;
    gid_t gid = user_group(uid);
    if (setgroups(1, &gid) == 0 && setegid(gid) == 0 && seteuid(uid) == 0)
        return true;
    users_return();
    return false;
}

/* Its other groups root does without. */
void users_return(void)
{
    if (geteuid() == getuid())
        return;
    if (seteuid(getuid()) != 0 || setegid(getgid()) != 0)
        _exit(1); /* rather than to go on with the rights of somebody else */
}

/* Who may write there could put a job of his into somebody else's place. */
static bool owner_of(const char *folder, uid_t *uid)
{
    struct stat file;
    if (lstat(folder, &file) != 0 || !S_ISDIR(file.st_mode) || (file.st_mode & 022) != 0)
        return false;
    *uid = file.st_uid;
    return true;
}

void users_each(const char *pattern, void (*visit)(const char *folder, uid_t uid, void *context),
                void *context)
{
    glob_t found;
    uid_t uid;
    if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        if (!owner_of(found.gl_pathv[i], &uid) || !users_become(uid))
            continue;
        visit(found.gl_pathv[i], uid, context);
        users_return();
    }
    globfree(&found);
}
