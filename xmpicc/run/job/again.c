/* SPDX-License-Identifier: BSD-3-Clause
 * Starting a job again. */
#define _GNU_SOURCE
#include "again.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/checkpoint/files/brief.h"
#include "act/checkpoint/ended.h"
#include "base/process/seconds.h"
#include "tool/tool.h"

enum { MISUSE = 2, IN_VAIN = 1 };

static const char *folder_of(const options_t *options)
{
    const char *folder = getenv("XMPI_CHECKPOINT");
    return options->retries > 0 && folder != NULL && folder[0] != '\0' ? folder : NULL;
}

/* The program may go to another folder, so that the name is to be whole. */
bool again_prepare(const options_t *options)
{
    char path[PATH_MAX], whole[2 * PATH_MAX];
    const char *folder = folder_of(options);
    if (folder == NULL || (mkdir(folder, 0777) != 0 && errno != EEXIST))
        return false;
    if (folder[0] != '/' && getcwd(path, sizeof path) != NULL) {
        snprintf(whole, sizeof whole, "%s/%s", path, folder);
        setenv("XMPI_CHECKPOINT", whole, 1);
    }
    xmpi_ended_clear(getenv("XMPI_CHECKPOINT"));
    xmpi_none_mark(getenv("XMPI_CHECKPOINT"), false);
    return true;
}

static void say(int status, const xmpi_brief_t *newest, const course_t *course)
{
    fprintf(stderr, "xmpirun: the job has lost a process (status %d): it is started again, ",
            status);
    if (newest->set == 0) {
        fprintf(stderr, "from its beginning: %s; %.3g s are lost\n",
                xmpi_none_is(getenv("XMPI_CHECKPOINT")) ? "there are no checkpoints of this loop"
                                                        : "there is no checkpoint yet",
                course->seconds);
        return;
    }
    fprintf(stderr, "from iteration %" PRId64 "; %.3g s are lost", newest->iteration,
            xmpi_seconds_epoch() - newest->written);
    double lost = course->iteration - (double)newest->iteration;
    if (course->iteration > 0 && lost >= 1)
        fprintf(stderr, ", some %.0f iteration%s", lost, lost >= 2 ? "s" : "");
    fputc('\n', stderr);
}

/* What the next start has to know of those before. What was done since the checkpoint is lost, and
 * whatever the job had, and has not told of, until it comes to its loop again (XMPI_SPENT). */
static void hand_over(const xmpi_brief_t *newest, const course_t *course, again_t *again)
{
    char text[256];
    spent_t *spent = &again->spent;
    const spent_t before = *spent;
    if (course->spent.until > 0)
        *spent = course->spent;
    if (spent->until <= 0)
        spent->until = xmpi_seconds_epoch() - course->seconds;
    double from = fmax(newest->written, spent->since); /* what was lost before is known */
    double again_done =
        newest->set == 0 ? spent->used - before.used : spent->nodes * (spent->until - from);
    double most = spent->used - spent->lost;
    if (course->spent.until > 0 && again_done > 0)
        spent->lost += again_done < most ? again_done : most;
    snprintf(text, sizeof text, "%.9g %.9g %.9g %.9g %.9g %.6f", spent->held, spent->used,
             spent->lost, spent->given_back, spent->cost, spent->until);
    setenv("XMPI_SPENT", text, 1);
}

/* Told not to, mpiexec does not kill all others on account of one. */
static bool kills_others(const options_t *options)
{
    for (int i = 0; options->rest[i] != NULL; i++)
        if (strcmp(options->rest[i], "-disable-auto-cleanup") == 0)
            return false;
    return true;
}

/* Where mpiexec kills all on account of one it may say 0: while the program ends, when what was
 * printed last is lost, and once in a while where proxies of its own die meanwhile. */
static bool came_to_its_end(const options_t *options, int status, const course_t *course)
{
    return status == 0 && !(course->lost && kills_others(options));
}

int again_status(const options_t *options, int status, const course_t *course)
{
    bool told = course->stopped || status != 0; /* by who has ended it, or by mpiexec */
    return told || came_to_its_end(options, status, course) ? status : TOOL_FAILED;
}

void again_tell_loss(const course_t *course)
{
    const noise_loss_t *loss = &course->loss;
    const char *folder = getenv("XMPI_CHECKPOINT");
    bool could = course->reached && (folder == NULL || folder[0] == '\0');
    if (course->stopped || loss->pid == 0 || loss->how[0] == '\0')
        return;
    tool_complain("process %ld on node %s was ended by a signal: %s%s", loss->pid, loss->node,
                  loss->how,
                  could ? "; with --checkpoint FOLDER the job would have gone on by itself" : "");
}

bool again_wanted(const options_t *options, int status, const course_t *course, again_t *again)
{
    const char *folder = folder_of(options);
    xmpi_brief_t newest;
    if (folder == NULL || status == MISUSE || course->stopped || again->times >= options->retries ||
        xmpi_ended_is(folder) || came_to_its_end(options, status, course))
        return false;
    xmpi_brief_newest(folder, &newest);
    bool further = newest.loop > again->loop ||
                   (newest.loop == again->loop && newest.iteration > again->iteration);
    again->in_vain = further ? 0 : again->in_vain + 1;
    if (again->in_vain > IN_VAIN) {
        tool_complain("the job is not started again, as it did not get further than before");
        return false;
    }
    again->times++;
    again->loop = newest.loop;
    again->iteration = newest.iteration;
    say(status, &newest, course);
    hand_over(&newest, course, again);
    const char *restart = getenv("XMPI_RESTART"), *policy = getenv("XMPI_POLICY");
    bool off = policy != NULL && strcmp(policy, "off") == 0; /* there are no checkpoints */
    if (!off && (restart == NULL || strcmp(restart, "2") != 0))
        setenv("XMPI_RESTART", "1", 1);
    return true;
}
