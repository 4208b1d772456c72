/* SPDX-License-Identifier: BSD-3-Clause
 * Looking into a linked program: what its loops rely on in other files. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "driver/base/message.h"
#include "driver/rewriting/assemble.h"
#include "driver/rewriting/verbose.h"
#include "examine.h"

int examine_linked(driver_t *driver, int command_status)
{
    const char *output = driver->invocation.output;
    if (command_status != 0 || driver->runner.caught != 0 || !assemble_links_reliance(driver))
        return command_status;
    words_t command = words_new(driver->memory);
    words_add(&command, driver->install.rewriter);
    words_format(&command, "--examine=%s", output != NULL ? output : "a.out");
    show_verbose(driver, &command);
    int status = run(&driver->runner, &command, (streams_t){.out = -1, .err = -1});
    return status == RUN_NOT_STARTED
               ? complain("cannot run %s: %s", command.items[0], strerror(errno))
               : status;
}
