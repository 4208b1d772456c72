/* SPDX-License-Identifier: BSD-3-Clause
 * Having sources rewritten. */
#ifndef XMPICC_REWRITE_H
#define XMPICC_REWRITE_H

#include "driver.h"

/* Rewrites every C source with a pragma into the workspace. 0; or, after all of them were tried and
 * the messages printed, the exit status. */
int rewrite_all(driver_t *driver);

/* The command that rewrites input number INPUT to TEXT with these flags for the parser. */
words_t rewrite_command(const driver_t *driver, size_t input, const char *text,
                        const words_t *flags);

/* Where the rewritten text of input number INPUT is kept; NULL: nowhere. */
const char *rewrite_kept_name(const driver_t *driver, size_t input);

#endif
