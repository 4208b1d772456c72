/* SPDX-License-Identifier: BSD-3-Clause
 * Looking into a linked program: what its loops rely on in other files. */
#ifndef XMPICC_EXAMINE_H
#define XMPICC_EXAMINE_H

#include "driver/command/driver.h"

/* After the program has been linked; the rewriter writes into it what it has found, and says on
 * standard error what it has not. Nothing to do where no loop relies on other files. The exit
 * status of the command that COMMAND_STATUS was. */
int examine_linked(driver_t *driver, int command_status);

#endif
