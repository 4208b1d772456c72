/* SPDX-License-Identifier: BSD-3-Clause
 * Files of checkpoints. They are open for a moment only, as a check of a change looks at the files
 * that are (base/process/own_files.h). */
#define _GNU_SOURCE
#include "act/checkpoint/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/checkpoint/files/chunks.h"
#include "base/data/digest.h"
#include "base/process/own_files.h"

enum { PAGE = 4096, PIECE = 8 * XMPI_CHUNK };

/* --- the head -----------------------------------------------------------------------------------
 */

static int64_t get_number(xmpi_pack_t *pack)
{
    int64_t number = 0;
    xmpi_pack_get(pack, &number, sizeof number);
    return number;
}

/* The same in both directions: the numbers of an array, in the order of the file. */
static void put_array(xmpi_pack_t *pack, const xmpi_saved_array_t *saved)
{
    const xmpi_array_t *a = &saved->like;
    const int64_t numbers[] = {a->scheme,         a->shape,        a->rows,
                               a->row_length,     a->row_bytes,    a->halo,
                               a->ghosts,         a->lines,        a->element_bytes,
                               a->offsets,        a->offset_bytes, saved->rows.displ,
                               saved->rows.count, saved->constant, saved->compared,
                               saved->at,         saved->bytes,    (int64_t)saved->digest};
    xmpi_pack_put_text(pack, a->name);
    xmpi_pack_put(pack, numbers, sizeof numbers);
}

static void get_array(xmpi_pack_t *pack, xmpi_saved_array_t *saved)
{
    xmpi_array_t *a = &saved->like;
    const char *name = xmpi_pack_view_text(pack);
    a->name = a->own_name = strdup(name != NULL ? name : "");
    a->scheme = (int)get_number(pack);
    a->shape = (xmpi_shape_t)get_number(pack);
    a->rows = get_number(pack);
    a->row_length = get_number(pack);
    a->row_bytes = get_number(pack);
    a->halo = get_number(pack);
    a->ghosts = get_number(pack) != 0;
    a->lines = get_number(pack);
    a->element_bytes = get_number(pack);
    a->offsets = (int)get_number(pack);
    a->offset_bytes = (int)get_number(pack);
    saved->rows.displ = get_number(pack);
    saved->rows.count = get_number(pack);
    saved->constant = get_number(pack) != 0;
    saved->compared = get_number(pack) != 0;
    saved->at = get_number(pack);
    saved->bytes = get_number(pack);
    saved->digest = (uint64_t)get_number(pack);
}

static void put_head(xmpi_pack_t *pack, const xmpi_part_file_t *part)
{
    const int64_t numbers[] = {part->number,
                               part->set,
                               part->iteration,
                               part->domain,
                               part->part,
                               part->parts,
                               part->block.displ,
                               part->block.count,
                               part->lives_at,
                               part->lives_bytes,
                               (int64_t)part->lives_digest,
                               part->bytes,
                               part->bound,
                               part->pass,
                               part->image,
                               part->arrays};
    xmpi_pack_put_text(pack, part->loop);
    xmpi_pack_put(pack, numbers, sizeof numbers);
    for (int i = 0; i < part->arrays; i++)
        put_array(pack, &part->array[i]);
}

/* Whether what an array says of itself can be: it was written by us, but who knows. */
static bool is_sane(const xmpi_part_file_t *part, const xmpi_saved_array_t *saved)
{
    const xmpi_array_t *a = &saved->like;
    return a->name != NULL && a->offsets >= 0 && a->offsets < part->arrays && saved->at >= 0 &&
           saved->bytes >= 0 && saved->at <= part->bytes - saved->bytes && saved->rows.count >= 0 &&
           saved->rows.displ >= 0 && a->row_bytes >= 0;
}

static xmpi_status_t get_head(xmpi_pack_t *pack, xmpi_part_file_t *part)
{
    const char *loop = xmpi_pack_view_text(pack);
    strncpy(part->loop, loop != NULL ? loop : "", sizeof part->loop - 1);
    part->number = get_number(pack);
    part->set = get_number(pack);
    part->iteration = get_number(pack);
    part->domain = get_number(pack);
    part->part = (int)get_number(pack);
    part->parts = (int)get_number(pack);
    part->block.displ = get_number(pack);
    part->block.count = get_number(pack);
    part->lives_at = get_number(pack);
    part->lives_bytes = get_number(pack);
    part->lives_digest = (uint64_t)get_number(pack);
    part->bytes = get_number(pack);
    part->bound = get_number(pack);
    part->pass = get_number(pack);
    part->image = get_number(pack) != 0;
    int64_t arrays = get_number(pack);
    if (pack->status != XMPI_OK || arrays < 0 || arrays > (int64_t)pack->size || part->bytes < 0 ||
        part->lives_bytes < 0 || part->lives_at < 0 ||
        part->lives_at > part->bytes - part->lives_bytes)
        return XMPI_ERR_INPUT;
    part->array = calloc((size_t)arrays + 1, sizeof *part->array);
    part->arrays = part->array != NULL ? (int)arrays : 0;
    bool sane = part->array != NULL;
    for (int i = 0; i < part->arrays; i++) {
        get_array(pack, &part->array[i]);
        sane = sane && is_sane(part, &part->array[i]);
    }
    return sane && pack->status == XMPI_OK ? XMPI_OK : XMPI_ERR_INPUT;
}

/* --- writing ------------------------------------------------------------------------------------
 */

static bool write_all(int fd, const char *data, int64_t bytes, int64_t at)
{
    while (bytes > 0) {
        ssize_t written = pwrite(fd, data, (size_t)bytes, at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        data += written;
        at += written;
        bytes -= written;
    }
    return true;
}

/* A piece, which is on the disk then. The file is not open between pieces. */
static bool write_piece(const char *path, const char *data, int64_t bytes, int64_t at)
{
    xmpi_own_files_begin();
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (at == 0 ? O_TRUNC : 0), 0666);
    bool written = fd >= 0 && write_all(fd, data, bytes, at) && fdatasync(fd) == 0;
    int reason = errno;
    if (fd >= 0 && close(fd) != 0 && written) {
        written = false; /* a file system of a network may say so here */
        reason = errno;
    }
    xmpi_own_files_end();
    errno = reason;
    return written;
}

/* What is renamed is there after a crash when its folder is on the disk. */
static bool sync_folder(const char *path)
{
    char folder[XMPI_CHECKPOINT_PATH];
    strncpy(folder, path, sizeof folder - 1);
    folder[sizeof folder - 1] = '\0';
    char *end = strrchr(folder, '/');
    if (end != NULL)
        *end = '\0';
    xmpi_own_files_begin();
    int fd = open(end != NULL ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool synced = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL); /* some cannot */
    if (fd >= 0)
        close(fd);
    xmpi_own_files_end();
    return synced;
}

/* (As long as before where HEAD is one already: digests alone are others.) */
xmpi_status_t xmpi_part_head(xmpi_part_file_t *part, xmpi_pack_t *head)
{
    static const char zeros[PAGE];
    xmpi_front_t front = {.magic = ""};
    head->size = 0;
    xmpi_pack_put(head, &front, sizeof front);
    put_head(head, part);
    if (head->status != XMPI_OK)
        return head->status;
    xmpi_front_set(&front);
    part->begin = ((int64_t)head->size + PAGE - 1) / PAGE * PAGE;
    front.head = head->size - sizeof front;
    front.digest = xmpi_digest_bytes(head->data + sizeof front, front.head, 0);
    front.file = (uint64_t)(part->begin + part->bytes);
    memcpy(head->data, &front, sizeof front);
    xmpi_pack_put(head, zeros, (size_t)part->begin - head->size);
    return head->status;
}

static bool write_file(const char *path, const xmpi_pack_t *head, const xmpi_part_file_t *part,
                       const char *data)
{
    bool written = write_piece(path, head->data, part->begin, 0);
    for (int64_t at = 0; at < part->bytes && written; at += PIECE) {
        int64_t rest = part->bytes - at;
        written = write_piece(path, data + at, rest < PIECE ? rest : PIECE, part->begin + at);
    }
    return written;
}

xmpi_status_t xmpi_part_write(const char *path, xmpi_part_file_t *part, const char *data,
                              xmpi_error_t *error)
{
    char scratch[XMPI_CHECKPOINT_PATH + 8];
    xmpi_pack_t head = {0};
    snprintf(scratch, sizeof scratch, "%s.part", path);
    if (xmpi_part_head(part, &head) != XMPI_OK) {
        xmpi_pack_free(&head);
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for its head");
    }
    bool written =
        write_file(scratch, &head, part, data) && rename(scratch, path) == 0 && sync_folder(path);
    int reason = errno;
    xmpi_pack_free(&head);
    if (written)
        return XMPI_OK;
    unlink(scratch);
    unlink(path);
    return xmpi_error_set(error, XMPI_ERR_INPUT, "%s", strerror(reason));
}

/* --- from here and there ------------------------------------------------------------------------
 */

typedef struct {
    const xmpi_stretch_t *stretch; /* that comes next, the how manieth time, and how much of that */
    int64_t time, had;
} cursor_t;

static const char *at_cursor(const cursor_t *cursor)
{
    return cursor->stretch->from + cursor->time * cursor->stretch->stride + cursor->had;
}

static void advance(cursor_t *cursor, int64_t bytes)
{
    cursor->had += bytes;
    if (cursor->had < cursor->stretch->bytes)
        return;
    bool over = cursor->time == cursor->stretch->more;
    *cursor = over ? (cursor_t){.stretch = cursor->stretch + 1}
                   : (cursor_t){.stretch = cursor->stretch, .time = cursor->time + 1};
}

/* The next BYTES, in one place: their own, or BUFFER. */
static const char *take(cursor_t *cursor, int64_t bytes, char *buffer)
{
    const char *own = at_cursor(cursor);
    if (cursor->stretch->bytes - cursor->had >= bytes) {
        cursor->had += bytes; /* the next call goes on behind it */
        return own;
    }
    for (int64_t got = 0; got < bytes;) {
        int64_t left = cursor->stretch->bytes - cursor->had;
        int64_t n = left < bytes - got ? left : bytes - got;
        memcpy(buffer + got, at_cursor(cursor), (size_t)n);
        got += n;
        advance(cursor, n);
    }
    return buffer;
}

/* BYTES of data, which go to AT in the file, and their digest. Each piece is on the disk before the
 * next one. */
static bool write_stretches(int fd, const xmpi_stretch_t *stretch, int64_t bytes, int64_t at,
                            char *buffer, uint64_t *digest)
{
    cursor_t cursor = {.stretch = stretch};
    *digest = (uint64_t)bytes;
    for (int64_t done = 0; done < bytes; done += XMPI_CHUNK) {
        int64_t rest = bytes - done, n = rest < XMPI_CHUNK ? rest : XMPI_CHUNK;
        const char *data = take(&cursor, n, buffer);
        *digest = xmpi_digest_bytes(data, (size_t)n, *digest);
        if (!write_all(fd, data, n, at + done) || ((done + n) % PIECE == 0 && fdatasync(fd) != 0))
            return false;
    }
    return true;
}

/* Data come first, as the head has their digests. The disk is asked for all the room at once, where
 * the file system can be. */
static bool write_scattered(int fd, xmpi_part_file_t *part, const xmpi_stretch_t *const *data,
                            char *buffer, xmpi_pack_t *head)
{
    int64_t begin = part->begin;
    if (!xmpi_own_files_may_have(begin + part->bytes)) {
        errno = EFBIG;
        return false;
    }
    if (fallocate(fd, 0, 0, begin + part->bytes) != 0 &&
        (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
        return false;
    bool written = ftruncate(fd, begin + part->bytes) == 0;
    for (int i = 0; i < part->arrays && written; i++) {
        xmpi_saved_array_t *saved = &part->array[i];
        if (!saved->constant)
            written = write_stretches(fd, data[i], saved->bytes, begin + saved->at, buffer,
                                      &saved->digest);
    }
    written = written && write_stretches(fd, data[part->arrays], part->lives_bytes,
                                         begin + part->lives_at, buffer, &part->lives_digest);
    return written && xmpi_part_head(part, head) == XMPI_OK &&
           write_all(fd, head->data, begin, 0) && fdatasync(fd) == 0;
}

xmpi_status_t xmpi_part_write_scattered(const char *path, xmpi_part_file_t *part,
                                        const xmpi_stretch_t *const *data, xmpi_pack_t *head,
                                        xmpi_error_t *error)
{
    char scratch[XMPI_CHECKPOINT_PATH + 8];
    char *buffer =
        mmap(NULL, XMPI_CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    snprintf(scratch, sizeof scratch, "%s.part", path);
    int fd = open(scratch, O_WRONLY | O_CREAT | O_CLOEXEC | O_TRUNC, 0666);
    bool written = buffer != MAP_FAILED && fd >= 0 && write_scattered(fd, part, data, buffer, head);
    int reason = buffer != MAP_FAILED ? errno : ENOMEM;
    if (fd >= 0 && close(fd) != 0 && written) {
        written = false;
        reason = errno;
    }
    if (written && (rename(scratch, path) != 0 || !sync_folder(path))) {
        written = false;
        reason = errno;
    }
    if (buffer != MAP_FAILED)
        munmap(buffer, XMPI_CHUNK);
    if (written)
        return XMPI_OK;
    unlink(scratch);
    unlink(path);
    return xmpi_error_set(error, XMPI_ERR_INPUT, "%s", strerror(reason));
}

/* --- reading ------------------------------------------------------------------------------------
 */

static xmpi_status_t read_head(int fd, xmpi_part_file_t *part, xmpi_error_t *error)
{
    xmpi_front_t front;
    struct stat file;
    if (fstat(fd, &file) != 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s", strerror(errno));
    if (!S_ISREG(file.st_mode))
        return xmpi_error_set(error, XMPI_ERR_INPUT, "it is %s",
                              S_ISDIR(file.st_mode) ? "a folder" : "no file");
    if (!xmpi_front_bytes(fd, (char *)&front, sizeof front, 0))
        return xmpi_error_set(error, XMPI_ERR_INPUT, "it is truncated: it has %lld bytes",
                              (long long)file.st_size);
    xmpi_status_t status = xmpi_front_check(&front, error);
    if (status != XMPI_OK)
        return status;
    if ((uint64_t)file.st_size != front.file)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "it is truncated: it has %lld of %llu bytes",
                              (long long)file.st_size, (unsigned long long)front.file);
    xmpi_pack_t head = {.data = malloc(front.head + 1), .size = front.head};
    if (head.data == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for its head");
    if (!xmpi_front_bytes(fd, head.data, (int64_t)front.head, sizeof front) ||
        xmpi_digest_bytes(head.data, front.head, 0) != front.digest ||
        get_head(&head, part) != XMPI_OK)
        status = xmpi_error_set(error, XMPI_ERR_INPUT, "its head is damaged");
    free(head.data);
    part->begin = (int64_t)front.file - part->bytes;
    if (status == XMPI_OK && part->begin < (int64_t)(sizeof front + front.head))
        status = xmpi_error_set(error, XMPI_ERR_INPUT, "its head is damaged");
    return status;
}

static int open_to_read(const char *path, xmpi_error_t *error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        xmpi_error_set(error, XMPI_ERR_INPUT, "%s", strerror(errno));
    return fd;
}

xmpi_status_t xmpi_part_read(const char *path, xmpi_part_file_t *part, xmpi_error_t *error)
{
    *part = (xmpi_part_file_t){0};
    int fd = open_to_read(path, error);
    xmpi_status_t status = fd >= 0 ? read_head(fd, part, error) : XMPI_ERR_INPUT;
    if (fd >= 0)
        close(fd);
    if (status != XMPI_OK)
        xmpi_part_free(part);
    return status;
}

/* By reading, not by mapping: a disk that fails says so here. */
static xmpi_status_t verify_piece(int fd, int64_t at, int64_t bytes, uint64_t digest, char *buffer,
                                  const char *name, xmpi_error_t *error)
{
    uint64_t found = (uint64_t)bytes;
    for (int64_t done = 0; done < bytes; done += XMPI_CHUNK) {
        int64_t rest = bytes - done, n = rest < XMPI_CHUNK ? rest : XMPI_CHUNK;
        if (!xmpi_front_bytes(fd, buffer, n, at + done))
            return xmpi_error_set(error, XMPI_ERR_INPUT, "%s cannot be read", name);
        found = xmpi_digest_bytes(buffer, (size_t)n, found);
    }
    if (found != digest)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "the data of %s are damaged", name);
    return XMPI_OK;
}

xmpi_status_t xmpi_part_verify(const char *path, const xmpi_part_file_t *part, xmpi_error_t *error)
{
    char *buffer = malloc(XMPI_CHUNK);
    int fd = open_to_read(path, error);
    xmpi_status_t status = fd >= 0 ? XMPI_OK : XMPI_ERR_INPUT;
    if (buffer == NULL)
        status = xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to read it");
    for (int i = 0; i < part->arrays && status == XMPI_OK; i++) {
        const xmpi_saved_array_t *saved = &part->array[i];
        if (!saved->constant)
            status = verify_piece(fd, part->begin + saved->at, saved->bytes, saved->digest, buffer,
                                  saved->like.name, error);
    }
    if (status == XMPI_OK)
        status = verify_piece(fd, part->begin + part->lives_at, part->lives_bytes,
                              part->lives_digest, buffer, "the live values", error);
    if (fd >= 0)
        close(fd);
    free(buffer);
    return status;
}

xmpi_status_t xmpi_part_map(const char *path, const xmpi_part_file_t *part, char **data,
                            xmpi_error_t *error)
{
    *data = NULL;
    if (part->bytes == 0)
        return XMPI_OK;
    int fd = open_to_read(path, error);
    if (fd < 0)
        return XMPI_ERR_INPUT;
    void *mapped = mmap(NULL, (size_t)(part->begin + part->bytes), PROT_READ, MAP_PRIVATE, fd, 0);
    int reason = errno;
    close(fd);
    if (mapped == MAP_FAILED)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s", strerror(reason));
    *data = (char *)mapped + part->begin;
    return XMPI_OK;
}

void xmpi_part_unmap(const xmpi_part_file_t *part, char *data)
{
    if (data != NULL)
        munmap(data - part->begin, (size_t)(part->begin + part->bytes));
}
