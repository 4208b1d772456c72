/* SPDX-License-Identifier: BSD-3-Clause
 * Saying what is run. */
#define _GNU_SOURCE
#include <stdio.h>

#include "driver/rewriting/verbose.h"

void show_verbose(const driver_t *driver, const words_t *command)
{
    if (driver->settings.verbose)
        fprintf(stderr, "%s\n", words_quote(command));
}
