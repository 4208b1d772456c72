/* SPDX-License-Identifier: BSD-3-Clause
 * Sources of processing elements: who says which nodes the program may use. A new one (a batch
 * system, say) is one file, NAME.c with one xmpi_source_t, and a line for it here and in
 * sources.c. */
#ifndef XMPI_SOURCES_SOURCE_H
#define XMPI_SOURCES_SOURCE_H

#include "decide/layout/resources.h"
#include "base/status.h"
#include "settings/settings.h"

/* What is to be compared to see whether anything has changed since; any bytes. */
typedef struct {
    char bytes[64];
} xmpi_source_mark_t;

typedef struct {
    const char *name; /* for messages and the trace */
    bool lists_nodes; /* by name; false: it says only how many PEs there are */

    /* Whether this is the source of a run with these settings. The first that is, is taken. */
    bool (*applies)(const xmpi_settings_t *settings);

    /* All PEs that the program may use at present, in RESOURCES (empty before): nodes, classes,
     * costs, no processes. One line in ERROR when it cannot be told. */
    xmpi_status_t (*read)(const xmpi_settings_t *settings, xmpi_resources_t *resources,
                          xmpi_error_t *error);

    /* Something that is another when the answer of read() may be: cheap, asked at the end of every
     * sampling interval. NULL: nothing ever changes. */
    void (*mark)(const xmpi_settings_t *settings, xmpi_source_mark_t *mark);
} xmpi_source_t;

extern const xmpi_source_t xmpi_source_machine_file;
extern const xmpi_source_t xmpi_source_local_machine;

#endif
