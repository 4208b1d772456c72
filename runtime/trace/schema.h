/* SPDX-License-Identifier: BSD-3-Clause
 * The version of the trace's schema (docs/trace.md), for who writes traces and who reads them. */
#ifndef XMPI_TRACE_SCHEMA_H
#define XMPI_TRACE_SCHEMA_H

/* A reader understands every version up to its own. New fields and events do not change it. */
enum { XMPI_TRACE_VERSION = 1 };

#endif
