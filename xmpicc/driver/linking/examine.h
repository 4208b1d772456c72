/* SPDX-License-Identifier: BSD-3-Clause
 * Looking into a linked program: what its loops rely on in other files. */
#ifndef XMPICC_EXAMINE_H
#define XMPICC_EXAMINE_H

#include "driver/command/driver.h"

/* Looks into PROGRAM, where what was linked has such loops; *COMPLAINT is what there is to be said
 * of loops that keep their processes, else "". The exit status. */
int examine_program(driver_t *driver, const char *program, const char **complaint);

#endif
