/* SPDX-License-Identifier: BSD-3-Clause
 * Reading the changes in a trace. */
#define _GNU_SOURCE
#include "calibrate/calibrate.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the trace -------------------------------------------------------------------------------- */

static double number(const cJSON *event, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(event, name);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static int says(const cJSON *event, const char *name, const char *text)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(event, name);
    return cJSON_IsString(item) && strcmp(item->valuestring, text) == 0;
}

static const char *node_of(const cJSON *event, int rank)
{
    const cJSON *layout = cJSON_GetObjectItemCaseSensitive(event, "layout");
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(layout, rank), "node");
    return cJSON_IsString(node) ? node->valuestring : "";
}

static void take_event(const cJSON *event, xmpi_timed_changes_t *changes)
{
    if (says(event, "event", "start"))
        changes->link =
            strcmp(node_of(event, 0), node_of(event, 1)) == 0 ? XMPI_LINK_NODE : XMPI_LINK_NETWORK;
    if (!says(event, "event", "reconfiguration") || !says(event, "outcome", "done") ||
        changes->n == XMPI_TIMED_CHANGES_MAX)
        return;
    changes->change[changes->n++] =
        (xmpi_timed_change_t){.from = (int)number(event, "from"),
                              .to = (int)number(event, "to"),
                              .processes = number(event, "processes"),
                              .redistribution = number(event, "redistribution"),
                              .bytes = number(event, "bytes"),
                              .messages = number(event, "messages")};
}

int changes_read(const char *path, xmpi_timed_changes_t *changes)
{
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    changes->n = 0;
    if (file == NULL)
        return -1;
    while (getline(&line, &room, file) > 0) {
        cJSON *event = cJSON_Parse(line);
        take_event(event, changes);
        cJSON_Delete(event);
    }
    free(line);
    fclose(file);
    return changes->n;
}

void changes_count_worlds(xmpi_timed_changes_t *changes, int members, xmpi_curve_kind_t kind)
{
    int worlds = 0;
    for (int i = 0; i < changes->n; i++) {
        xmpi_timed_change_t *change = &changes->change[i];
        int come = change->to > change->from ? change->to - change->from : 0;
        change->worlds = worlds;
        worlds += kind == XMPI_CURVE_GROUP ? come > 0 : come;
        if (change->to == members)
            worlds = 0;
    }
}
