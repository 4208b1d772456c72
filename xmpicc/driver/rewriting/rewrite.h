/* SPDX-License-Identifier: BSD-3-Clause
 * Having sources rewritten. */
#ifndef XMPICC_REWRITE_H
#define XMPICC_REWRITE_H

#include "driver/command/driver.h"

/* Rewrites every C source with a pragma into the workspace. 0; or, after all of them were tried and
 * the messages printed, the exit status. */
int rewrite_all(driver_t *driver);

/* Keeps TEXT, what has become of input number INPUT, and has the compiler name what is kept: that
 * is what it compiles, line for line. The exit status. */
int rewrite_keep(const driver_t *driver, size_t input, const char *text);

#endif
