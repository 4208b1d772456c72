/* SPDX-License-Identifier: BSD-3-Clause
 * The line to a job for others. */
#define _GNU_SOURCE
#include "through.h"

#include <errno.h>
#include <grp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
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

/* Nothing has come for as long as a job is waited for. */
static int look_after(job_t *job)
{
    return job_answers(job) ? 0 : jobs_say_silent(job->path, job);
}

int through_pass(job_t *job)
{
    int status = 0;
    bool asks = true, answers = true; /* more can come from standard input, and from the job */
    while (answers && status == 0) {
        struct pollfd ready[] = {{.fd = asks ? STDIN_FILENO : -1, .events = POLLIN},
                                 {.fd = job->fd, .events = POLLIN}};
        int n = poll(ready, 2, asks ? -1 : (int)(1e3 * job->patience) + 1); /* (at most 1e9) */
        if (n == 0)
            status = look_after(job);
        if (n > 0 && ready[0].revents != 0 && !pass(STDIN_FILENO, job->fd)) {
            asks = false; /* what was asked is answered still */
            shutdown(job->fd, SHUT_WR);
        }
        if (n > 0 && ready[1].revents != 0)
            answers = pass(job->fd, STDOUT_FILENO);
    }
    return status;
}
