/* SPDX-License-Identifier: BSD-3-Clause
 * Saying what is run. */
#ifndef XMPICC_VERBOSE_H
#define XMPICC_VERBOSE_H

#include "driver/command/driver.h"

/* Prints a command on standard error when --xmpi-verbose is given. */
void show_verbose(const driver_t *driver, const words_t *command);

#endif
