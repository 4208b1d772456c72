/* SPDX-License-Identifier: BSD-3-Clause
 * Printing commands. */
#ifndef XMPICC_SHOW_H
#define XMPICC_SHOW_H

#include "driver/command/driver.h"

/* Prints what would be run: the rewriting and the compiler's commands, as a shell would read them.
 * The exit status. */
int show_commands(driver_t *driver);

#endif
