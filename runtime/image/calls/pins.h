/* SPDX-License-Identifier: BSD-3-Clause
 * Pins: what was made that cannot go to another process. */
#ifndef XMPI_IMAGE_PINS_H
#define XMPI_IMAGE_PINS_H

#include <wchar.h>

/* The call that made it; NULL: there is nothing. */
const char *xmpi_pins_call(void);

/* The program's main function begins: constructors have been called. */
void xmpi_pins_begin(void);

/* The program calls a function of the scanf family with FORMAT. */
void xmpi_pins_format(const char *format);
void xmpi_pins_wide_format(const wchar_t *format);

#endif
