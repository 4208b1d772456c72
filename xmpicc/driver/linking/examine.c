/* SPDX-License-Identifier: BSD-3-Clause
 * Looking into a linked program: what its loops rely on in other files. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "driver/base/message.h"
#include "driver/linking/examine.h"
#include "driver/rewriting/assemble.h"
#include "driver/rewriting/verbose.h"

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
    show_verbose(driver, &command);
    int status = run_listening(&driver->runner, &command, NULL, NULL, complaint);
    return status == RUN_NOT_STARTED
               ? complain("cannot run %s: %s", command.items[0], strerror(errno))
               : status;
}
