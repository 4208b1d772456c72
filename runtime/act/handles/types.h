/* SPDX-License-Identifier: BSD-3-Clause
 * The datatypes that the program has made. */
#ifndef XMPI_ACT_HANDLES_TYPES_H
#define XMPI_ACT_HANDLES_TYPES_H

#include "base/data/pack.h"

void xmpi_types_put(xmpi_pack_t *pack);
void xmpi_types_get(xmpi_pack_t *pack);

#endif
