/* SPDX-License-Identifier: BSD-3-Clause
 * Writing in the background. */
#define _GNU_SOURCE
#include "act/checkpoint/saving.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "act/checkpoint/sets.h"
#include "act/outofcore/outofcore.h"
#include "act/outofcore/scratch.h"
#include "base/process/nice.h"
#include "base/process/seconds.h"

enum { HUGE_PAGE = 2 << 20, LITTLE = 4 << 20, PIECE = 8 << 20 };

/* What is less than that, or than a SHARE of all that the process has, is copied sooner than the
 * list of all pages is. */
enum { LEAST = 16 << 20, SHARE = 16 };

/* What a page costs that the program writes to while a copy of the process has it, in pages that
 * are copied with others: 3 on usual machines, 10 on virtual ones. */
enum { FAULT = 4 };

#ifndef MADV_POPULATE_WRITE /* Linux 5.14 */
#define MADV_POPULATE_WRITE 23
#endif

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

/* --- which way ----------------------------------------------------------------------------------
 */

/* Bytes of memory that the process has. */
static int64_t resident(void)
{
    char text[128] = "";
    long long all, there;
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (got <= 0 || sscanf(text, "%lld %lld", &all, &there) != 2)
        return INT64_MAX;
    return there * sysconf(_SC_PAGESIZE);
}

/* Whether a copy of the process is to write BYTES. (What is on files is the same in both.) */
static bool goes_by_process(const xmpi_saving_t *saving, const xmpi_registry_t *registry,
                            int64_t bytes)
{
    int64_t on_disk;
    bool room = saving->rewrites && (int64_t)saving->room >= bytes;
    return !saving->copies && !room && bytes >= LEAST && bytes >= resident() / SHARE &&
           xmpi_outofcore_blocks(registry->outofcore, &on_disk) == 0;
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

/* What is new of the room, of which there was some BEFORE. */
static void touch_new(xmpi_saving_t *saving, size_t before)
{
    if (saving->file || saving->room <= before)
        return;
    if (saving->room > LITTLE) {
        start(saving, touch);
        return;
    }
    atomic_store(&saving->enough, false);
    touch_pages(saving);
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

static void drop_room(xmpi_saving_t *saving)
{
    if (saving->copy != NULL)
        munmap(saving->copy, saving->room);
    saving->copy = NULL;
    saving->room = 0;
}

static void get_room(xmpi_saving_t *saving, xmpi_outofcore_t *outofcore, size_t bytes)
{
    int64_t on_disk;
    if (bytes <= saving->room)
        return;
    drop_room(saving);
    saving->room = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    saving->file = xmpi_outofcore_blocks(outofcore, &on_disk) > 0;
    saving->copy = saving->file ? map_file(outofcore, saving->room)
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
    xmpi_status_t status = xmpi_part_describe(registry, block, lives_to_come(registry), &part);
    if (goes_by_process(saving, registry, part.bytes) && !saving->rewrites)
        drop_room(saving);
    else if (status == XMPI_OK)
        get_room(saving, registry->outofcore, (size_t)part.bytes);
    xmpi_part_free(&part);
    touch_new(saving, before);
}

/* --- writing ------------------------------------------------------------------------------------
 */

static void drop_constants(xmpi_saving_t *saving)
{
    if (saving->constant != NULL)
        munmap(saving->constant, ((size_t)saving->constants + 1) * sizeof *saving->constant);
    saving->constant = NULL;
}

/* What is constant is looked at once as long as it is the same rows. */
static void expect_constants(xmpi_saving_t *saving)
{
    int arrays = saving->part.arrays;
    if (saving->constant != NULL && saving->constants == arrays)
        return;
    drop_constants(saving);
    void *place = mmap(NULL, ((size_t)arrays + 1) * sizeof *saving->constant,
                       PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    saving->constant = place != MAP_FAILED ? place : NULL;
    saving->constants = arrays;
    saving->digested = false;
}

static void digest_constants(void *argument)
{
    xmpi_saving_t *saving = argument;
    xmpi_part_file_t *part = &saving->part;
    if (!saving->digested)
        xmpi_part_digest_constants(saving->registry, part);
    for (int i = 0; i < part->arrays && saving->constant != NULL; i++)
        if (saving->digested && part->array[i].constant)
            part->array[i].digest = saving->constant[i];
        else
            saving->constant[i] = part->array[i].digest;
    saving->digested = saving->constant != NULL;
}

/* Who shares processors with others has its copy when they are still at it: they stand still. */
static void wait_for_others(const xmpi_saving_t *saving)
{
    double seconds = saving->copying < 1 ? saving->copying : 1;
    const struct timespec as_long = {.tv_nsec = (long)(seconds * 999999999)};
    nanosleep(&as_long, NULL);
}

static void *write_copy(void *argument)
{
    xmpi_saving_t *saving = argument;
    char path[XMPI_CHECKPOINT_PATH];
    double since = xmpi_seconds_now();
    xmpi_be_nice();
    digest_constants(saving);
    atomic_store(&saving->looked, true);
    wait_for_others(saving);
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

/* --- by a copy of the data ----------------------------------------------------------------------
 */

static xmpi_status_t write_by_thread(xmpi_saving_t *saving, const xmpi_pack_t *lives)
{
    get_room(saving, saving->registry->outofcore, (size_t)saving->part.bytes);
    if (saving->copy == NULL && saving->part.bytes > 0)
        return XMPI_ERR_MEMORY;
    double since = xmpi_seconds_now();
    xmpi_part_copy(saving->registry, lives, &saving->part, saving->copy);
    saving->copying = xmpi_seconds_now() - since;
    start(saving, write_copy);
    return XMPI_OK;
}

/* --- by a copy of the process -------------------------------------------------------------------
 */

static xmpi_status_t write_by_process(xmpi_saving_t *saving, const xmpi_pack_t *lives)
{
    int n = saving->part.arrays;
    xmpi_stretch_t *stretch = calloc((size_t)n + 1, sizeof *stretch);
    const xmpi_stretch_t **data = calloc((size_t)n + 1, sizeof *data);
    xmpi_status_t status = XMPI_ERR_MEMORY;
    for (int i = 0; stretch != NULL && data != NULL && i <= n; i++)
        data[i] = &stretch[i];
    if (stretch != NULL && data != NULL) {
        xmpi_part_stretches(saving->registry, &saving->part, stretch);
        stretch[n] = (xmpi_stretch_t){.from = lives->data, .bytes = saving->part.lives_bytes};
        const xmpi_snapshot_task_t task = {.folder = saving->folder,
                                           .part = &saving->part,
                                           .data = data,
                                           .first = digest_constants,
                                           .context = saving};
        saving->digests = true;
        status = xmpi_snapshot_write(&saving->snapshot, &task);
    }
    free(stretch);
    free(data);
    return status;
}

/* --- either -------------------------------------------------------------------------------------
 */

xmpi_status_t xmpi_saving_begin(xmpi_saving_t *saving, const xmpi_registry_t *registry,
                                xmpi_block_t block, const xmpi_part_file_t *part,
                                const char *folder)
{
    xmpi_pack_t lives = {0};
    xmpi_saving_wait(saving);
    xmpi_part_free(&saving->part);
    saving->part = *part;
    saving->registry = registry;
    snprintf(saving->folder, sizeof saving->folder, "%s", folder);
    xmpi_registry_put_lives(&lives, registry);
    xmpi_registry_put_begun(&lives, registry);
    xmpi_status_t status = lives.status;
    if (status == XMPI_OK)
        status = xmpi_part_describe(registry, block, (int64_t)lives.size, &saving->part);
    if (status == XMPI_OK) {
        expect_constants(saving);
        bool process = goes_by_process(saving, registry, saving->part.bytes);
        saving->copies = saving->copies || (process && write_by_process(saving, &lives) != XMPI_OK);
        if (!process || saving->copies)
            status = write_by_thread(saving, &lives);
    }
    xmpi_pack_free(&lives);
    return status;
}

void xmpi_saving_fail(xmpi_saving_t *saving, const xmpi_part_file_t *part, xmpi_status_t status,
                      const xmpi_error_t *error)
{
    xmpi_saving_wait(saving);
    xmpi_part_free(&saving->part);
    saving->part = *part;
    saving->status = status;
    saving->error = *error;
}

void xmpi_saving_snapshot(xmpi_saving_t *saving, const char *folder, const xmpi_part_file_t *part,
                          const xmpi_stretch_t *const *data)
{
    xmpi_saving_wait(saving);
    xmpi_part_free(&saving->part);
    saving->part = *part;
    const xmpi_snapshot_task_t task = {.folder = folder, .part = &saving->part, .data = data};
    saving->status = xmpi_snapshot_write(&saving->snapshot, &task);
    if (saving->status == XMPI_ERR_PROCESS)
        saving->status = xmpi_snapshot_write_here(&saving->snapshot, &task);
    if (saving->status != XMPI_OK)
        xmpi_error_set(&saving->error, saving->status, "no memory to hear what comes of it");
}

bool xmpi_saving_is_busy(const xmpi_saving_t *saving)
{
    return (saving->threaded && !atomic_load(&saving->written)) ||
           xmpi_snapshot_is_busy(&saving->snapshot) || xmpi_pruning_is_busy(&saving->pruning);
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
    saving->digested = saving->digested || (saving->digests && told.status == XMPI_OK);
    saving->digests = false;
    saving->copies = saving->copies || told.unfit;
    saving->rewrites = saving->rewrites || told.rewritten > saving->part.bytes / FAULT;
}

void xmpi_saving_look(xmpi_saving_t *saving)
{
    size_t before = saving->room;
    if (saving->snapshot.process == 0 || xmpi_snapshot_is_busy(&saving->snapshot))
        return;
    hear_snapshot(saving);
    if (!saving->rewrites || saving->part.image)
        return;
    get_room(saving, NULL, (size_t)saving->part.bytes);
    touch_new(saving, before);
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
    saving->digested = saving->digests = false;
}

void xmpi_saving_free(xmpi_saving_t *saving)
{
    xmpi_saving_wait(saving);
    xmpi_pruning_wait(&saving->pruning);
    xmpi_snapshot_free(&saving->snapshot);
    xmpi_part_free(&saving->part);
    drop_room(saving);
    drop_constants(saving);
    *saving = (xmpi_saving_t){0};
}
