/* SPDX-License-Identifier: BSD-3-Clause
 * Private memory, as the kernel tells it (/proc/self/smaps). In a copy of a process that had
 * threads nothing may be allocated, as one of them may have held the allocator's lock. */
#define _GNU_SOURCE
#include "act/checkpoint/private.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 1 << 16, LINE = 256, BLOCK = 4096, ENTRIES = 512 };

/* Of /proc/self/pagemap: the page is there, and nobody else has it; it is as a file has it. */
static const uint64_t ALONE = UINT64_C(1) << 63 | UINT64_C(1) << 56, OF_FILE = UINT64_C(1) << 61;

typedef struct {
    uintptr_t from, to;
} place_t;

/* Places that are private, in order, those that touch as one. */
typedef struct {
    place_t *place; /* mmap, of MOST */
    int n;
    bool all; /* there were no more than that */
} places_t;

/* --- what the kernel tells ----------------------------------------------------------------------
 */

typedef struct {
    int fd;
    char block[BLOCK];
    ssize_t got, at;
} reader_t;

/* The begin of the next line; false: there is none. */
static bool read_line(reader_t *reader, char *line)
{
    int n = 0;
    for (;;) {
        if (reader->at == reader->got) {
            do
                reader->got = read(reader->fd, reader->block, BLOCK);
            while (reader->got < 0 && errno == EINTR);
            reader->at = 0;
            if (reader->got <= 0)
                return false;
        }
        char c = reader->block[reader->at++];
        if (c == '\n')
            break;
        if (n < LINE - 1)
            line[n++] = c;
    }
    line[n] = '\0';
    return true;
}

static const char *read_address(const char *text, uintptr_t *address)
{
    static const char digits[] = "0123456789abcdef";
    const char *digit;
    *address = 0;
    for (; *text != '\0' && (digit = strchr(digits, *text)) != NULL; text++)
        *address = *address << 4 | (uintptr_t)(digit - digits);
    return text;
}

/* "FROM-TO rw-p ...": the begin of what is told about a mapping. */
static bool is_mapping(const char *line, place_t *place, bool *private)
{
    place_t found;
    const char *dash = read_address(line, &found.from);
    if (dash == line || *dash != '-')
        return false;
    const char *end = read_address(dash + 1, &found.to);
    if (end == dash + 1 || strlen(end) < 5 || *end != ' ')
        return false;
    *place = found;
    *private = end[1] == 'r' && end[4] == 'p';
    return true;
}

static void add(places_t *places, const place_t *place)
{
    place_t *last = places->n > 0 ? &places->place[places->n - 1] : NULL;
    if (last != NULL && last->to == place->from)
        last->to = place->to;
    else if (places->n < MOST)
        places->place[places->n++] = *place;
    else
        places->all = false;
}

/* (The flags come last; "wf": a copy has zeros there.) */
static void read_places(reader_t *reader, places_t *places)
{
    char line[LINE];
    place_t place = {0, 0};
    bool private = false;
    while (read_line(reader, line)) {
        if (is_mapping(line, &place, &private))
            continue;
        if (strncmp(line, "VmFlags:", 8) == 0 && private && strstr(line, " wf") == NULL)
            add(places, &place);
    }
}

/* --- whether all is there -----------------------------------------------------------------------
 */

static bool has(const places_t *places, uintptr_t from, uintptr_t to)
{
    int low = 0, high = places->n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (places->place[middle].to < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low < places->n && places->place[low].from <= from;
}

static bool has_stretches(const places_t *places, const xmpi_stretch_t *stretch, int64_t bytes)
{
    for (; bytes > 0; stretch++) {
        uintptr_t from = (uintptr_t)stretch->from;
        uintptr_t to = from + (uintptr_t)(stretch->more * stretch->stride + stretch->bytes);
        if (stretch->bytes > 0 && !has(places, from, to))
            return false;
        bytes -= stretch->bytes * (1 + stretch->more);
    }
    return true;
}

bool xmpi_private_has(const xmpi_part_file_t *part, const xmpi_stretch_t *const *data)
{
    reader_t reader = {.fd = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC)};
    places_t places = {.place = mmap(NULL, MOST * sizeof(place_t), PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
                       .all = true};
    bool good = reader.fd >= 0 && places.place != MAP_FAILED;
    if (good)
        read_places(&reader, &places);
    if (reader.fd >= 0)
        close(reader.fd);
    for (int i = 0; i < part->arrays && good; i++)
        good = has_stretches(&places, data[i], part->array[i].bytes);
    return good && places.all && has_stretches(&places, data[part->arrays], part->lives_bytes);
}

/* --- what was written to since ------------------------------------------------------------------
 */

/* Bytes of the pages from FIRST to END, numbers of pages; -1: it is not known. */
static int64_t alone_between(int fd, uintptr_t first, uintptr_t end, int64_t page)
{
    uint64_t entry[ENTRIES];
    int64_t alone = 0;
    while (first < end) {
        size_t n = end - first < ENTRIES ? end - first : ENTRIES;
        ssize_t got = pread(fd, entry, n * sizeof *entry, (off_t)(first * sizeof *entry));
        if (got <= 0 || got % (ssize_t)sizeof *entry != 0)
            return -1;
        for (size_t i = 0; i < (size_t)got / sizeof *entry; i++)
            alone += (entry[i] & (ALONE | OF_FILE)) == ALONE ? page : 0;
        first += (size_t)got / sizeof *entry;
    }
    return alone;
}

int64_t xmpi_private_alone(const xmpi_part_file_t *part, const xmpi_stretch_t *const *data)
{
    int64_t page = sysconf(_SC_PAGESIZE), alone = 0, got = 0;
    int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    for (int i = 0; i < part->arrays && got >= 0; i++) {
        const xmpi_stretch_t *stretch = data[i];
        for (int64_t bytes = part->array[i].bytes; bytes > 0 && got >= 0; stretch++) {
            uintptr_t from = (uintptr_t)stretch->from;
            uintptr_t to = from + (uintptr_t)(stretch->more * stretch->stride + stretch->bytes);
            got = fd < 0 ? -1
                         : alone_between(fd, from / (uintptr_t)page,
                                         (to + (uintptr_t)page - 1) / (uintptr_t)page, page);
            alone += got;
            bytes -= stretch->bytes * (1 + stretch->more);
        }
    }
    if (fd >= 0)
        close(fd);
    return got >= 0 ? alone : part->bytes;
}
