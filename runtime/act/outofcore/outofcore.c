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
#include "base/process/own_files.h"
#include "base/process/seconds.h"
#include "base/process/unreadable.h"

/* Of a page that cannot be read. */
static const char cannot_read[] =
    "xmpi: the disk (XMPI_OOC_DIR) cannot read what it has of an array "
    "that is out of core\n";

/* --- the threads -------------------------------------------------------------------------------
 *
 * One looks what the program uses, and does nothing else, as what comes next is asked for when it
 * has been seen; four read ahead, for the disk to have as many pieces to read at a time as it
 * wants; the last writes what is to leave memory.
 * Reading and writing are done without the lock, and the list of blocks stays what it is meanwhile.
 */

static const double quiet_after = 1, check_period = 1;
static const long pause_ns = 1000000, long_pause_ns = 50000000;

/* Nobody reads or writes until it is unlocked. */
static void lock_all(xmpi_outofcore_t *all)
{
    pthread_mutex_lock(&all->lock);
    all->wanted++;
    while (all->at_work > 0)
        pthread_cond_wait(&all->at_rest, &all->lock);
    all->wanted--;
}

static void unlock_all(xmpi_outofcore_t *all)
{
    pthread_cond_signal(&all->to_read);
    pthread_cond_signal(&all->to_write);
    pthread_mutex_unlock(&all->lock);
}

static void begin_work(xmpi_outofcore_t *all)
{
    all->at_work++;
    pthread_mutex_unlock(&all->lock);
}

static void end_work(xmpi_outofcore_t *all)
{
    pthread_mutex_lock(&all->lock);
    all->at_work--;
    pthread_cond_broadcast(&all->at_rest);
}

static void remove_at(xmpi_outofcore_t *all, int i)
{
    xmpi_unreadable_leave(all->block[i]->at);
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
        xmpi_paged_drop(paged);
        int number = xmpi_paged_written(paged);
        if (number != 0)
            *failed = number;
        if (!xmpi_paged_is_there(paged))
            remove_at(all, i);
    }
}

static void note(xmpi_outofcore_t *all, int failed)
{
    if (failed != 0)
        atomic_store(&all->failed, failed);
}

static bool follow_blocks(xmpi_outofcore_t *all, int pagemap, bool *used)
{
    bool leave = false;
    pthread_mutex_lock(&all->lock);
    bool ends = all->ends;
    for (int i = 0; i < all->blocks && !ends; i++) {
        *used |= xmpi_paged_follow(all->block[i], pagemap, xmpi_seconds_now());
        leave |= all->block[i]->leaving > 0;
    }
    if (leave)
        pthread_cond_signal(&all->to_write);
    if (*used)
        pthread_cond_signal(&all->to_read);
    pthread_mutex_unlock(&all->lock);
    return !ends;
}

/* A piece, of one of the blocks; whether there was one. */
static bool read_ahead(xmpi_outofcore_t *all, int *turn)
{
    xmpi_coming_t ahead;
    bool found = false;
    for (int i = 0; i < all->blocks && all->wanted == 0 && !all->ends && !all->waits && !found;
         i++) {
        xmpi_paged_t *paged = all->block[(unsigned)*turn % (unsigned)all->blocks];
        found = xmpi_paged_to_read(paged, &ahead);
        *turn += !found || paged->reading < 0;
        if (found) {
            pthread_cond_signal(&all->to_read);
            begin_work(all);
            xmpi_paged_read(paged, &ahead);
            end_work(all);
        }
    }
    return found;
}

static void *read_pieces(void *argument)
{
    xmpi_outofcore_t *all = argument;
    int turn = 0;
    pthread_mutex_lock(&all->lock);
    while (!all->ends)
        if (!read_ahead(all, &turn))
            pthread_cond_wait(&all->to_read, &all->lock);
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

static void check_sometimes(xmpi_outofcore_t *all, double *checked)
{
    int failed = 0;
    double now = xmpi_seconds_now();
    if (now - *checked < check_period)
        return;
    *checked = now;
    lock_all(all);
    check_blocks(all, now, &failed);
    unlock_all(all);
    note(all, failed);
}

static void *follow(void *argument)
{
    xmpi_outofcore_t *all = argument;
    double last_used = xmpi_seconds_now(), checked = last_used;
    bool used = false;
    xmpi_own_files_begin();
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (pagemap >= 0)
        xmpi_own_files_keep(pagemap, true);
    xmpi_own_files_end();
    while (follow_blocks(all, pagemap, &used)) {
        check_sometimes(all, &checked);
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

/* The block of which the most is to leave; NULL: nothing is. */
static xmpi_paged_t *next_to_write(const xmpi_outofcore_t *all)
{
    xmpi_paged_t *found = NULL;
    for (int i = 0; i < all->blocks && all->wanted == 0; i++)
        if (all->block[i]->leaving > (found == NULL ? 0 : found->leaving))
            found = all->block[i];
    return found;
}

static void *write_behind(void *argument)
{
    xmpi_outofcore_t *all = argument;
    pthread_mutex_lock(&all->lock);
    while (!all->ends) {
        int failed = 0;
        xmpi_leave_t leave;
        xmpi_paged_t *paged = next_to_write(all);
        if (paged == NULL || !xmpi_paged_to_leave(paged, &leave)) {
            pthread_cond_wait(&all->to_write, &all->lock);
            continue;
        }
        begin_work(all);
        xmpi_paged_leave(paged, &leave, &failed);
        note(all, failed);
        end_work(all);
        xmpi_paged_has_left(paged, &leave);
    }
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

/* The first N threads, which is all that there are. */
static void end_threads(xmpi_outofcore_t *all, int n)
{
    pthread_mutex_lock(&all->lock);
    all->ends = true;
    pthread_cond_broadcast(&all->to_read);
    pthread_cond_broadcast(&all->to_write);
    pthread_mutex_unlock(&all->lock);
    for (int i = 0; i < n; i++)
        pthread_join(all->thread[i], NULL);
    pthread_mutex_destroy(&all->lock);
    pthread_cond_destroy(&all->to_read);
    pthread_cond_destroy(&all->to_write);
    pthread_cond_destroy(&all->at_rest);
    all->open = false;
}

/* Signals are for the program's own threads. */
static bool start(xmpi_outofcore_t *all)
{
    static void *(*const does[XMPI_OUTOFCORE_THREADS])(void *) = {
        follow, read_pieces, read_pieces, read_pieces, read_pieces, write_behind};
    sigset_t every, was;
    int n = 0;
    if (all->open)
        return true;
    pthread_mutex_init(&all->lock, NULL);
    pthread_cond_init(&all->to_read, NULL);
    pthread_cond_init(&all->to_write, NULL);
    pthread_cond_init(&all->at_rest, NULL);
    all->ends = false;
    all->wanted = all->at_work = 0;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &was);
    while (n < XMPI_OUTOFCORE_THREADS && pthread_create(&all->thread[n], NULL, does[n], all) == 0)
        n++;
    pthread_sigmask(SIG_SETMASK, &was, NULL);
    all->open = n == XMPI_OUTOFCORE_THREADS;
    if (!all->open)
        end_threads(all, n);
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
        lock_all(all);
    all->memory = memory;
    share(all);
    if (all->open)
        unlock_all(all);
}

void xmpi_outofcore_read_ahead(xmpi_outofcore_t *all, bool ahead)
{
    atomic_store(&all->waits, !ahead);
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
    xmpi_unreadable_watch(paged->at, (size_t)paged->bytes, cannot_read);
    share(all);
    return XMPI_OK;
}

xmpi_status_t xmpi_outofcore_put(xmpi_outofcore_t *all, void *block, xmpi_error_t *error)
{
    if (!start(all))
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no thread to put it on disk");
    lock_all(all);
    xmpi_status_t status = put(all, block, error);
    unlock_all(all);
    return status;
}

bool xmpi_outofcore_has(xmpi_outofcore_t *all, void *block)
{
    if (all == NULL || !all->open || block == NULL)
        return false;
    lock_all(all);
    bool has = find(all, block) >= 0;
    unlock_all(all);
    return has;
}

int xmpi_outofcore_blocks(xmpi_outofcore_t *all, int64_t *bytes)
{
    *bytes = 0;
    if (all == NULL || !all->open)
        return 0;
    lock_all(all);
    int n = all->blocks;
    for (int i = 0; i < n; i++)
        *bytes += (int64_t)all->block[i]->bytes;
    unlock_all(all);
    return n;
}

/* Who is at work goes on: nothing of blocks changes. */
double xmpi_outofcore_passes(xmpi_outofcore_t *all, const void *block)
{
    double passes = 0;
    if (all == NULL || !all->open || block == NULL)
        return 0;
    pthread_mutex_lock(&all->lock);
    for (int i = 0; i < all->blocks; i++) {
        xmpi_sweep_t *sweep = &all->block[i]->sweep;
        if (all->block[i]->block != block || sweep->chunks <= sweep->held)
            continue;
        passes = (double)sweep->used / (double)(sweep->chunks - sweep->held);
        sweep->used = 0;
    }
    pthread_mutex_unlock(&all->lock);
    return passes;
}

void xmpi_outofcore_forget(xmpi_outofcore_t *all, void *block)
{
    if (all == NULL || !all->open || block == NULL)
        return;
    lock_all(all);
    int i = find(all, block);
    if (i >= 0) {
        xmpi_paged_empty(all->block[i], malloc_usable_size(block));
        remove_at(all, i);
        share(all);
    }
    unlock_all(all);
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
    end_threads(all, XMPI_OUTOFCORE_THREADS);
    while (all->blocks > 0)
        remove_at(all, all->blocks - 1);
    free(all->block);
    all->block = NULL;
}
