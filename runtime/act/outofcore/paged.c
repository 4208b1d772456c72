/* SPDX-License-Identifier: BSD-3-Clause
 * All that is done to addresses here leaves what is there as it is, whoever has them by now: the
 * program may have freed the block, and malloc have given its place to others. */
#define _GNU_SOURCE
#include "act/outofcore/paged.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "act/outofcore/scratch.h"
#include "base/own_files.h"
#include "base/seconds.h"

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21 /* Linux 5.4; older ones refuse it, and the kernel chooses what goes */
#endif

/* A chunk is read in pieces that the kernel takes as a whole. */
static const size_t least_chunk = (size_t)64 << 10, most_chunk = (size_t)4 << 20,
                    piece = (size_t)128 << 10;
enum { CHUNKS_WANTED = 32, ENTRIES = 1024, LOOKS = 100 };
static const uint64_t present = (uint64_t)1 << 63, swapped = (uint64_t)1 << 62;

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* The whole pages in a block. */
static size_t pages_in(const char *block, size_t size, char **at)
{
    size_t page = page_size(), head = (page - (uintptr_t)block % page) % page;
    *at = (char *)block + head;
    return size < head ? 0 : (size - head) / page * page;
}

/* --- chunks ----------------------------------------------------------------------------------- */

static size_t chunk_for(int64_t memory)
{
    size_t chunk = least_chunk;
    while (chunk < most_chunk && (int64_t)(2 * chunk * CHUNKS_WANTED) <= memory)
        chunk *= 2;
    return chunk;
}

static uintptr_t first_chunk(const xmpi_paged_t *paged)
{
    return (uintptr_t)paged->at / paged->chunk;
}

static int64_t chunks_of(const xmpi_paged_t *paged)
{
    uintptr_t last = ((uintptr_t)paged->at + paged->bytes - 1) / paged->chunk;
    return (int64_t)(last - first_chunk(paged)) + 1;
}

/* Where a chunk begins in the file, and its bytes. */
static void range_of(const xmpi_paged_t *paged, int64_t chunk, size_t *from, size_t *bytes)
{
    size_t before = (uintptr_t)paged->at % paged->chunk; /* the first one has less */
    size_t end = ((size_t)chunk + 1) * paged->chunk - before;
    *from = chunk == 0 ? 0 : (size_t)chunk * paged->chunk - before;
    if (end > paged->bytes)
        end = paged->bytes;
    *bytes = end - *from;
}

/* Whether a page of a chunk is as one of MASKS says; where that cannot be told: OTHERWISE. */
static bool has_pages(const xmpi_paged_t *paged, int pagemap, int64_t chunk, uint64_t masks,
                      bool otherwise)
{
    uint64_t entry[ENTRIES];
    size_t from, bytes, page = page_size();
    range_of(paged, chunk, &from, &bytes);
    size_t pages = bytes / page, first = ((uintptr_t)paged->at + from) / page;
    for (size_t i = 0; i < pages; i += ENTRIES) {
        size_t n = pages - i < ENTRIES ? pages - i : ENTRIES;
        if (pread(pagemap, entry, n * sizeof *entry, (off_t)((first + i) * sizeof *entry)) !=
            (ssize_t)(n * sizeof *entry))
            return otherwise;
        for (size_t k = 0; k < n; k++)
            if ((entry[k] & masks) != 0)
                return true;
    }
    return false;
}

/* --- going ------------------------------------------------------------------------------------ */

static void note(int result, int *failed)
{
    if (result != 0 && (errno == EIO || errno == ENOSPC))
        *failed = errno;
}

static void let_go(const xmpi_paged_t *paged, int64_t chunk, int *failed)
{
    size_t from, bytes;
    range_of(paged, chunk, &from, &bytes);
    note(sync_file_range(paged->fd, (off_t)from, (off_t)bytes,
                         SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
                             SYNC_FILE_RANGE_WAIT_AFTER),
         failed);
    madvise(paged->at + from, bytes, MADV_PAGEOUT);
    posix_fadvise(paged->fd, (off_t)from, (off_t)bytes, POSIX_FADV_DONTNEED); /* not yet mapped */
}

/* --- coming ----------------------------------------------------------------------------------- */

static int write_all(int fd, const char *data, size_t bytes, size_t at)
{
    while (bytes > 0) {
        ssize_t n = pwrite(fd, data, bytes, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : EIO;
        data += n;
        at += (size_t)n;
        bytes -= (size_t)n;
    }
    return 0;
}

/* A chunk's pages become those of the file, with what they hold; a number of errno. */
static int turn(const xmpi_paged_t *paged, int pagemap, int64_t chunk)
{
    size_t from, bytes;
    range_of(paged, chunk, &from, &bytes);
    if (has_pages(paged, pagemap, chunk, present | swapped, true)) {
        int failed = write_all(paged->fd, paged->at + from, bytes, from);
        if (failed != 0)
            return failed;
        sync_file_range(paged->fd, (off_t)from, (off_t)bytes, SYNC_FILE_RANGE_WRITE);
    }
    void *place = mmap(paged->at + from, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                       paged->fd, (off_t)from);
    return place == MAP_FAILED ? errno : 0;
}

/* Back into memory, as far as there are chunks in the file already. */
static void turn_back(const xmpi_paged_t *paged, int64_t chunks)
{
    size_t from, bytes;
    for (int64_t i = 0; i < chunks; i++) {
        range_of(paged, i, &from, &bytes);
        char *fresh = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (fresh == MAP_FAILED)
            return; /* the rest is right where it is */
        memcpy(fresh, paged->at + from, bytes);
        if (mremap(fresh, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, paged->at + from) ==
            MAP_FAILED) {
            munmap(fresh, bytes);
            return;
        }
    }
}

/* What was written goes at once, but for what is held: of data that have been in memory no more is
 * there twice than a few chunks. */
static int turn_all(const xmpi_paged_t *paged)
{
    enum { BEHIND = 2 };
    int failed = 0;
    int64_t done = 0;
    xmpi_own_files_begin();
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    while (failed == 0 && done < paged->sweep.chunks) {
        failed = turn(paged, pagemap, done);
        done += failed == 0;
        if (failed == 0 && done > paged->sweep.held + BEHIND)
            let_go(paged, done - 1 - BEHIND, &failed);
    }
    if (pagemap >= 0)
        close(pagemap);
    xmpi_own_files_end();
    if (failed != 0)
        turn_back(paged, done);
    return failed;
}

xmpi_status_t xmpi_paged_open(xmpi_paged_t *paged, void *block, size_t size, const char *folder,
                              int64_t memory, xmpi_error_t *error)
{
    *paged = (xmpi_paged_t){.block = block, .fd = -1, .chunk = chunk_for(memory)};
    paged->bytes = pages_in(paged->block, size, &paged->at);
    if (paged->bytes == 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "it is less than a page");
    if (xmpi_sweep_open(&paged->sweep, chunks_of(paged)) != XMPI_OK) {
        xmpi_sweep_free(&paged->sweep);
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to put it on disk");
    }
    xmpi_paged_room(paged, memory);
    xmpi_status_t status = xmpi_scratch_open(folder, (int64_t)paged->bytes, &paged->fd, error);
    int failed = status == XMPI_OK ? turn_all(paged) : 0;
    if (failed != 0)
        status = xmpi_error_set(error, XMPI_ERR_INPUT, "it cannot be put on disk in %s: %s", folder,
                                strerror(failed));
    paged->checked = xmpi_seconds_now();
    if (status != XMPI_OK)
        xmpi_paged_close(paged);
    return status;
}

void xmpi_paged_close(xmpi_paged_t *paged)
{
    if (paged->fd >= 0)
        xmpi_scratch_close(paged->fd);
    paged->fd = -1;
    xmpi_sweep_free(&paged->sweep);
}

bool xmpi_paged_is_of(const xmpi_paged_t *paged, size_t size)
{
    char *at;
    return pages_in(paged->block, size, &at) == paged->bytes;
}

void xmpi_paged_empty(const xmpi_paged_t *paged, size_t size)
{
    char *at;
    size_t bytes = pages_in(paged->block, size, &at);
    if (bytes > paged->bytes)
        bytes = paged->bytes;
    if (bytes == 0)
        return;
    mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

void xmpi_paged_room(xmpi_paged_t *paged, int64_t memory)
{
    xmpi_sweep_room(&paged->sweep, memory / (int64_t)paged->chunk);
}

/* --- following the program -------------------------------------------------------------------- */

static void read_ahead(const xmpi_paged_t *paged, int64_t chunk)
{
    size_t from, bytes;
    range_of(paged, chunk, &from, &bytes);
    for (size_t at = 0; at < bytes; at += piece)
        readahead(paged->fd, (off_t)(from + at), bytes - at < piece ? bytes - at : piece);
}

static void write_behind(const xmpi_paged_t *paged, int64_t chunk, int *failed)
{
    size_t from, bytes;
    range_of(paged, chunk, &from, &bytes);
    note(sync_file_range(paged->fd, (off_t)from, (off_t)bytes, SYNC_FILE_RANGE_WRITE), failed);
}

static void use(xmpi_paged_t *paged, int64_t chunk, int *failed)
{
    int64_t ahead[XMPI_SWEEP_AHEAD_MAX], write;
    int n = xmpi_sweep_use(&paged->sweep, chunk, ahead, &write);
    for (int i = 0; i < n; i++)
        read_ahead(paged, ahead[i]);
    if (write >= 0)
        write_behind(paged, write, failed);
}

/* Chunks that were asked for are looked at each time, all others as often as it costs little. */
static bool look(xmpi_paged_t *paged, int pagemap, double now, int *failed)
{
    xmpi_sweep_t *sweep = &paged->sweep;
    bool all = now >= paged->next_look, used = false;
    for (int64_t i = sweep->held; all && i < sweep->chunks; i++)
        if (sweep->state[i] != XMPI_CHUNK_USED && has_pages(paged, pagemap, i, present, false)) {
            use(paged, i, failed);
            used = true;
        }
    for (int64_t i = 0; !all && i < sweep->n; i++) {
        int64_t chunk = sweep->queue[(sweep->first + i) % sweep->chunks];
        if (sweep->state[chunk] == XMPI_CHUNK_ASKED &&
            has_pages(paged, pagemap, chunk, present, false)) {
            use(paged, chunk, failed);
            used = true;
        }
    }
    if (all) {
        paged->look_seconds = xmpi_seconds_now() - now;
        paged->next_look = now + LOOKS * paged->look_seconds;
    }
    return used;
}

bool xmpi_paged_follow(xmpi_paged_t *paged, int pagemap, double now, int *failed)
{
    enum { TOGETHER = 64 };
    int64_t gone[TOGETHER];
    bool used = look(paged, pagemap, now, failed);
    int n;
    do { /* the disk has all that is to be written before any of it is waited for */
        for (n = 0; n < TOGETHER && (gone[n] = xmpi_sweep_let_go(&paged->sweep)) >= 0; n++)
            write_behind(paged, gone[n], failed);
        for (int i = 0; i < n; i++)
            let_go(paged, gone[i], failed);
    } while (n == TOGETHER);
    return used;
}

int xmpi_paged_written(const xmpi_paged_t *paged)
{
    int failed = 0;
    note(sync_file_range(paged->fd, 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE), &failed);
    return failed;
}

bool xmpi_paged_is_there(const xmpi_paged_t *paged)
{
    char line[512];
    struct stat file;
    bool found = false;
    if (fstat(paged->fd, &file) != 0)
        return false;
    xmpi_own_files_begin();
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps != NULL && !found && fgets(line, sizeof line, maps) != NULL) {
        unsigned long begin, end, inode, offset;
        unsigned major, minor;
        found = sscanf(line, "%lx-%lx %*s %lx %x:%x %lu", &begin, &end, &offset, &major, &minor,
                       &inode) == 6 &&
                begin <= (uintptr_t)paged->at && end > (uintptr_t)paged->at && inode == file.st_ino;
    }
    bool unknown = maps == NULL;
    if (maps != NULL)
        fclose(maps);
    xmpi_own_files_end();
    return found || unknown;
}
