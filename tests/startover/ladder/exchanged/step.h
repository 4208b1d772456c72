/* SPDX-License-Identifier: BSD-3-Clause
 * One step of a block of rows. */
#ifndef STEP_H
#define STEP_H

#include "field.h"

void step(const field_t *now, field_t *next);

#endif
