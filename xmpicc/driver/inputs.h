/* SPDX-License-Identifier: BSD-3-Clause
 * Looking for XMPI in what is to be compiled. */
#ifndef XMPICC_INPUTS_H
#define XMPICC_INPUTS_H

#include "driver/command/driver.h"

/* Reads every source and notes in it whether it mentions XMPI and has a pragma; *REWRITTEN is how
 * many have to be rewritten. 0, or the exit status after a message: a pragma that cannot be
 * honoured is never passed over. */
int inputs_look_into(driver_t *driver, size_t *rewritten);

#endif
