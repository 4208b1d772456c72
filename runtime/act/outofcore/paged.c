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
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "act/outofcore/scratch.h"
#include "base/process/own_files.h"
#include "base/process/seconds.h"

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21 /* Linux 5.4; older ones refuse it, and the kernel chooses what goes */
#endif

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 /* Linux 5.14 */
#define MADV_POPULATE_WRITE 23
#endif

static const size_t least_chunk = (size_t)64 << 10, most_chunk = (size_t)8 << 20;
static const size_t huge = (size_t)2 << 20; /* a page of that size, where there are such */
enum { CHUNKS_WANTED = 16, ENTRIES = 1024, LOOKS = 100 };
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

/* Where a chunk begins behind the first page, and its bytes. */
static void range_of(const xmpi_paged_t *paged, int64_t chunk, size_t *from, size_t *bytes)
{
    size_t before = (uintptr_t)paged->at % paged->chunk; /* the first one has less */
    size_t end = ((size_t)chunk + 1) * paged->chunk - before;
    *from = chunk == 0 ? 0 : (size_t)chunk * paged->chunk - before;
    if (end > paged->bytes)
        end = paged->bytes;
    *bytes = end - *from;
}

static off_t in_file(const xmpi_paged_t *paged, size_t from)
{
    return (off_t)(from + (uintptr_t)paged->at % paged->chunk);
}

/* What of a chunk the program comes to first is left for it to touch, which tells that it has come:
 * a huge page. */
static void entrance_of(const xmpi_paged_t *paged, int64_t chunk, bool backward, size_t *from,
                        size_t *bytes)
{
    range_of(paged, chunk, from, bytes);
    uintptr_t begin = (uintptr_t)paged->at + *from, end = begin + *bytes;
    uintptr_t edge = backward ? (end - 1) / huge * huge : begin / huge * huge + huge;
    if (edge <= begin || edge >= end)
        return;
    *from = backward ? edge - (uintptr_t)paged->at : *from;
    *bytes = backward ? end - edge : edge - begin;
}

/* Whether a page of these is as one of MASKS says; where that cannot be told: OTHERWISE. */
static bool has_pages(const xmpi_paged_t *paged, int pagemap, size_t from, size_t bytes,
                      uint64_t masks, bool otherwise)
{
    uint64_t entry[ENTRIES];
    size_t page = page_size(), pages = bytes / page, first = ((uintptr_t)paged->at + from) / page;
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

/* Whether its first page is one of the file with number INODE; or, 0, any of its pages one of any
 * file. OTHERWISE where that cannot be told. */
static bool has_file(const xmpi_paged_t *paged, unsigned long inode, bool otherwise)
{
    char line[512];
    bool found = false;
    uintptr_t first = (uintptr_t)paged->at, behind = first + (inode == 0 ? paged->bytes : 1);
    xmpi_own_files_begin();
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps != NULL && !found && fgets(line, sizeof line, maps) != NULL) {
        unsigned long begin, end, number;
        found = sscanf(line, "%lx-%lx %*s %*x %*x:%*x %lu", &begin, &end, &number) == 3 &&
                begin < behind && end > first && (inode == 0 ? number != 0 : number == inode);
    }
    bool unknown = maps == NULL;
    if (maps != NULL)
        fclose(maps);
    xmpi_own_files_end();
    return unknown ? otherwise : found;
}

/* --- going ------------------------------------------------------------------------------------ */

static void note(int result, int *failed)
{
    if (result != 0 && (errno == EIO || errno == ENOSPC))
        *failed = errno;
}

/* Whether pages of the file wait to be written; false where the kernel does not tell. */
static bool has_dirty(const xmpi_paged_t *paged, size_t from, size_t bytes)
{
    enum { CACHESTAT = 451 }; /* Linux 6.5 */
    struct {
        uint64_t from, bytes;
    } range = {(uint64_t)in_file(paged, from), bytes};
    struct {
        uint64_t cached, dirty, written, evicted, recently;
    } found = {0};
    return syscall(CACHESTAT, paged->fd, &range, &found, 0) == 0 && found.dirty > 0;
}

/* Unmapped before they are written: as pages that are mapped each is protected against writing
 * first, which the processors of all threads have to hear of. */
void xmpi_paged_leave(const xmpi_paged_t *paged, xmpi_leave_t *leave, int *failed)
{
    size_t from, last, bytes, part, some;
    range_of(paged, leave->first, &from, &bytes);
    range_of(paged, leave->first + leave->chunks - 1, &last, &bytes);
    bytes += last - from;
    madvise(paged->at + from, bytes, MADV_PAGEOUT);
    for (int64_t i = 0; i < leave->chunks; i++) {
        entrance_of(paged, leave->first + i, leave->backward, &part, &some);
        leave->written[i] = has_dirty(paged, part, some);
    }
    note(sync_file_range(paged->fd, in_file(paged, from), (off_t)bytes,
                         SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
                             SYNC_FILE_RANGE_WAIT_AFTER),
         failed);
    posix_fadvise(paged->fd, in_file(paged, from), (off_t)bytes, POSIX_FADV_DONTNEED);
}

bool xmpi_paged_to_leave(xmpi_paged_t *paged, xmpi_leave_t *leave)
{
    int64_t chunks = paged->sweep.chunks, n = 0, first = 0;
    for (int64_t i = 0; i < chunks && n == 0; i++) {
        first = (paged->left + i) % chunks;
        while (n < XMPI_LEAVE_TOGETHER && first + n < chunks &&
               (paged->flags[first + n] & XMPI_CHUNK_LEAVES) != 0)
            paged->flags[first + n++] ^= XMPI_CHUNK_LEAVES | XMPI_CHUNK_LEAVING;
    }
    *leave = (xmpi_leave_t){.first = first, .chunks = n, .backward = paged->sweep.backward};
    paged->leaving -= n;
    paged->left = first + n;
    return n > 0;
}

void xmpi_paged_has_left(xmpi_paged_t *paged, const xmpi_leave_t *leave)
{
    for (int64_t i = 0; i < leave->chunks; i++) {
        unsigned char *flags = &paged->flags[leave->first + i];
        *flags = (unsigned char)((*flags & ~(XMPI_CHUNK_WRITTEN | XMPI_CHUNK_LEAVING)) |
                                 (leave->written[i] ? XMPI_CHUNK_WRITTEN : 0));
    }
}

static void let_go(xmpi_paged_t *paged)
{
    for (int64_t gone; (gone = xmpi_sweep_let_go(&paged->sweep)) >= 0;) {
        paged->leaving += (paged->flags[gone] & XMPI_CHUNK_LEAVES) == 0;
        paged->flags[gone] |= XMPI_CHUNK_LEAVES;
    }
}

/* --- coming ----------------------------------------------------------------------------------- */

/* Not in long pieces: what is written as one comes into memory as one, and when the program changes
 * a page of it the kernel goes through all. */
static int write_all(int fd, const char *data, size_t bytes, size_t at)
{
    enum { SMALL = 16 << 10 };
    while (bytes > 0) {
        ssize_t n = pwrite(fd, data, bytes < SMALL ? bytes : SMALL, (off_t)at);
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

/* A chunk's pages become those of the file, with what they hold; a number of errno. OF_FILE: some
 * are those of another file already, as the program has freed a block that was on disk: what they
 * hold need not be in memory. Large chunks may have huge pages, of kernels and file systems that
 * know them; of others the kernel is told not to make pages larger the longer the program goes on.
 */
static int turn(const xmpi_paged_t *paged, int pagemap, bool of_file, int64_t chunk)
{
    size_t from, bytes;
    range_of(paged, chunk, &from, &bytes);
    if (of_file || has_pages(paged, pagemap, from, bytes, present | swapped, true)) {
        int failed = write_all(paged->fd, paged->at + from, bytes, (size_t)in_file(paged, from));
        if (failed != 0)
            return failed;
        sync_file_range(paged->fd, in_file(paged, from), (off_t)bytes, SYNC_FILE_RANGE_WRITE);
    }
    void *place = mmap(paged->at + from, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                       paged->fd, in_file(paged, from));
    if (place == MAP_FAILED)
        return errno;
    madvise(place, bytes, paged->alias != NULL ? MADV_HUGEPAGE : MADV_SEQUENTIAL);
    return 0;
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
    bool of_file = has_file(paged, 0, true);
    while (failed == 0 && done < paged->sweep.chunks) {
        failed = turn(paged, pagemap, of_file, done);
        done += failed == 0;
        int64_t behind = done - 1 - BEHIND;
        if (failed == 0 && behind >= 0 && !xmpi_sweep_holds(&paged->sweep, behind))
            xmpi_paged_leave(paged, &(xmpi_leave_t){.first = behind, .chunks = 1}, &failed);
    }
    if (pagemap >= 0)
        close(pagemap);
    xmpi_own_files_end();
    if (failed != 0)
        turn_back(paged, done);
    return failed;
}

/* The file where huge pages of it are such of memory as well. */
static char *map_alias(const xmpi_paged_t *paged)
{
    size_t before = (uintptr_t)paged->at % paged->chunk, bytes = before + paged->bytes;
    char *room = mmap(NULL, bytes + huge, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return NULL;
    char *alias = room + (huge - (uintptr_t)room % huge) % huge;
    if (mmap(alias, bytes, PROT_READ, MAP_SHARED | MAP_FIXED, paged->fd, 0) == MAP_FAILED) {
        munmap(room, bytes + huge);
        return NULL;
    }
    if (alias > room)
        munmap(room, (size_t)(alias - room));
    munmap(alias + bytes, huge - (size_t)(alias - room));
    madvise(alias, bytes, MADV_HUGEPAGE);
    madvise(alias, bytes, MADV_RANDOM); /* and nothing behind them */
    return alias + before;
}

static xmpi_status_t open_file(xmpi_paged_t *paged, const char *folder, xmpi_error_t *error)
{
    int64_t bytes = in_file(paged, paged->bytes);
    xmpi_status_t status = xmpi_scratch_open(folder, bytes, &paged->fd, error);
    if (status != XMPI_OK)
        return status;
    paged->piece = xmpi_scratch_piece(paged->fd);
    if (paged->chunk >= 2 * huge)
        paged->alias = map_alias(paged);
    if (paged->alias != NULL)
        paged->piece = huge;
    else
        posix_fadvise(paged->fd, 0, 0, POSIX_FADV_RANDOM);
    int failed = turn_all(paged);
    return failed == 0 ? XMPI_OK
                       : xmpi_error_set(error, XMPI_ERR_INPUT, "it cannot be put on disk in %s: %s",
                                        folder, strerror(failed));
}

xmpi_status_t xmpi_paged_open(xmpi_paged_t *paged, void *block, size_t size, const char *folder,
                              int64_t memory, xmpi_error_t *error)
{
    *paged = (xmpi_paged_t){.block = block, .fd = -1, .chunk = chunk_for(memory), .reading = -1};
    paged->bytes = pages_in(paged->block, size, &paged->at);
    if (paged->bytes == 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "it is less than a page");
    paged->flags = calloc((size_t)chunks_of(paged), 1);
    if (xmpi_sweep_open(&paged->sweep, chunks_of(paged)) != XMPI_OK || paged->flags == NULL) {
        xmpi_paged_close(paged);
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to put it on disk");
    }
    xmpi_paged_room(paged, memory);
    xmpi_status_t status = open_file(paged, folder, error);
    paged->checked = xmpi_seconds_now();
    if (status != XMPI_OK)
        xmpi_paged_close(paged);
    return status;
}

void xmpi_paged_close(xmpi_paged_t *paged)
{
    size_t before = (uintptr_t)paged->at % paged->chunk;
    if (paged->alias != NULL)
        munmap(paged->alias - before, before + paged->bytes);
    paged->alias = NULL;
    if (paged->fd >= 0)
        xmpi_scratch_close(paged->fd);
    paged->fd = -1;
    xmpi_sweep_free(&paged->sweep);
    free(paged->flags);
    paged->flags = NULL;
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

/* Chunks one after the other, each by all who read: the one that is needed first is there first. */
bool xmpi_paged_to_read(xmpi_paged_t *paged, xmpi_coming_t *ahead)
{
    size_t from, bytes;
    if (paged->reading < 0) {
        paged->reading = xmpi_sweep_read(&paged->sweep);
        paged->given = 0;
    }
    if (paged->reading < 0)
        return false;
    bool backward = paged->sweep.backward;
    range_of(paged, paged->reading, &from, &bytes);
    size_t edge = backward ? (size_t)in_file(paged, from + bytes - paged->given) % paged->piece
                           : (size_t)in_file(paged, from + paged->given) % paged->piece;
    size_t most = backward ? (edge > 0 ? edge : paged->piece) : paged->piece - edge;
    size_t some = bytes - paged->given < most ? bytes - paged->given : most;
    *ahead = (xmpi_coming_t){.from = from + (backward ? bytes - paged->given - some : paged->given),
                             .bytes = some,
                             .backward = backward,
                             .first = paged->given == 0,
                             .changes = (paged->flags[paged->reading] & XMPI_CHUNK_WRITTEN) != 0};
    paged->given += some;
    if (paged->given == bytes)
        paged->reading = -1;
    return true;
}

/* By the alias it is read into huge pages, where there are such; it is not mapped there then, as
 * pages that are mapped twice do not leave. What the program will write into is mapped for that,
 * all but the piece by which it is seen to come: without it would find pages as it comes, one by
 * one. */
void xmpi_paged_read(const xmpi_paged_t *paged, const xmpi_coming_t *ahead)
{
    if (paged->alias == NULL ||
        madvise(paged->alias + ahead->from, ahead->bytes, MADV_POPULATE_READ) != 0) {
        readahead(paged->fd, in_file(paged, ahead->from), ahead->bytes);
        return;
    }
    madvise(paged->alias + ahead->from, ahead->bytes, MADV_DONTNEED);
    if (ahead->changes && !ahead->first)
        madvise(paged->at + ahead->from, ahead->bytes, MADV_POPULATE_WRITE);
}

typedef enum { LOOK_READ, LOOK_EDGES, LOOK_ALL } look_t;

static bool is_used(const xmpi_paged_t *paged, int pagemap, int64_t chunk, look_t how)
{
    size_t from, bytes, page = page_size();
    if (paged->sweep.state[chunk] == XMPI_CHUNK_READ) {
        entrance_of(paged, chunk, paged->sweep.backward, &from, &bytes);
        return has_pages(paged, pagemap, from, bytes, present, false);
    }
    range_of(paged, chunk, &from, &bytes);
    if (how != LOOK_EDGES)
        return has_pages(paged, pagemap, from, bytes, present, false);
    return has_pages(paged, pagemap, from, page, present, false) ||
           has_pages(paged, pagemap, from + bytes - page, page, present, false);
}

/* Nobody needs to be told of it: it is, or stays; or its pages have not left yet, which does not
 * mean that the program has come again. */
static bool is_passed_over(const xmpi_paged_t *paged, int64_t chunk)
{
    return paged->sweep.state[chunk] == XMPI_CHUNK_USED ||
           (paged->flags[chunk] & (XMPI_CHUNK_LEAVES | XMPI_CHUNK_LEAVING)) != 0 ||
           xmpi_sweep_holds(&paged->sweep, chunk);
}

static bool look(xmpi_paged_t *paged, int pagemap, look_t how)
{
    xmpi_sweep_t *sweep = &paged->sweep;
    bool used = false;
    int64_t n = how == LOOK_READ ? sweep->n : sweep->chunks;
    for (int64_t i = 0; i < n; i++) {
        int64_t chunk = how == LOOK_READ ? sweep->queue[(sweep->first + i) % sweep->chunks] : i;
        if (is_passed_over(paged, chunk) || !is_used(paged, pagemap, chunk, how))
            continue;
        xmpi_sweep_use(sweep, chunk);
        let_go(paged);
        used = true;
    }
    return used;
}

/* Chunks that were asked for are looked at each time, all others as often as it costs little. */
static bool look_around(xmpi_paged_t *paged, int pagemap, double now)
{
    look_t how = now >= paged->next[1] ? LOOK_ALL : now >= paged->next[0] ? LOOK_EDGES : LOOK_READ;
    bool used = look(paged, pagemap, how);
    if (how != LOOK_READ)
        paged->next[how - LOOK_EDGES] = now + LOOKS * (xmpi_seconds_now() - now);
    return used;
}

/* Nothing more comes before what leaves has left. */
bool xmpi_paged_follow(xmpi_paged_t *paged, int pagemap, double now)
{
    let_go(paged);
    return paged->leaving > paged->sweep.leaving || look_around(paged, pagemap, now);
}

void xmpi_paged_drop(const xmpi_paged_t *paged)
{
    size_t from, bytes;
    for (int64_t i = 0; i < paged->sweep.chunks; i++) {
        range_of(paged, i, &from, &bytes);
        if (paged->sweep.state[i] == XMPI_CHUNK_OUT && !xmpi_sweep_holds(&paged->sweep, i))
            posix_fadvise(paged->fd, in_file(paged, from), (off_t)bytes, POSIX_FADV_DONTNEED);
    }
}

int xmpi_paged_written(const xmpi_paged_t *paged)
{
    int failed = 0;
    note(sync_file_range(paged->fd, 0, 1, SYNC_FILE_RANGE_WAIT_BEFORE), &failed);
    return failed;
}

bool xmpi_paged_is_there(const xmpi_paged_t *paged)
{
    struct stat file;
    return fstat(paged->fd, &file) == 0 && has_file(paged, file.st_ino, true);
}
