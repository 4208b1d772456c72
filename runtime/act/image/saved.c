/* SPDX-License-Identifier: BSD-3-Clause
 * Images in files. */
#define _GNU_SOURCE
#include "act/image/saved.h"

#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/checkpoint/files/chunks.h"
#include "act/image/move.h"
#include "act/image/touched.h"
#include "base/data/digest.h"
#include "xmpi.h"

enum { PROGRAM, PLACES, MEMORY, OBJECTS, LOOP, ARRAYS };

static const char *const names[ARRAYS] = {
    [PROGRAM] = "the program's name",  [PLACES] = "the list of places",
    [MEMORY] = "the program's memory", [OBJECTS] = "the objects of MPI",
    [LOOP] = "the loop's begin",
};

enum { ALIGNED = 64, PAGE = 4096 };

/* --- which program ------------------------------------------------------------------------------
 */

/* What has to be the same. All handles and addresses in an image are those of this program with
 * these libraries. */
typedef struct {
    uint64_t program, mpi; /* digests */
    uint64_t xmpi;         /* versions */
} origin_t;

/* Of the file that the program is, once: it may have been replaced later. */
static bool digest_program(uint64_t *digest)
{
    static uint64_t known;
    char *buffer = known == 0 ? malloc(XMPI_CHUNK) : NULL;
    int fd = buffer != NULL ? open("/proc/self/exe", O_RDONLY | O_CLOEXEC) : -1;
    ssize_t got = fd >= 0 ? 1 : -1;
    uint64_t all = 1;
    while (got > 0 && (got = read(fd, buffer, XMPI_CHUNK)) > 0)
        all = xmpi_digest_bytes(buffer, (size_t)got, all);
    if (fd >= 0)
        close(fd);
    free(buffer);
    if (got == 0 && known == 0)
        known = all;
    *digest = known;
    return known != 0;
}

static bool find_origin(origin_t *origin)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    PMPI_Get_library_version(version, &length);
    origin->mpi = xmpi_digest_bytes(version, strlen(version), 0);
    origin->xmpi = XMPI_VERSION_NUM * UINT64_C(1000) + XMPI_IMAGE_VERSION;
    return digest_program(&origin->program);
}

/* --- writing ------------------------------------------------------------------------------------
 */

static bool describe(const int64_t *bytes, xmpi_part_file_t *part)
{
    part->image = true;
    part->bytes = 0;
    part->array = calloc(ARRAYS, sizeof *part->array);
    part->arrays = part->array != NULL ? ARRAYS : 0;
    bool good = part->array != NULL;
    for (int i = 0; i < part->arrays; i++) {
        xmpi_saved_array_t *saved = &part->array[i];
        saved->like.own_name = strdup(names[i]);
        saved->like.name = saved->like.own_name;
        saved->at = part->bytes;
        saved->bytes = bytes[i];
        part->bytes = (part->bytes + bytes[i] + ALIGNED - 1) / ALIGNED * ALIGNED;
        good = good && saved->like.name != NULL;
    }
    return good;
}

static xmpi_stretch_t once(const char *from, int64_t bytes)
{
    return (xmpi_stretch_t){.from = from, .bytes = bytes};
}

static xmpi_stretch_t *stretches_of(const xmpi_spans_t *spans)
{
    xmpi_stretch_t *stretch = malloc(((size_t)spans->n + 1) * sizeof *stretch);
    for (int64_t i = 0; stretch != NULL && i < spans->n; i++)
        stretch[i] = once((const char *)spans->span[i].from,
                          (int64_t)(spans->span[i].to - spans->span[i].from));
    return stretch;
}

void xmpi_image_save(const xmpi_image_t *image, const xmpi_pack_t *objects, const xmpi_pack_t *loop,
                     const char *folder, const xmpi_part_file_t *part, xmpi_saving_t *saving)
{
    origin_t origin;
    xmpi_spans_t spans = {0};
    xmpi_part_file_t mine = *part;
    bool good = xmpi_image_list(image, &spans) && find_origin(&origin) &&
                objects->status == XMPI_OK && loop->status == XMPI_OK;
    xmpi_stretch_t *memory = good ? stretches_of(&spans) : NULL;
    const xmpi_stretch_t whole[ARRAYS] = {
        [PROGRAM] = once((const char *)&origin, sizeof origin),
        [PLACES] = once((const char *)spans.span, spans.n * (int64_t)sizeof *spans.span),
        [MEMORY] = once(NULL, xmpi_spans_bytes(&spans)),
        [OBJECTS] = once(objects->data, (int64_t)objects->size),
        [LOOP] = once(loop->data, (int64_t)loop->size),
    };
    const xmpi_stretch_t no_lives = {0}, *data[ARRAYS + 1] = {[ARRAYS] = &no_lives};
    int64_t bytes[ARRAYS];
    for (int i = 0; i < ARRAYS; i++) {
        data[i] = i == MEMORY ? memory : &whole[i];
        bytes[i] = whole[i].bytes;
    }
    if (memory != NULL && describe(bytes, &mine))
        xmpi_saving_snapshot(saving, folder, &mine, data);
    else
        saving->status = xmpi_error_set(&saving->error, XMPI_ERR_MEMORY,
                                        "no memory to list what its program has");
    if (saving->part.array != mine.array)
        xmpi_part_free(&mine);
    free(memory);
    xmpi_spans_free(&spans);
}

/* --- reading ------------------------------------------------------------------------------------
 */

static xmpi_status_t read_array(const char *path, const xmpi_part_file_t *part, int i, char *data,
                                xmpi_error_t *why)
{
    const xmpi_saved_array_t *saved = &part->array[i];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool read = fd >= 0 && xmpi_front_bytes(fd, data, saved->bytes, part->begin + saved->at);
    if (fd >= 0)
        close(fd);
    return read ? XMPI_OK
                : xmpi_error_set(why, XMPI_ERR_INPUT, "%s cannot be read", saved->like.name);
}

static xmpi_status_t read_pack(const char *path, const xmpi_part_file_t *part, int i,
                               xmpi_pack_t *pack, xmpi_error_t *why)
{
    size_t bytes = (size_t)part->array[i].bytes;
    *pack = (xmpi_pack_t){.data = malloc(bytes + 1), .size = bytes, .room = bytes};
    if (pack->data == NULL)
        return xmpi_error_set(why, XMPI_ERR_MEMORY, "no memory to read it");
    return read_array(path, part, i, pack->data, why);
}

xmpi_status_t xmpi_image_load_objects(const char *path, const xmpi_part_file_t *part,
                                      xmpi_pack_t *objects, xmpi_error_t *why)
{
    return read_pack(path, part, OBJECTS, objects, why);
}

xmpi_status_t xmpi_image_load_loop(const char *path, const xmpi_part_file_t *part,
                                   xmpi_pack_t *loop, xmpi_error_t *why)
{
    return read_pack(path, part, LOOP, loop, why);
}

/* --- whether it fits ----------------------------------------------------------------------------
 */

static xmpi_status_t check_origin(const char *path, const xmpi_part_file_t *part, xmpi_error_t *why)
{
    origin_t then = {0}, now;
    if (part->array[PROGRAM].bytes != sizeof then)
        return xmpi_error_set(why, XMPI_ERR_INPUT, "another libxmpi wrote it");
    xmpi_status_t status = read_array(path, part, PROGRAM, (char *)&then, why);
    if (status != XMPI_OK)
        return status;
    if (!find_origin(&now))
        return xmpi_error_set(why, XMPI_ERR_INPUT, "the file of the program cannot be read");
    if (then.program != now.program)
        return xmpi_error_set(why, XMPI_ERR_INPUT,
                              "it is of another program, or this one was compiled anew since");
    if (then.mpi != now.mpi || then.xmpi != now.xmpi)
        return xmpi_error_set(why, XMPI_ERR_INPUT, "it was written with another %s",
                              then.mpi != now.mpi ? "MPI" : "libxmpi");
    return XMPI_OK;
}

/* Memory of this process that can be written, in order. */
static bool list_writable(xmpi_spans_t *writable)
{
    char line[512], access[8];
    unsigned long from, to;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        if (sscanf(line, "%lx-%lx %7s", &from, &to, access) == 3 && strncmp(access, "rw", 2) == 0)
            xmpi_spans_add(writable, from, to);
    if (maps != NULL)
        fclose(maps);
    return maps != NULL && writable->status == XMPI_OK;
}

static bool is_in(const xmpi_spans_t *writable, const xmpi_span_t *span)
{
    int64_t i = 0;
    while (i < writable->n && writable->span[i].to < span->to)
        i++;
    return i < writable->n && writable->span[i].from <= span->from && span->from <= span->to;
}

/* The arena may be smaller here (ulimit -v), or the stack (ulimit -s). */
static xmpi_status_t check_places(const xmpi_part_file_t *part, const xmpi_pack_t *places,
                                  xmpi_error_t *why)
{
    const xmpi_span_t *span = (const void *)places->data;
    int64_t n = part->array[PLACES].bytes / (int64_t)sizeof *span, bytes = 0;
    xmpi_spans_t writable = {0};
    xmpi_status_t status = XMPI_OK;
    if (!list_writable(&writable))
        status = xmpi_error_set(why, XMPI_ERR_INPUT, "/proc/self/maps cannot be read");
    for (int64_t i = 0; i < n && status == XMPI_OK; i++) {
        bytes += (int64_t)(span[i].to - span[i].from);
        if (!is_in(&writable, &span[i]))
            status = xmpi_error_set(why, XMPI_ERR_INPUT,
                                    "this process has no memory at %#lx, where the program had "
                                    "some (ulimit -s, ulimit -v)",
                                    (unsigned long)span[i].from);
    }
    xmpi_spans_free(&writable);
    if (status == XMPI_OK && bytes != part->array[MEMORY].bytes)
        return xmpi_error_set(why, XMPI_ERR_INPUT, "its head is damaged");
    return status;
}

xmpi_status_t xmpi_image_fits(const char *path, const xmpi_part_file_t *part, xmpi_error_t *why)
{
    xmpi_pack_t places = {0};
    if (part->arrays != ARRAYS)
        return xmpi_error_set(why, XMPI_ERR_INPUT, "another libxmpi wrote it");
    xmpi_status_t status = check_origin(path, part, why);
    if (status == XMPI_OK)
        status = read_pack(path, part, PLACES, &places, why);
    if (status == XMPI_OK)
        status = check_places(part, &places, why);
    xmpi_pack_free(&places);
    return status;
}

/* --- its memory ---------------------------------------------------------------------------------
 */

static bool read_places(int fd, const xmpi_span_t *span, int64_t n, int64_t at)
{
    bool read = fd >= 0;
    for (int64_t i = 0; i < n && read; i++) {
        int64_t bytes = (int64_t)(span[i].to - span[i].from);
        read = xmpi_front_bytes(fd, (char *)span[i].from, bytes, at);
        at += bytes;
    }
    return read;
}

xmpi_status_t xmpi_image_load(const char *path, const xmpi_part_file_t *part, xmpi_error_t *why)
{
    xmpi_pack_t places = {0};
    xmpi_status_t status = read_pack(path, part, PLACES, &places, why);
    int fd = status == XMPI_OK ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (status == XMPI_OK && !read_places(fd, (const void *)places.data,
                                          part->array[PLACES].bytes / (int64_t)sizeof(xmpi_span_t),
                                          part->begin + part->array[MEMORY].at))
        status = xmpi_error_set(why, XMPI_ERR_INPUT, "%s cannot be read", names[MEMORY]);
    if (fd >= 0)
        close(fd);
    xmpi_pack_free(&places);
    return status;
}
