/* SPDX-License-Identifier: BSD-3-Clause
 * The command that rewrites a source, and where what it writes is kept. */
#ifndef XMPICC_REWRITE_COMMAND_H
#define XMPICC_REWRITE_COMMAND_H

#include "driver/command/driver.h"

/* The command that rewrites input number INPUT to TEXT with these flags for the parser. */
words_t rewrite_command(const driver_t *driver, size_t input, const char *text,
                        const words_t *flags);

/* Where it leaves what may be otherwise when the program is linked, beside TEXT. */
const char *rewrite_later(const driver_t *driver, const char *text);

/* Where the rewritten text of input number INPUT is kept; NULL: nowhere. */
const char *rewrite_kept_name(const driver_t *driver, size_t input);

#endif
