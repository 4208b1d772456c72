/* SPDX-License-Identifier: BSD-3-Clause
 * The processing elements of the program. */
#define _POSIX_C_SOURCE 200809L
#include "files/machine_file.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/size_text.h"
#include "files/lines.h"

enum { COST = 3, SWITCHES, MEMORY, BANDWIDTH, LATENCY, FIELDS_MAX };

/* Names in the order in which they came; malloc. */
typedef struct {
    int names;
    char **name;
} names_t;

typedef struct {
    const char *path;
    xmpi_resources_t *resources;
    names_t hosts;                       /* also those without a PE */
    names_t switches[XMPI_SWITCHES_MAX]; /* of each level, by the way that leads to them */
} reader_t;

/* Its number from 0, added when it is new; -1 when there is no memory. */
static int number_of(names_t *names, const char *name)
{
    for (int i = 0; i < names->names; i++)
        if (strcmp(names->name[i], name) == 0)
            return i;
    char **grown = realloc(names->name, ((size_t)names->names + 1) * sizeof *grown);
    if (grown == NULL)
        return -1;
    names->name = grown;
    grown[names->names] = strdup(name);
    return grown[names->names] != NULL ? names->names++ : -1;
}

static void names_free(names_t *names)
{
    for (int i = 0; i < names->names; i++)
        free(names->name[i]);
    free(names->name);
}

/* A number >= 0. */
static bool parse_number(const char *text, double *number)
{
    char *end;
    errno = 0;
    *number = strtod(text, &end);
    return *text != '\0' && *end == '\0' && errno == 0 && isfinite(*number) && *number >= 0;
}

/* Also one field more than there may be. */
static int split(char *text, char *field[FIELDS_MAX + 1])
{
    int fields = 0;
    text += strspn(text, " \t");
    for (char *end = text + strlen(text); end > text && strchr(" \t", end[-1]) != NULL;)
        *--end = '\0';
    for (char *colon = text; colon != NULL && fields <= FIELDS_MAX; fields++) {
        field[fields] = colon;
        colon = strchr(colon, ':');
        if (colon != NULL)
            *colon++ = '\0';
    }
    return fields;
}

static xmpi_status_t parse_names(reader_t *reader, char *const *field, int line, xmpi_pe_t *pe,
                                 xmpi_error_t *error)
{
    if (field[0][0] == '\0' || strlen(field[0]) >= XMPI_NAME_MAX)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s:%d: a host name has from 1 to %d characters", reader->path, line,
                              XMPI_NAME_MAX - 1);
    if (field[1][0] == '\0' || strlen(field[1]) >= XMPI_NAME_MAX || strcmp(field[1], "any") == 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s:%d: \"%.40s\" cannot be the name of a processor class",
                              reader->path, line, field[1]);
    int hosts = reader->hosts.names, host = number_of(&reader->hosts, field[0]);
    if (host < 0)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "%s: no memory", reader->path);
    if (host < hosts)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s:%d: host %s stands there twice",
                              reader->path, line, field[0]);
    strcpy(pe->node, field[0]);
    pe->class_index = xmpi_resources_enter(reader->resources, field[1]);
    if (pe->class_index < 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s:%d: more than %d processor classes",
                              reader->path, line, XMPI_CLASSES_MAX);
    return XMPI_OK;
}

/* "rack1/switch2": from the outermost on. */
static xmpi_status_t parse_switches(reader_t *reader, const char *text, int line, xmpi_pe_t *pe,
                                    xmpi_error_t *error)
{
    char way[XMPI_NAME_MAX * XMPI_SWITCHES_MAX];
    for (int level = 0, end = 0; level == 0 || text[end - 1] == '/'; level++) {
        int length = (int)strcspn(text + end, "/");
        if (level == XMPI_SWITCHES_MAX || length == 0 || length >= XMPI_NAME_MAX)
            return xmpi_error_set(
                error, XMPI_ERR_INPUT,
                "%s:%d: \"%.40s\" are no switches: write up to %d names with / in "
                "between, the outermost first",
                reader->path, line, text, XMPI_SWITCHES_MAX);
        snprintf(way, sizeof way, "%.*s", end + length, text);
        int number = number_of(&reader->switches[level], way);
        if (number < 0 || number >= UINT16_MAX)
            return xmpi_error_set(error, XMPI_ERR_INPUT, "%s:%d: more than %d switches",
                                  reader->path, line, UINT16_MAX - 1);
        pe->switches[level] = (uint16_t)(number + 1);
        end += length;
        end += text[end] == '/';
    }
    return XMPI_OK;
}

/* Memory in MiB, MB per second, and milliseconds. */
static xmpi_status_t parse_disk(const reader_t *reader, char *const *field, int fields, int line,
                                xmpi_pe_t *pe, xmpi_error_t *error)
{
    double memory, bandwidth = 0, latency = 0;
    if (!xmpi_size_parse(field[MEMORY], &memory) || !(memory > 0))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s:%d: \"%.40s\" is no memory (MiB, or with K, M, G or T "
                              "behind it, more than 0)",
                              reader->path, line, field[MEMORY]);
    if (fields <= BANDWIDTH || !parse_number(field[BANDWIDTH], &bandwidth) || bandwidth <= 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s:%d: memory needs the bandwidth of the disk beside it (MB per "
                              "second, more than 0)",
                              reader->path, line);
    if (fields > LATENCY && !parse_number(field[LATENCY], &latency))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s:%d: \"%.40s\" is no latency of a disk (milliseconds, 0 or more)",
                              reader->path, line, field[LATENCY]);
    pe->memory = memory * 1048576;
    pe->disk_bandwidth = bandwidth * 1e6;
    pe->disk_latency = latency * 1e-3;
    return XMPI_OK;
}

static xmpi_status_t parse_line(void *context, char *text, int line, xmpi_error_t *error)
{
    reader_t *reader = context;
    char *field[FIELDS_MAX + 1];
    long long pes = 0;
    xmpi_pe_t pe = {.process = -1};
    int fields = split(text, field);
    if (fields < 3 || fields > FIELDS_MAX)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s:%d: %d field%s; write hostname:procType:numPE[:cost[:switches"
                              "[:memory:bandwidth[:latency]]]]",
                              reader->path, line, fields, fields == 1 ? "" : "s");
    if (!xmpi_parse_whole(field[2], 0, 100000, &pes))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s:%d: \"%.40s\" is no number of processing elements (0 or more)",
                              reader->path, line, field[2]);
    bool free_of_charge = fields > SWITCHES && field[COST][0] == '\0';
    if (fields > COST && !free_of_charge && !parse_number(field[COST], &pe.cost))
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s:%d: \"%.40s\" is no cost (0 or more)",
                              reader->path, line, field[COST]);
    xmpi_status_t status = parse_names(reader, field, line, &pe, error);
    bool one_switch = fields > MEMORY && field[SWITCHES][0] == '\0';
    if (status == XMPI_OK && fields > SWITCHES && !one_switch)
        status = parse_switches(reader, field[SWITCHES], line, &pe, error);
    if (status == XMPI_OK && fields > MEMORY)
        status = parse_disk(reader, field, fields, line, &pe, error);
    return status == XMPI_OK ? xmpi_resources_add(reader->resources, &pe, (int)pes) : status;
}

xmpi_status_t xmpi_machines_read(const char *path, xmpi_resources_t *resources, xmpi_error_t *error)
{
    reader_t reader = {.path = path, .resources = resources};
    memset(resources, 0, sizeof *resources);
    xmpi_status_t status = xmpi_lines_each(path, &reader, parse_line, error);
    if (status == XMPI_OK && resources->pes == 0)
        status = xmpi_error_set(error, XMPI_ERR_INPUT,
                                reader.hosts.names == 0 ? "%s: no host in the machine file"
                                                        : "%s: no host has a processing element",
                                path);
    names_free(&reader.hosts);
    for (int i = 0; i < XMPI_SWITCHES_MAX; i++)
        names_free(&reader.switches[i]);
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
    return xmpi_resources_add(resources, &pe, 1);
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
        return xmpi_resources_add(resources, &more, 1) == XMPI_OK
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
