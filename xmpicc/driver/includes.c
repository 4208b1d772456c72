/* SPDX-License-Identifier: BSD-3-Clause
 * Looking for XMPI in what a source includes. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "driver/base/file.h"
#include "includes.h"

typedef struct {
    const driver_t *driver;
    words_t seen; /* files, the input included */
} search_t;

static bool look_into(search_t *search, const char *path, const char *text);

/* The path of a file that has the same one however it was come to, as by "../include/a.h" from
 * include/ itself; its last part is as typed, as a link's own folder is looked at. NULL: there is
 * no such folder. */
static const char *one_path(memory_t *memory, const char *path)
{
    char folder[PATH_MAX];
    if (realpath(path_folder(memory, path), folder) == NULL)
        return NULL;
    return memory_format(memory, "%s/%s", folder, path_base(path));
}

/* False also where there is no such file. */
static bool look_at(search_t *search, const char *folder, const char *name, size_t length)
{
    memory_t *memory = search->driver->memory;
    bool whole = name[0] == '/';
    const char *path = one_path(memory, memory_format(memory, "%s%s%.*s", whole ? "" : folder,
                                                      whole ? "" : "/", (int)length, name));
    size_t size;
    if (path == NULL || words_contain(&search->seen, path))
        return false;
    words_add(&search->seen, path);
    const char *text = file_read(memory, path, &size);
    return text != NULL && (source_has_pragma_line(text) || look_into(search, path, text));
}

static bool look_into(search_t *search, const char *path, const char *text)
{
    const driver_t *driver = search->driver;
    const char *folder = path_folder(driver->memory, path), *name, *own;
    size_t length;
    while ((name = source_next_include(&text, &length)) != NULL) {
        if (name[-1] == '"' && look_at(search, folder, name, length))
            return true;
        for (size_t at = 0; name[0] != '/' && (own = parse_next_value(&driver->invocation,
                                                                      ROLE_INCLUDE, &at)) != NULL;)
            if (look_at(search, own, name, length))
                return true;
    }
    return false;
}

bool includes_have_pragma(const driver_t *driver, const input_t *input, const char *text)
{
    search_t search = {.driver = driver, .seen = words_new(driver->memory)};
    const char *path = one_path(driver->memory, input->path);
    if (path == NULL)
        return false;
    words_add(&search.seen, path);
    return look_into(&search, path, text);
}
