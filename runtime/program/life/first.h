/* SPDX-License-Identifier: BSD-3-Clause
 * First looks: what a process sees of its node before the program begins, where there are spares
 * and those are to compute first that are on the quickest processing elements. */
#ifndef XMPI_PROGRAM_LIFE_FIRST_H
#define XMPI_PROGRAM_LIFE_FIRST_H

#include <stdbool.h>

#include "decide/model/idle.h"

/* Whether that is wanted, by the environment of this process: known without communication. */
bool xmpi_first_is_wanted(void);

/* Looks at NODE for a tenth of a second, asleep, and measures the CPU. */
void xmpi_first_look(const char *node, xmpi_load_t *load);

#endif
