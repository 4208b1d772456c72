/* SPDX-License-Identifier: BSD-3-Clause
 * The way of a command with rewritten sources. */
#ifndef XMPICC_COMPILE_H
#define XMPICC_COMPILE_H

#include "driver/command/driver.h"

/* Rewrites, compiles and links, or prints how. The exit status. */
int compile_rewritten(driver_t *driver);

/* Runs COMMAND of mpicc's, which links what is to be looked into afterwards. The exit status. */
int compile_untouched(driver_t *driver, const words_t *command);

#endif
