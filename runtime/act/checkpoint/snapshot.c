/* SPDX-License-Identifier: BSD-3-Clause
 * Snapshot. */
#define _GNU_SOURCE
#include "act/checkpoint/snapshot.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "act/checkpoint/sets.h"
#include "base/seconds.h"

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

static void write_part(const char *folder, xmpi_part_file_t *part,
                       const xmpi_stretch_t *const *data, xmpi_snapshot_told_t *told)
{
    char path[XMPI_CHECKPOINT_PATH];
    double since = xmpi_seconds_now();
    xmpi_set_part_path(folder, part->set, part->part, path);
    xmpi_status_t status = xmpi_part_write_scattered(path, part, data, &told->error);
    if (status == XMPI_OK && xmpi_set_is_there(folder, part->set, part->parts))
        xmpi_set_mark(folder, part->set); /* it was the last one */
    told->seconds = xmpi_seconds_now() - since;
    told->status = status;
}

/* Iterations come first. */
static _Noreturn void be_copy(pid_t of, const char *folder, xmpi_part_file_t *part,
                              const xmpi_stretch_t *const *data, xmpi_snapshot_told_t *told)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != of)
        _exit(1);
    close_all();
    setpriority(PRIO_PROCESS, 0, NICENESS);
    write_part(folder, part, data, told);
    _exit(0);
}

/* --- in the process -----------------------------------------------------------------------------
 */

xmpi_status_t xmpi_snapshot_write(xmpi_snapshot_t *snapshot, const char *folder,
                                  xmpi_part_file_t *part, const xmpi_stretch_t *const *data)
{
    sigset_t all, before;
    pid_t own = getpid();
    xmpi_snapshot_told_t *told = room_to_tell(snapshot);
    if (told == NULL)
        return XMPI_ERR_MEMORY;
    snapshot->heard = false;
    *told = (xmpi_snapshot_told_t){.status = XMPI_ERR_PROCESS};
    xmpi_error_set(&told->error, XMPI_ERR_PROCESS, "what writes it was killed");
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    snapshot->process = fork();
    if (snapshot->process == 0)
        be_copy(own, folder, part, data, told);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (snapshot->process < 0) {
        snapshot->process = 0;
        write_part(folder, part, data, told);
    }
    return XMPI_OK;
}

/* (Where the program has its children reaped for it nothing is left to be seen when it has ended.)
 */
bool xmpi_snapshot_is_busy(const xmpi_snapshot_t *snapshot)
{
    siginfo_t ended = {0};
    return snapshot->process > 0 &&
           waitid(P_PID, (id_t)snapshot->process, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0;
}

bool xmpi_snapshot_wait(xmpi_snapshot_t *snapshot, xmpi_snapshot_told_t *told)
{
    while (snapshot->process > 0 && waitpid(snapshot->process, NULL, 0) < 0 && errno == EINTR)
        continue;
    bool news = snapshot->told != NULL && !snapshot->heard;
    if (news)
        *told = *snapshot->told;
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
