/* SPDX-License-Identifier: BSD-3-Clause
 * Adding to a compile_commands.json, so that editors see the user's sources with mpicc's flags. */
#ifndef XMPICC_COMMANDS_H
#define XMPICC_COMMANDS_H

#include "driver/command/driver.h"

/* Adds an entry for each source in C and C++ that is compiled, in place of an older one for the
 * same file. 0, or the exit status after a message. Safe among concurrent makes. */
int commands_record(driver_t *driver);

#endif
