/* SPDX-License-Identifier: BSD-3-Clause
 * The command that rewrites a source. */
#define _GNU_SOURCE
#include <string.h>

#include "driver/base/file.h"
#include "driver/rewriting/rewrite_command.h"

words_t rewrite_command(const driver_t *driver, size_t input, const char *text,
                        const words_t *flags)
{
    const char *path = driver->invocation.inputs[input].path;
    words_t command = words_new(driver->memory);
    words_add(&command, driver->install.rewriter);
    words_format(&command, "--output=%s", text);
    words_format(&command, "--name=%s", path);
    if (driver->settings.report_file != NULL)
        words_format(&command, "--report=%s", driver->settings.report_file);
    else if (driver->settings.report)
        words_add(&command, "--report");
    if (driver->settings.keep != NULL)
        words_add(&command, "--readable");
    if (driver->settings.divisible)
        words_add(&command, "--divisible");
    if (driver->joins || driver->alone != NULL)
        words_format(&command, "--later=%s", rewrite_later(driver, text));
    if (driver->invocation.inputs[input].language == LANGUAGE_CXX)
        words_add(&command, "--cxx");
    /* "-name.c" would be read as an option. */
    words_format(&command, "%s%s", path[0] == '-' ? "./" : "", path);
    words_add(&command, "--");
    words_append(&command, flags);
    return command;
}

const char *rewrite_later(const driver_t *driver, const char *text)
{
    return memory_format(driver->memory, "%s.later", text);
}

const char *rewrite_kept_name(const driver_t *driver, size_t input)
{
    if (driver->settings.keep == NULL)
        return NULL;
    bool here = strcmp(driver->settings.keep, ".") == 0;
    const char *path = driver->invocation.inputs[input].path, *ending = strrchr(path, '.');
    return memory_format(driver->memory, "%s%s%s.xmpi%s", here ? "" : driver->settings.keep,
                         here ? "" : "/", path_stem(driver->memory, path),
                         ending != NULL ? ending : ".c");
}
