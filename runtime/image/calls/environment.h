/* SPDX-License-Identifier: BSD-3-Clause
 * The environment, which the program has in its own memory. */
#ifndef XMPI_IMAGE_ENVIRONMENT_H
#define XMPI_IMAGE_ENVIRONMENT_H

#include <stdbool.h>

/* Makes it so, whoever has changed it; false: no memory. */
bool xmpi_environment_own(void);

#endif
