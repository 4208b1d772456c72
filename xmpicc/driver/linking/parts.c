/* SPDX-License-Identifier: BSD-3-Clause
 * The objects of a command that links, alone and in archives. What has been done to one since it
 * was compiled, as objcopy does it, is not in its source. */
#define _GNU_SOURCE
#include <ar.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "driver/base/file.h"
#include "driver/linking/archive.h"
#include "driver/linking/object.h"
#include "driver/linking/parts.h"

typedef struct {
    const driver_t *driver;
    records_t *records;
    const char **why;
    long long made; /* when the file that is looked into was */
} search_t;

static const char unknown[] = "its object is not in a file or archive that the command names";
static const char merged[] = "its object has been linked with others";
static const char changed[] = "its object has been changed since it was compiled";

static long long time_of(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? info.st_mtim.tv_sec * 1000000000LL + info.st_mtim.tv_nsec : 1;
}

static bool is_same(const record_t *one, const record_t *other)
{
    return one->length == other->length && memcmp(one->bytes, other->bytes, one->length) == 0;
}

/* OWN is one of COUNT records of an object with DIGEST. Of several objects with it, nobody knows
 * which is linked. */
static void note(const search_t *search, const record_t *own, size_t count, const char *digest)
{
    for (size_t i = 0; i < search->records->count; i++) {
        record_t *record = &search->records->items[i];
        if (record->input != RECORD_OF_OBJECT || !is_same(record, own))
            continue;
        const bool first = search->why[i] == unknown;
        if (first || search->made < record->made)
            record->made = search->made;
        if (count > 1)
            search->why[i] = merged;
        else if (digest == NULL || strcmp(digest, record->object) != 0)
            search->why[i] = changed;
        else if (first)
            search->why[i] = NULL;
    }
}

/* CONTENT is aligned as by malloc. */
static void look_into_object(const search_t *search, const char *content, size_t size)
{
    memory_t *memory = search->driver->memory;
    size_t length;
    const char *digest = object_digest(memory, content, size);
    const char *text = object_read_bytes(memory, content, size, &length);
    records_t own = text != NULL ? records_read(memory, text, length) : (records_t){0};
    for (size_t i = 0; i < own.count; i++)
        note(search, &own.items[i], own.count, digest);
}

static void look_into_archive(const search_t *search, const char *content, size_t size)
{
    struct ar_hdr head;
    for (size_t at = SARMAG; at < size && size - at >= sizeof head;) {
        memcpy(&head, content + at, sizeof head);
        at += sizeof head;
        const size_t length = strtoul(
            memory_copy(search->driver->memory, head.ar_size, sizeof head.ar_size), NULL, 10);
        if (memcmp(head.ar_fmag, ARFMAG, sizeof head.ar_fmag) != 0 || length > size - at)
            return;
        look_into_object(search, memory_copy(search->driver->memory, content + at, length), length);
        at += length + length % 2;
    }
}

static void look_into_file(search_t *search, const char *path)
{
    size_t size;
    const char *content = file_read(search->driver->memory, path, &size);
    if (content == NULL || !record_is_in(content, size))
        return;
    search->made = time_of(path);
    if (strncmp(content, ARMAG, SARMAG) == 0)
        look_into_archive(search, content, size);
    else
        look_into_object(search, content, size);
}

static void look_into(search_t *search, const char *path)
{
    const words_t members = archive_thin_members(search->driver->memory, path);
    for (size_t i = 0; i < members.count; i++)
        look_into_file(search, members.items[i]);
    if (members.count == 0)
        look_into_file(search, path);
}

void parts_compare(const driver_t *driver, records_t *records, const char **why)
{
    const invocation_t *invocation = &driver->invocation;
    search_t search = {.driver = driver, .records = records, .why = why};
    for (size_t i = 0; i < records->count; i++) {
        why[i] = records->items[i].input == RECORD_OF_OBJECT ? unknown : NULL;
        if (why[i] != NULL)
            records->items[i].made = 1;
    }
    for (size_t i = 0; i < invocation->input_count; i++)
        if (invocation->inputs[i].language == LANGUAGE_NONE)
            look_into(&search, invocation->inputs[i].path);
    for (size_t i = 0; i < invocation->archives.count; i++)
        look_into(&search, invocation->archives.items[i]);
}
