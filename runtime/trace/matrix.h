/* SPDX-License-Identifier: BSD-3-Clause
 * Who sends how much to whom, as JSON (docs/trace.md). */
#ifndef XMPI_TRACE_MATRIX_H
#define XMPI_TRACE_MATRIX_H

#include <cjson/cJSON.h>

#include "decide/mapping/traffic.h"

/* So many entries are told, those with most bytes: what a browser, and a connection of xmpictl's,
 * have room for; all of 128 ranks that all talk to one another. */
enum { XMPI_MATRIX_ENTRIES = 1 << 14 };

/* Adds to OBJECT what the event "matrix" has beside its iteration. */
void xmpi_matrix_add(cJSON *object, const xmpi_traffic_t *traffic);

#endif
