/* SPDX-License-Identifier: BSD-3-Clause
 * Pins: what was made that cannot go to another process. */
#ifndef XMPI_IMAGE_PINS_H
#define XMPI_IMAGE_PINS_H

/* The call that made it; NULL: there is nothing. */
const char *xmpi_pins_call(void);

#endif
