/* SPDX-License-Identifier: BSD-3-Clause
 * The line to a job for others. */
#define _GNU_SOURCE
#include "through.h"

#include <errno.h>
#include <grp.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "jobs.h"
#include "tool/tool.h"
#include "tool/user.h"

int through_as(const char *user)
{
    uid_t uid;
    if (!user_find(user, &uid))
        return tool_complain("--as %s: there is no such user", user);
    if (uid == getuid() && uid == geteuid())
        return 0;
    gid_t gid = user_group(uid);
    if (setgroups(1, &gid) != 0 || setgid(gid) != 0 || setuid(uid) != 0)
        return tool_complain("--as %s: %s; root can do that", user, strerror(errno));
    return 0;
}

/* False at the end of FROM, or where TO takes nothing any more. */
static bool pass(int from, int to)
{
    char text[1 << 14];
    ssize_t got = read(from, text, sizeof text);
    for (ssize_t done = 0, n; done < got; done += n)
        if ((n = write(to, text + done, (size_t)(got - done))) < 0)
            return false;
    return got > 0 || (got < 0 && errno == EINTR);
}

int through_pass(const job_t *job)
{
    bool goes_on = true;
    while (goes_on) {
        struct pollfd ready[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                                 {.fd = job->fd, .events = POLLIN}};
        if (poll(ready, 2, -1) < 0)
            continue;
        if (ready[0].revents != 0)
            goes_on = pass(STDIN_FILENO, job->fd);
        if (ready[1].revents != 0)
            goes_on = pass(job->fd, STDOUT_FILENO) && goes_on;
    }
    return 0;
}
