/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "act/outofcore/outofcore.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "act/outofcore/scratch.h"
#include "base/own_files.h"
#include "base/seconds.h"

/* --- a page that cannot be read -----------------------------------------------------------------
 *
 * The program is told by a signal. Ranges are kept where the handler reaches them. */

enum { RANGES_MAX = 256 };

static struct {
    atomic_uintptr_t begin, end; /* 0: unused */
} range[RANGES_MAX];
static struct sigaction before;

static void put_range(const xmpi_paged_t *paged, bool there)
{
    uintptr_t at = (uintptr_t)paged->at, wanted = there ? 0 : at;
    for (int i = 0; i < RANGES_MAX; i++)
        if (atomic_load(&range[i].begin) == wanted) {
            atomic_store(&range[i].end, there ? at + paged->bytes : 0);
            atomic_store(&range[i].begin, there ? at : 0);
            return;
        }
}

static bool is_ours(uintptr_t address)
{
    for (int i = 0; i < RANGES_MAX; i++)
        if (address >= atomic_load(&range[i].begin) && address < atomic_load(&range[i].end))
            return true;
    return false;
}

/* When it returns the same access is made again, and whoever was to handle it does. */
static void cannot_read(int number, siginfo_t *info, void *context)
{
    static const char text[] = "xmpi: the disk (XMPI_OOC_DIR) cannot read what it has of an "
                               "array that is out of core\n";
    (void)context;
    if (is_ours((uintptr_t)info->si_addr)) {
        ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
        (void)ignored;
    }
    sigaction(number, &before, NULL);
}

/* Again where the program has taken the signal meanwhile. */
static void handle_signal(void)
{
    struct sigaction now,
        action = {.sa_sigaction = cannot_read, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(SIGBUS, NULL, &now);
    if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == cannot_read)
        return;
    before = now;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

/* --- the thread --------------------------------------------------------------------------------
 */

static const double quiet_after = 1, check_period = 1;
static const long pause_ns = 1000000, long_pause_ns = 50000000;

static void remove_at(xmpi_outofcore_t *all, int i)
{
    put_range(all->block[i], false);
    xmpi_paged_close(all->block[i]);
    free(all->block[i]);
    all->block[i] = all->block[--all->blocks];
}

/* Those that the program has freed go; files that nobody has any more with them. */
static void check_blocks(xmpi_outofcore_t *all, double now, int *failed)
{
    for (int i = all->blocks; i-- > 0;) {
        xmpi_paged_t *paged = all->block[i];
        if (now - paged->checked < check_period)
            continue;
        paged->checked = now;
        int number = xmpi_paged_written(paged);
        if (number != 0)
            *failed = number;
        if (!xmpi_paged_is_there(paged))
            remove_at(all, i);
    }
}

static bool follow_blocks(xmpi_outofcore_t *all, int pagemap, bool *used)
{
    int failed = 0;
    double now = xmpi_seconds_now();
    pthread_mutex_lock(&all->lock);
    bool ends = all->ends;
    for (int i = 0; i < all->blocks && !ends; i++)
        *used |= xmpi_paged_follow(all->block[i], pagemap, xmpi_seconds_now(), &failed);
    check_blocks(all, now, &failed);
    pthread_mutex_unlock(&all->lock);
    if (failed != 0)
        atomic_store(&all->failed, failed);
    return !ends;
}

static void *follow(void *argument)
{
    xmpi_outofcore_t *all = argument;
    double last_used = xmpi_seconds_now();
    bool used = false;
    xmpi_own_files_begin();
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (pagemap >= 0)
        xmpi_own_files_keep(pagemap, true);
    xmpi_own_files_end();
    while (follow_blocks(all, pagemap, &used)) {
        double now = xmpi_seconds_now();
        last_used = used ? now : last_used;
        used = false;
        bool quiet = now - last_used > quiet_after;
        nanosleep(&(struct timespec){.tv_nsec = quiet ? long_pause_ns : pause_ns}, NULL);
    }
    if (pagemap >= 0)
        xmpi_scratch_close(pagemap);
    return NULL;
}

/* Signals are for the program's own threads. */
static bool start(xmpi_outofcore_t *all)
{
    sigset_t every, was;
    if (all->open)
        return true;
    pthread_mutex_init(&all->lock, NULL);
    all->ends = false;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &was);
    all->open = pthread_create(&all->thread, NULL, follow, all) == 0;
    pthread_sigmask(SIG_SETMASK, &was, NULL);
    if (!all->open)
        pthread_mutex_destroy(&all->lock);
    return all->open;
}

/* --- blocks ------------------------------------------------------------------------------------
 */

/* BLOCK is one that malloc gave. What was known of its place, where another was, is forgotten. */
static int find(xmpi_outofcore_t *all, void *block)
{
    for (int i = 0; i < all->blocks; i++) {
        if (all->block[i]->block != block)
            continue;
        if (xmpi_paged_is_of(all->block[i], malloc_usable_size(block)))
            return i;
        remove_at(all, i);
        return -1;
    }
    return -1;
}

/* Memory is shared by size. */
static void share(const xmpi_outofcore_t *all)
{
    double bytes = 0;
    for (int i = 0; i < all->blocks; i++)
        bytes += (double)all->block[i]->bytes;
    for (int i = 0; i < all->blocks; i++)
        xmpi_paged_room(all->block[i],
                        (int64_t)((double)all->memory * (double)all->block[i]->bytes / bytes));
}

void xmpi_outofcore_set(xmpi_outofcore_t *all, const char *folder, int64_t memory)
{
    snprintf(all->folder, sizeof all->folder, "%s", folder);
    if (all->open)
        pthread_mutex_lock(&all->lock);
    all->memory = memory;
    share(all);
    if (all->open)
        pthread_mutex_unlock(&all->lock);
}

/* What a block that was freed has left. */
static void forget_overlapping(xmpi_outofcore_t *all, const char *block, size_t size)
{
    for (int i = all->blocks; i-- > 0;)
        if (all->block[i]->at < block + size && block < all->block[i]->at + all->block[i]->bytes)
            remove_at(all, i);
}

static xmpi_status_t put(xmpi_outofcore_t *all, void *block, xmpi_error_t *error)
{
    size_t size = malloc_usable_size(block);
    forget_overlapping(all, block, size);
    xmpi_paged_t **grown = realloc(all->block, ((size_t)all->blocks + 1) * sizeof *grown);
    xmpi_paged_t *paged = calloc(1, sizeof *paged);
    if (grown != NULL)
        all->block = grown;
    xmpi_status_t status =
        grown == NULL || paged == NULL
            ? xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to put it on disk")
            : xmpi_paged_open(paged, block, size, all->folder, all->memory, error);
    if (status != XMPI_OK) {
        free(paged);
        return status;
    }
    all->block[all->blocks++] = paged;
    put_range(paged, true);
    share(all);
    return XMPI_OK;
}

xmpi_status_t xmpi_outofcore_put(xmpi_outofcore_t *all, void *block, xmpi_error_t *error)
{
    handle_signal();
    if (!start(all))
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no thread to put it on disk");
    pthread_mutex_lock(&all->lock);
    xmpi_status_t status = put(all, block, error);
    pthread_mutex_unlock(&all->lock);
    return status;
}

bool xmpi_outofcore_has(xmpi_outofcore_t *all, void *block)
{
    if (all == NULL || !all->open || block == NULL)
        return false;
    pthread_mutex_lock(&all->lock);
    bool has = find(all, block) >= 0;
    pthread_mutex_unlock(&all->lock);
    return has;
}

int xmpi_outofcore_blocks(xmpi_outofcore_t *all, int64_t *bytes)
{
    *bytes = 0;
    if (all == NULL || !all->open)
        return 0;
    pthread_mutex_lock(&all->lock);
    int n = all->blocks;
    for (int i = 0; i < n; i++)
        *bytes += (int64_t)all->block[i]->bytes;
    pthread_mutex_unlock(&all->lock);
    return n;
}

void xmpi_outofcore_forget(xmpi_outofcore_t *all, void *block)
{
    if (all == NULL || !all->open || block == NULL)
        return;
    pthread_mutex_lock(&all->lock);
    int i = find(all, block);
    if (i >= 0) {
        xmpi_paged_empty(all->block[i], malloc_usable_size(block));
        remove_at(all, i);
        share(all);
    }
    pthread_mutex_unlock(&all->lock);
}

xmpi_status_t xmpi_outofcore_state(xmpi_outofcore_t *all, xmpi_error_t *error)
{
    int failed = atomic_load(&all->failed);
    if (failed == 0)
        return XMPI_OK;
    return xmpi_error_set(
        error, XMPI_ERR_INPUT,
        "the disk of %s (XMPI_OOC_DIR) has not taken what it has of an array that "
        "is out of core: %s",
        all->folder, strerror(failed));
}

void xmpi_outofcore_close(xmpi_outofcore_t *all)
{
    if (!all->open)
        return;
    pthread_mutex_lock(&all->lock);
    all->ends = true;
    pthread_mutex_unlock(&all->lock);
    pthread_join(all->thread, NULL);
    while (all->blocks > 0)
        remove_at(all, all->blocks - 1);
    free(all->block);
    all->block = NULL;
    pthread_mutex_destroy(&all->lock);
    all->open = false;
}
