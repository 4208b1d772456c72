/* SPDX-License-Identifier: BSD-3-Clause
 * All sources of processing elements, and which one a run has. */
#ifndef XMPI_SOURCES_SOURCES_H
#define XMPI_SOURCES_SOURCES_H

#include "sources/source.h"

/* That of a run with these settings; there always is one. */
const xmpi_source_t *xmpi_source_of(const xmpi_settings_t *settings);

/* This process does not lead any more, or the program has ENDED. */
void xmpi_source_leave(const xmpi_settings_t *settings, bool ended);

#endif
