/* SPDX-License-Identifier: BSD-3-Clause
 * Questions that mpicc answers on itself, answered for xmpicc. */
#ifndef XMPICC_INFORM_H
#define XMPICC_INFORM_H

#include "driver/command/driver.h"

/* -compile_info and -link_info: one line with our flags in it. The exit status. */
int inform_flags(driver_t *driver);

/* -show without an input: the same with all flags. */
int inform_show(driver_t *driver);

int inform_version(const driver_t *driver);

#endif
