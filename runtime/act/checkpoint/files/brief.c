/* SPDX-License-Identifier: BSD-3-Clause
 * What a file of a checkpoint begins with. */
#define _GNU_SOURCE
#include "act/checkpoint/files/brief.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/checkpoint/files/names.h"

static const char magic[8] = "XMPIckpt";
static const uint32_t order = 0x01020304;

enum { HEAD_MAX = 1 << 28 };

void xmpi_front_set(xmpi_front_t *front)
{
    *front = (xmpi_front_t){.order = order, .version = XMPI_CHECKPOINT_VERSION};
    memcpy(front->magic, magic, sizeof magic);
}

xmpi_status_t xmpi_front_check(const xmpi_front_t *front, xmpi_error_t *error)
{
    if (memcmp(front->magic, magic, sizeof magic) != 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "it is no checkpoint of XMPI's");
    if (front->order != order)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "it was written by a machine of another byte order");
    if (front->version != XMPI_CHECKPOINT_VERSION)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "it has version %u, this libxmpi reads %d",
                              front->version, XMPI_CHECKPOINT_VERSION);
    if (front->head > HEAD_MAX)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "its head is damaged");
    return XMPI_OK;
}

bool xmpi_front_bytes(int fd, char *data, int64_t bytes, int64_t at)
{
    while (bytes > 0) {
        ssize_t got = pread(fd, data, (size_t)bytes, at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        data += got;
        at += got;
        bytes -= got;
    }
    return true;
}

/* What stands behind the name of the loop. */
typedef struct {
    int64_t number, set, iteration, domain, part, parts;
} numbers_t;

static bool read_numbers(const char *path, numbers_t *numbers, double *written)
{
    struct {
        xmpi_front_t front;
        char text[XMPI_CHECKPOINT_LOOP_MAX + sizeof(numbers_t)];
    } begin;
    struct stat file;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && fstat(fd, &file) == 0 &&
                xmpi_front_bytes(fd, (char *)&begin, sizeof begin, 0) &&
                xmpi_front_check(&begin.front, NULL) == XMPI_OK &&
                (uint64_t)file.st_size == begin.front.file;
    if (fd >= 0)
        close(fd);
    if (!good)
        return false;
    size_t length = strnlen(begin.text, XMPI_CHECKPOINT_LOOP_MAX);
    *written = (double)file.st_mtim.tv_sec + 1e-9 * (double)file.st_mtim.tv_nsec;
    memcpy(numbers, begin.text + length + 1, sizeof *numbers);
    return length < XMPI_CHECKPOINT_LOOP_MAX && numbers->parts > 0 && numbers->parts < INT32_MAX;
}

void xmpi_brief_newest(const char *folder, xmpi_brief_t *brief)
{
    char path[XMPI_CHECKPOINT_PATH];
    numbers_t numbers;
    double written;
    *brief = (xmpi_brief_t){0};
    for (int64_t set = INT64_MAX; (set = xmpi_set_before(folder, set)) > 0;) {
        xmpi_set_part_path(folder, set, 0, path);
        if (!read_numbers(path, &numbers, &written) ||
            !xmpi_set_is_there(folder, set, (int)numbers.parts))
            continue;
        *brief = (xmpi_brief_t){
            .set = set, .loop = numbers.number, .iteration = numbers.iteration, .written = written};
        return;
    }
}
