/* SPDX-License-Identifier: BSD-3-Clause
 * What a trace can be turned into. All write to an open file and leave it open; the caller finds
 * errors of writing in the file. */
#ifndef XMPI_REPORT_WRITE_H
#define XMPI_REPORT_WRITE_H

#include <stdio.h>

#include "tool/events.h"

/* One self-contained HTML page: the page of the installation with the trace in it. TOOL_MISUSED,
 * and one line, when there is no such page. */
int write_page(const events_t *events, FILE *file);

/* A line for each interval and member. */
int write_csv(const events_t *events, FILE *file);

/* The Trace Event Format of Chrome, which Perfetto opens: a track for each process, one for
 * reconfigurations, counters of members and of the time per iteration. */
int write_chrome(const events_t *events, FILE *file);

/* Every figure of the page as an SVG file in FOLDER, drawn by node. */
int write_svg(const events_t *events, const char *folder);

#endif
