/* SPDX-License-Identifier: BSD-3-Clause
 * Snapshot. */
#define _GNU_SOURCE
#include "act/checkpoint/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "act/checkpoint/private.h"
#include "act/checkpoint/sets.h"
#include "base/process/seconds.h"

enum { NICENESS = 5 };

static xmpi_snapshot_told_t *room_to_tell(xmpi_snapshot_t *snapshot)
{
    if (snapshot->told == NULL)
        snapshot->told = mmap(NULL, sizeof *snapshot->told, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (snapshot->told == MAP_FAILED)
        snapshot->told = NULL;
    return snapshot->told;
}

/* --- in the copy --------------------------------------------------------------------------------
 */

/* Of sockets and pipes others wait for the end, which comes when the last process has closed them.
 */
static void close_all(void)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, 0u, UINT_MAX, 0u) == 0)
        return;
#endif
    struct rlimit limit = {.rlim_cur = 1024};
    getrlimit(RLIMIT_NOFILE, &limit);
    for (rlim_t fd = 0; fd < limit.rlim_cur && fd < INT_MAX; fd++)
        close((int)fd);
}

/* Where memory runs out a checkpoint is lost, and not the program. */
static void be_first_to_go(void)
{
    static const char most[] = "1000";
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        ssize_t ignored = write(fd, most, sizeof most - 1);
        (void)ignored;
        close(fd);
    }
}

static void write_part(const xmpi_snapshot_task_t *task, xmpi_pack_t *head,
                       xmpi_snapshot_told_t *told)
{
    char path[XMPI_CHECKPOINT_PATH];
    double since = xmpi_seconds_now();
    xmpi_part_file_t *part = task->part;
    if (task->first != NULL)
        task->first(task->context);
    xmpi_set_part_path(task->folder, part->set, part->part, path);
    xmpi_status_t status = xmpi_part_write_scattered(path, part, task->data, head, &told->error);
    if (status == XMPI_OK && xmpi_set_is_there(task->folder, part->set, part->parts))
        xmpi_set_mark(task->folder, part->set); /* it was the last one */
    told->seconds = xmpi_seconds_now() - since;
    told->status = status;
}

/* Iterations come first. */
static _Noreturn void be_copy(pid_t of, const xmpi_snapshot_task_t *task, xmpi_pack_t *head,
                              xmpi_snapshot_told_t *told)
{
    const struct rlimit none = {0, 0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != of)
        _exit(1);
    close_all();
    setpriority(PRIO_PROCESS, 0, NICENESS);
    setrlimit(RLIMIT_CORE, &none);
    be_first_to_go();
    told->unfit = !xmpi_private_has(task->part, task->data);
    if (!told->unfit) {
        write_part(task, head, told);
        told->rewritten = xmpi_private_alone(task->part, task->data);
    } else
        told->status = xmpi_error_set(&told->error, XMPI_ERR_INPUT,
                                      "it is in memory that is shared, or that a copy of the "
                                      "process does not have");
    _exit(0);
}

/* --- in the process -----------------------------------------------------------------------------
 */

/* Not fork(): what libraries and the program have asked to be called there (pthread_atfork) may
 * wait for their threads, and the program would be told of a child that it has not made. */
static pid_t copy_process(void)
{
    return (pid_t)syscall(SYS_clone, 0ul, NULL, NULL, NULL, 0ul);
}

/* What there is to be heard of one that never tells. */
static bool begin(xmpi_snapshot_t *snapshot, const xmpi_snapshot_task_t *task, xmpi_pack_t *head)
{
    xmpi_snapshot_told_t *told = room_to_tell(snapshot);
    if (told == NULL || xmpi_part_head(task->part, head) != XMPI_OK)
        return false;
    *told = (xmpi_snapshot_told_t){.status = XMPI_ERR_PROCESS};
    xmpi_error_set(&told->error, XMPI_ERR_PROCESS, "what writes it was killed");
    snapshot->heard = false;
    return true;
}

xmpi_status_t xmpi_snapshot_write(xmpi_snapshot_t *snapshot, const xmpi_snapshot_task_t *task)
{
    sigset_t all, before;
    pid_t own = getpid();
    xmpi_pack_t head = {0};
    if (!begin(snapshot, task, &head)) {
        xmpi_pack_free(&head);
        return XMPI_ERR_MEMORY;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    snapshot->process = copy_process();
    if (snapshot->process == 0)
        be_copy(own, task, &head, snapshot->told);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    xmpi_pack_free(&head);
    if (snapshot->process > 0)
        return XMPI_OK;
    snapshot->process = 0;
    snapshot->heard = true;
    return XMPI_ERR_PROCESS;
}

xmpi_status_t xmpi_snapshot_write_here(xmpi_snapshot_t *snapshot, const xmpi_snapshot_task_t *task)
{
    xmpi_pack_t head = {0};
    bool good = begin(snapshot, task, &head);
    if (good)
        write_part(task, &head, snapshot->told);
    xmpi_pack_free(&head);
    return good ? XMPI_OK : XMPI_ERR_MEMORY;
}

bool xmpi_snapshot_is_busy(const xmpi_snapshot_t *snapshot)
{
    siginfo_t ended = {0};
    return snapshot->process > 0 &&
           waitid(P_PID, (id_t)snapshot->process, &ended, WEXITED | WNOHANG | WNOWAIT | __WALL) ==
               0 &&
           ended.si_pid == 0;
}

/* (Where it is a signal of its own doing, and not of somebody's, it has met memory that it may not
 * read.) */
bool xmpi_snapshot_wait(xmpi_snapshot_t *snapshot, xmpi_snapshot_told_t *told)
{
    int ended = 0;
    while (snapshot->process > 0 && waitpid(snapshot->process, &ended, __WALL) < 0 &&
           errno == EINTR)
        continue;
    bool news = snapshot->told != NULL && !snapshot->heard;
    if (news) {
        *told = *snapshot->told;
        told->unfit = told->unfit || (WIFSIGNALED(ended) &&
                                      (WTERMSIG(ended) == SIGSEGV || WTERMSIG(ended) == SIGBUS));
    }
    snapshot->process = 0;
    snapshot->heard = true;
    return news;
}

void xmpi_snapshot_free(xmpi_snapshot_t *snapshot)
{
    xmpi_snapshot_told_t ignored;
    xmpi_snapshot_wait(snapshot, &ignored);
    if (snapshot->told != NULL)
        munmap(snapshot->told, sizeof *snapshot->told);
    snapshot->told = NULL;
}
