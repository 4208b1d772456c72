/* SPDX-License-Identifier: BSD-3-Clause
 * Looking into a linked program: what its loops rely on in other files. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "driver/base/file.h"
#include "driver/base/message.h"
#include "driver/linking/examine.h"
#include "driver/linking/sources.h"
#include "driver/rewriting/assemble.h"
#include "driver/rewriting/verbose.h"

/* The rewriter is to look into the sources of PROGRAM as well: a record has a mark of
 * rewriter/linked/sums.h. */
static bool asks_for_sources(const driver_t *driver, const char *program)
{
    static const char mark[] = "\0(MPI_";
    size_t length;
    const char *content = file_read(driver->memory, program, &length);
    return content != NULL && memmem(content, length, mark, sizeof mark - 1) != NULL;
}

/* Adds the list of them to COMMAND. */
static int add_sources(driver_t *driver, words_t *command)
{
    const size_t inputs = driver->invocation.input_count;
    int status = 0;
    if (!driver->workspace.real)
        status = workspace_make(&driver->workspace, driver->memory, inputs + 1, true);
    if (status != 0)
        return status;
    const char *list = workspace_file(&driver->workspace, driver->memory, inputs, "all-sources");
    words_format(command, "--sources=%s", list);
    return sources_list_all(driver, list);
}

int examine_program(driver_t *driver, const char *program, const char **complaint)
{
    *complaint = "";
    if (!assemble_links_reliance(driver))
        return 0;
    words_t command = words_new(driver->memory);
    words_add(&command, driver->install.rewriter);
    words_format(&command, "--examine=%s", program);
    if (driver->settings.replaced != NULL)
        words_format(&command, "--replaced=%s", driver->settings.replaced);
    int status = asks_for_sources(driver, program) ? add_sources(driver, &command) : 0;
    if (status != 0)
        return status;
    show_verbose(driver, &command);
    status = run_listening(&driver->runner, &command, NULL, NULL, complaint);
    return status == RUN_NOT_STARTED
               ? complain("cannot run %s: %s", command.items[0], strerror(errno))
               : status;
}
