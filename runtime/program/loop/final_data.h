/* SPDX-License-Identifier: BSD-3-Clause
 * What the data are at the end of a loop, for the trace. */
#ifndef XMPI_PROGRAM_LOOP_FINAL_DATA_H
#define XMPI_PROGRAM_LOOP_FINAL_DATA_H

#include "program/context.h"

/* Writes fingerprints of what is registered into the trace, where XMPI_FINGERPRINT asks for them.
 * Collective over the world, at the end of a loop. */
void xmpi_final_data(xmpi_context_t *context);

#endif
