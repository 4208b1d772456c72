/* SPDX-License-Identifier: BSD-3-Clause
 * Looking for XMPI in what a source includes: a header, or another source (a unity build). */
#ifndef XMPICC_INCLUDES_H
#define XMPICC_INCLUDES_H

#include "driver/command/driver.h"

/* Whether a file that TEXT, of INPUT, includes, or one that this includes in turn, has a pragma,
 * which it cannot have: the rewriter says so. Files beside the including one and in folders of the
 * user's (-I, -iquote) are looked at. */
bool includes_have_pragma(const driver_t *driver, const input_t *input, const char *text);

#endif
