/* SPDX-License-Identifier: BSD-3-Clause
 * Telling who sends how much to whom, where people ask for it. */
#ifndef XMPI_PROGRAM_TRAFFIC_MATRIX_H
#define XMPI_PROGRAM_TRAFFIC_MATRIX_H

#include "program/context.h"

/* Gathers it, for the trace and for those who have asked xmpictl. Collective over the world. */
void xmpi_matrix_tell(xmpi_context_t *context);

/* The same at the end of a loop, where the settings ask for it. */
void xmpi_matrix_end(xmpi_context_t *context);

#endif
