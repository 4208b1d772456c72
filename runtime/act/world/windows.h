/* SPDX-License-Identifier: BSD-3-Clause
 * Windows of the program's: memory that others access. */
#ifndef XMPI_ACT_WORLD_WINDOWS_H
#define XMPI_ACT_WORLD_WINDOWS_H

#include <stdbool.h>

/* The program has made one, or freed it. */
void xmpi_windows_made(void);
void xmpi_windows_freed(void);

/* Whether there is one on this process. */
bool xmpi_windows_are_open(void);

#endif
