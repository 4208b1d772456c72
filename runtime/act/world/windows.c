/* SPDX-License-Identifier: BSD-3-Clause
 * How many windows there are. */
#include "act/world/windows.h"

#include <stdatomic.h>

/* Any thread of the program may make them. */
static atomic_int windows;

void xmpi_windows_made(void)
{
    atomic_fetch_add(&windows, 1);
}

void xmpi_windows_freed(void)
{
    atomic_fetch_sub(&windows, 1);
}

bool xmpi_windows_are_open(void)
{
    return atomic_load(&windows) > 0;
}
