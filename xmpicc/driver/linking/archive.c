/* SPDX-License-Identifier: BSD-3-Clause
 * Reads the heads of thin archives: of the symbols and the long names the contents follow, of
 * members nothing does. */
#define _GNU_SOURCE
#include <ar.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "driver/base/file.h"
#include "driver/linking/archive.h"

static const char thin_mark[] = "!<thin>\n";

typedef struct {
    const char *begin;
    size_t length;
} text_t;

/* The name that begins at TEXT and ends, at the latest, at END, with a '/' before a newline or
 * blanks. */
static text_t name_at(const char *text, const char *end)
{
    const char *line = memchr(text, '\n', (size_t)(end - text));
    line = line != NULL ? line : end;
    while (line > text && line[-1] == ' ')
        line--;
    return (text_t){text, (size_t)(line - text) - (line > text && line[-1] == '/')};
}

static text_t name_of(const struct ar_hdr *head, text_t names)
{
    const bool far = head->ar_name[0] == '/' && isdigit((unsigned char)head->ar_name[1]);
    if (!far)
        return name_at(head->ar_name, head->ar_name + sizeof head->ar_name);
    const size_t at = strtoul(head->ar_name + 1, NULL, 10);
    return at < names.length ? name_at(names.begin + at, names.begin + names.length) : (text_t){0};
}

static const char *path_of(memory_t *memory, const char *archive, text_t name)
{
    return name.begin[0] == '/' ? memory_copy(memory, name.begin, name.length)
                                : memory_format(memory, "%s/%.*s", path_folder(memory, archive),
                                                (int)name.length, name.begin);
}

words_t archive_thin_members(memory_t *memory, const char *path)
{
    words_t members = words_new(memory);
    size_t length, at = strlen(thin_mark);
    text_t names = {0};
    const char *content = file_read(memory, path, &length);
    if (content == NULL || length < at || memcmp(content, thin_mark, at) != 0)
        return members;
    while (at + sizeof(struct ar_hdr) <= length) {
        const struct ar_hdr *head = (const void *)(content + at);
        const size_t size = strtoul(head->ar_size, NULL, 10);
        at += sizeof *head;
        if (strncmp(head->ar_name, "// ", 3) == 0)
            names = (text_t){content + at, size < length - at ? size : length - at};
        if (strncmp(head->ar_name, "/ ", 2) == 0 || strncmp(head->ar_name, "// ", 3) == 0 ||
            strncmp(head->ar_name, "/SYM64/", 7) == 0) {
            if (size > length - at)
                break;
            at += size + size % 2;
            continue;
        }
        const text_t name = name_of(head, names);
        if (name.length > 0)
            words_add(&members, path_of(memory, path, name));
    }
    return members;
}
