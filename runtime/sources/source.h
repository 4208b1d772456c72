/* SPDX-License-Identifier: BSD-3-Clause
 * Sources of processing elements: who says which nodes the program may use. A new one is one file,
 * NAME.c with one xmpi_source_t, and a line for it here and in sources.c. */
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

    /* What lists the nodes, for messages; static, or of the settings. NULL: the name says that. */
    const char *(*list)(const xmpi_settings_t *settings);

    /* Whether this is the source of a run with these settings. The first that is, is taken. */
    bool (*applies)(const xmpi_settings_t *settings);

    /* Whether it can tell anything: asked once, at the first process, before all else; may take
     * time. NULL: it always can. */
    xmpi_status_t (*begin)(const xmpi_settings_t *settings, xmpi_error_t *error);

    /* All PEs that the program may use at present, in RESOURCES (empty before): nodes, classes,
     * costs, no processes. Those that are to be left by a time of which the source knows are
     * withdrawn, and have it as their deadline; so they need not be listed to be left. One line in
     * ERROR when it cannot be told. */
    xmpi_status_t (*read)(const xmpi_settings_t *settings, xmpi_resources_t *resources,
                          xmpi_error_t *error);

    /* Something that is another when the answer of read() may be: cheap, asked at the end of every
     * sampling interval. MARK has what it was before, and stays where nothing is known yet. NULL:
     * nothing ever changes. */
    void (*mark)(const xmpi_settings_t *settings, xmpi_source_mark_t *mark);

    /* Three requests, none of which waits: what comes of them, if anything, changes the mark. NULL,
     * all of them, where there is nobody to ask. For PES more; those of nodes that nobody uses and
     * nobody waits for (IDLE), up to as many, whenever there are. */
    xmpi_status_t (*ask)(int pes, bool idle, xmpi_error_t *error);
    /* The program has no process on NODE and will not go there before it is listed anew. */
    xmpi_status_t (*give_back)(const char *node, xmpi_error_t *error);
    /* This process does not lead any more; or the program has ENDED. */
    void (*leave)(bool ended);

    /* What the nodes are of, by the name that who has given them knows it by; static. NULL: nobody
     * gives any. */
    const char *(*allocation)(void);
} xmpi_source_t;

extern const xmpi_source_t xmpi_source_machine_file;
extern const xmpi_source_t xmpi_source_slurm;
extern const xmpi_source_t xmpi_source_local_machine;

#endif
