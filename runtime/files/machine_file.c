/* SPDX-License-Identifier: BSD-3-Clause
 * The processing elements of the program. */
#define _POSIX_C_SOURCE 200809L
#include "files/machine_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files/lines.h"

typedef struct {
    const char *path;
    xmpi_resources_t *resources;
} reader_t;

static xmpi_status_t add_pe(xmpi_resources_t *resources, const xmpi_pe_t *pe)
{
    xmpi_pe_t *grown = realloc(resources->pe, (size_t)(resources->pes + 1) * sizeof *grown);
    if (grown == NULL)
        return XMPI_ERR_MEMORY;
    resources->pe = grown;
    resources->pe[resources->pes++] = *pe;
    return XMPI_OK;
}

/* Index of the class, added when it is new; -1 when there are too many. */
static int class_of(xmpi_resources_t *resources, const char *name)
{
    int found = xmpi_resources_class(resources, name);
    if (found >= 0)
        return found;
    if (resources->classes == XMPI_CLASSES_MAX)
        return -1;
    strcpy(resources->class_name[resources->classes], name);
    return resources->classes++;
}

static int parse_cost(const char *text, double *cost)
{
    char *end;
    errno = 0;
    *cost = strtod(text, &end);
    return *text != '\0' && *end == '\0' && errno == 0 && isfinite(*cost) && *cost >= 0;
}

static int split(char *text, char *field[5])
{
    int fields = 0;
    text += strspn(text, " \t");
    for (char *end = text + strlen(text); end > text && strchr(" \t", end[-1]) != NULL;)
        *--end = '\0';
    for (char *colon = text; colon != NULL && fields < 5; fields++) {
        field[fields] = colon;
        colon = strchr(colon, ':');
        if (colon != NULL)
            *colon++ = '\0';
    }
    return fields;
}

static xmpi_status_t parse_names(const reader_t *reader, char *const field[5], int line,
                                 xmpi_pe_t *pe, xmpi_error_t *error)
{
    if (field[0][0] == '\0' || strlen(field[0]) >= XMPI_NAME_MAX)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s:%d: a host name has from 1 to %d characters", reader->path, line,
                              XMPI_NAME_MAX - 1);
    if (field[1][0] == '\0' || strlen(field[1]) >= XMPI_NAME_MAX || strcmp(field[1], "any") == 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s:%d: \"%.40s\" cannot be the name of a processor class",
                              reader->path, line, field[1]);
    for (int i = 0; i < reader->resources->pes; i++)
        if (strcmp(reader->resources->pe[i].node, field[0]) == 0)
            return xmpi_error_set(error, XMPI_ERR_INPUT, "%s:%d: host %s stands there twice",
                                  reader->path, line, field[0]);
    strcpy(pe->node, field[0]);
    pe->class_index = class_of(reader->resources, field[1]);
    if (pe->class_index < 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s:%d: more than %d processor classes",
                              reader->path, line, XMPI_CLASSES_MAX);
    return XMPI_OK;
}

static xmpi_status_t parse_line(void *context, char *text, int line, xmpi_error_t *error)
{
    reader_t *reader = context;
    char *field[5];
    long long pes = 0;
    xmpi_pe_t pe = {.process = -1};
    int fields = split(text, field);
    if (fields != 3 && fields != 4)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s:%d: %d fields; write hostname:procType:numPE[:cost]",
                              reader->path, line, fields);
    if (!xmpi_parse_whole(field[2], 1, 100000, &pes))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s:%d: \"%.40s\" is no number of processing elements (1 or more)",
                              reader->path, line, field[2]);
    if (fields == 4 && !parse_cost(field[3], &pe.cost))
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s:%d: \"%.40s\" is no cost (0 or more)",
                              reader->path, line, field[3]);
    xmpi_status_t status = parse_names(reader, field, line, &pe, error);
    for (long long i = 0; i < pes && status == XMPI_OK; i++)
        status = add_pe(reader->resources, &pe);
    return status;
}

xmpi_status_t xmpi_machines_read(const char *path, xmpi_resources_t *resources, xmpi_error_t *error)
{
    reader_t reader = {path, resources};
    memset(resources, 0, sizeof *resources);
    xmpi_status_t status = xmpi_lines_each(path, &reader, parse_line, error);
    if (status == XMPI_OK && resources->pes == 0)
        status = xmpi_error_set(error, XMPI_ERR_INPUT, "%s: no host in the machine file", path);
    if (status != XMPI_OK)
        xmpi_resources_free(resources);
    return status;
}

static xmpi_status_t add_anywhere(xmpi_resources_t *resources, const char *node, int process)
{
    xmpi_pe_t pe = {.process = process};
    strcpy(pe.node, node);
    if (resources->classes == 0)
        strcpy(resources->class_name[resources->classes++], "any");
    return add_pe(resources, &pe);
}

xmpi_status_t xmpi_machines_place(const char *path, xmpi_resources_t *resources, int process,
                                  const char *node, bool share, xmpi_error_t *error)
{
    int listed = 0;
    xmpi_pe_t more = {.shared = true};
    if (path == NULL)
        return add_anywhere(resources, node, process) == XMPI_OK
                   ? XMPI_OK
                   : xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for the list of nodes");
    for (int i = 0; i < resources->pes; i++) {
        if (strcmp(resources->pe[i].node, node) != 0)
            continue;
        if (listed++ == 0)
            more = resources->pe[i];
        if (resources->pe[i].process < 0) {
            resources->pe[i].process = process;
            return XMPI_OK;
        }
    }
    if (listed == 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s: process %d runs on node %s, which is not listed", path, process,
                              node);
    more.process = process;
    more.shared = true;
    if (share)
        return add_pe(resources, &more) == XMPI_OK
                   ? XMPI_OK
                   : xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for the list of nodes");
    return xmpi_error_set(error, XMPI_ERR_INPUT,
                          "%s: process %d runs on node %s, which has only %d processing elements",
                          path, process, node, listed);
}

xmpi_status_t xmpi_machines_fill(xmpi_resources_t *resources, int n)
{
    xmpi_status_t status = XMPI_OK;
    while (resources->pes < n && status == XMPI_OK)
        status = add_anywhere(resources, "", -1);
    return status;
}
