/* SPDX-License-Identifier: BSD-3-Clause
 * Writing in the background. */
#define _GNU_SOURCE
#include "act/checkpoint/saving.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "act/checkpoint/sets.h"
#include "act/outofcore/outofcore.h"
#include "act/outofcore/scratch.h"
#include "base/seconds.h"

enum { NICENESS = 5, HUGE_PAGE = 2 << 20, LITTLE = 4 << 20, PIECE = 8 << 20 };

#ifndef MADV_POPULATE_WRITE /* Linux 5.14 */
#define MADV_POPULATE_WRITE 23
#endif

/* Iterations come first (on Linux priorities are those of threads). */
static void be_nice(void)
{
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICENESS);
}

static void *write_copy(void *argument);

/* Signals are for the program's own threads. Without a thread it is done at once. */
static void start(xmpi_saving_t *saving, void *(*what)(void *))
{
    sigset_t all, before;
    sigfillset(&all);
    saving->writes = what == write_copy;
    atomic_store(&saving->looked, !saving->writes);
    atomic_store(&saving->written, false);
    atomic_store(&saving->enough, false);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    saving->threaded = pthread_create(&saving->thread, NULL, what, saving) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!saving->threaded)
        what(saving);
}

static void end(xmpi_saving_t *saving)
{
    atomic_store(&saving->looked, true);
    atomic_store(&saving->written, true);
}

/* --- room ---------------------------------------------------------------------------------------
 */

/* In memory, by the kernel at once; by a fault for each page where it is too old for that. */
static void touch_piece(char *piece, size_t bytes)
{
    if (madvise(piece, bytes, MADV_POPULATE_WRITE) == 0 || errno != EINVAL)
        return;
    for (size_t at = 0; at < bytes; at += (size_t)sysconf(_SC_PAGESIZE))
        piece[at] = 0;
}

static void touch_pages(xmpi_saving_t *saving)
{
    size_t left = saving->room;
    for (char *at = saving->copy; left > 0 && !atomic_load(&saving->enough); at += PIECE) {
        size_t bytes = left < PIECE ? left : PIECE;
        touch_piece(at, bytes);
        left -= bytes;
    }
}

static void *touch(void *argument)
{
    xmpi_saving_t *saving = argument;
    touch_pages(saving);
    end(saving);
    return NULL;
}

/* A copy of data that do not fit in memory does not fit either: it is on a file as well. */
static void *map_file(xmpi_outofcore_t *outofcore, size_t room)
{
    int fd;
    xmpi_error_t error;
    if (xmpi_scratch_open(outofcore->folder, (int64_t)room, &fd, &error) != XMPI_OK)
        return MAP_FAILED;
    void *place = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    xmpi_scratch_close(fd);
    return place;
}

static void get_room(xmpi_saving_t *saving, const xmpi_registry_t *registry, size_t bytes)
{
    int64_t on_disk;
    if (bytes <= saving->room)
        return;
    if (saving->copy != NULL)
        munmap(saving->copy, saving->room);
    saving->room = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    saving->file = xmpi_outofcore_blocks(registry->outofcore, &on_disk) > 0;
    saving->copy = saving->file ? map_file(registry->outofcore, saving->room)
                                : mmap(NULL, saving->room, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (saving->copy == MAP_FAILED) {
        saving->copy = NULL;
        saving->room = 0;
    } else if (!saving->file) {
        madvise(saving->copy, saving->room, MADV_HUGEPAGE);
    }
}

/* Bytes of live values, as they are, as they were when the loop began, and may grow by a little:
 * room that turned out too small would have to be got anew while the program stands still. */
static int64_t lives_to_come(const xmpi_registry_t *registry)
{
    xmpi_pack_t lives = {0};
    xmpi_registry_put_lives(&lives, registry);
    int64_t bytes = 2 * (int64_t)lives.size + HUGE_PAGE / 2;
    xmpi_pack_free(&lives);
    return bytes;
}

void xmpi_saving_prepare(xmpi_saving_t *saving, const xmpi_registry_t *registry, xmpi_block_t block)
{
    xmpi_part_file_t part = {0};
    xmpi_saving_wait(saving);
    size_t before = saving->room;
    if (xmpi_part_describe(registry, block, lives_to_come(registry), &part) == XMPI_OK)
        get_room(saving, registry, (size_t)part.bytes);
    xmpi_part_free(&part);
    if (saving->file)
        return;
    if (saving->room > before && saving->room > LITTLE)
        start(saving, touch);
    else if (saving->room > before) {
        atomic_store(&saving->enough, false);
        touch_pages(saving);
    }
}

/* --- a copy -------------------------------------------------------------------------------------
 */

xmpi_status_t xmpi_saving_copy(xmpi_saving_t *saving, const xmpi_registry_t *registry,
                               xmpi_block_t block, const xmpi_part_file_t *part)
{
    xmpi_pack_t lives = {0};
    xmpi_saving_wait(saving);
    xmpi_part_free(&saving->part);
    saving->part = *part;
    saving->registry = registry;
    xmpi_registry_put_lives(&lives, registry);
    xmpi_registry_put_begun(&lives, registry);
    xmpi_status_t status = lives.status;
    if (status == XMPI_OK)
        status = xmpi_part_describe(registry, block, (int64_t)lives.size, &saving->part);
    if (status == XMPI_OK)
        get_room(saving, registry, (size_t)saving->part.bytes);
    if (status == XMPI_OK && saving->copy == NULL && saving->part.bytes > 0)
        status = XMPI_ERR_MEMORY;
    if (status == XMPI_OK)
        xmpi_part_copy(registry, &lives, &saving->part, saving->copy);
    xmpi_pack_free(&lives);
    return status;
}

/* --- writing ------------------------------------------------------------------------------------
 */

/* What is constant is looked at once as long as it is the same rows. */
static void digest_constants(xmpi_saving_t *saving)
{
    xmpi_part_file_t *part = &saving->part;
    bool known = saving->digested && saving->constants == part->arrays;
    if (!known) {
        xmpi_part_digest_constants(saving->registry, part);
        free(saving->constant);
        saving->constant = calloc((size_t)part->arrays + 1, sizeof *saving->constant);
        saving->constants = part->arrays;
        saving->digested = saving->constant != NULL;
    }
    for (int i = 0; i < part->arrays && saving->constant != NULL; i++)
        if (known && part->array[i].constant)
            part->array[i].digest = saving->constant[i];
        else
            saving->constant[i] = part->array[i].digest;
}

static void *write_copy(void *argument)
{
    xmpi_saving_t *saving = argument;
    char path[XMPI_CHECKPOINT_PATH];
    double since = xmpi_seconds_now();
    be_nice();
    digest_constants(saving);
    atomic_store(&saving->looked, true);
    xmpi_part_digest_data(saving->copy, &saving->part);
    xmpi_set_part_path(saving->folder, saving->part.set, saving->part.part, path);
    saving->status = xmpi_part_write(path, &saving->part, saving->copy, &saving->error);
    if (saving->status == XMPI_OK &&
        xmpi_set_is_there(saving->folder, saving->part.set, saving->part.parts))
        xmpi_set_mark(saving->folder, saving->part.set); /* it was the last one */
    saving->seconds = xmpi_seconds_now() - since;
    end(saving);
    return NULL;
}

void xmpi_saving_write(xmpi_saving_t *saving, const char *folder)
{
    snprintf(saving->folder, sizeof saving->folder, "%s", folder);
    start(saving, write_copy);
}

void xmpi_saving_snapshot(xmpi_saving_t *saving, const char *folder, const xmpi_part_file_t *part,
                          const xmpi_stretch_t *const *data)
{
    xmpi_saving_wait(saving);
    xmpi_part_free(&saving->part);
    saving->part = *part;
    saving->status = xmpi_snapshot_write(&saving->snapshot, folder, &saving->part, data);
    if (saving->status != XMPI_OK)
        xmpi_error_set(&saving->error, saving->status, "no memory to hear what comes of it");
}

bool xmpi_saving_is_busy(const xmpi_saving_t *saving)
{
    return (saving->threaded && !atomic_load(&saving->written)) ||
           xmpi_snapshot_is_busy(&saving->snapshot);
}

double xmpi_saving_seconds(const xmpi_saving_t *saving)
{
    const xmpi_snapshot_t *snapshot = &saving->snapshot;
    bool news = snapshot->told != NULL && !snapshot->heard;
    return news ? snapshot->told->seconds : saving->seconds;
}

static void hear_snapshot(xmpi_saving_t *saving)
{
    xmpi_snapshot_told_t told;
    if (!xmpi_snapshot_wait(&saving->snapshot, &told))
        return;
    saving->status = told.status;
    saving->error = told.error;
    saving->seconds = told.seconds;
}

xmpi_status_t xmpi_saving_wait(xmpi_saving_t *saving)
{
    hear_snapshot(saving);
    if (!saving->writes)
        atomic_store(&saving->enough, true); /* who waits can do the rest as quickly */
    if (saving->threaded)
        pthread_join(saving->thread, NULL);
    saving->threaded = false;
    return saving->status;
}

void xmpi_saving_let_go(xmpi_saving_t *saving)
{
    const struct timespec moment = {.tv_nsec = 100000};
    while (saving->threaded && !atomic_load(&saving->looked))
        nanosleep(&moment, NULL);
    saving->digested = false;
}

void xmpi_saving_free(xmpi_saving_t *saving)
{
    xmpi_saving_wait(saving);
    xmpi_snapshot_free(&saving->snapshot);
    xmpi_part_free(&saving->part);
    if (saving->copy != NULL)
        munmap(saving->copy, saving->room);
    free(saving->constant);
    *saving = (xmpi_saving_t){0};
}
