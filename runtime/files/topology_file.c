/* SPDX-License-Identifier: BSD-3-Clause
 * The switches between nodes, as Slurm lists them (man topology.conf). */
#define _POSIX_C_SOURCE 200809L
#include "files/topology_file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "files/lines.h"

enum { LIST_MOST = 100000, DIGITS_MOST = 9 };

typedef struct {
    char *name, *nodes, *switches; /* malloc; lists, NULL: there is none */
    int line;
    int above; /* the switch that it is behind, -1: none */
} switch_t;

typedef struct {
    const char *path;
    int switches;
    switch_t *one; /* malloc */
    xmpi_resources_t *resources;
    const xmpi_pe_t **by_name; /* PEs by the name of their node; malloc */
    int *leaf;                 /* of each PE: the switch of its node, -1: none; malloc */
    int of, line;              /* the switch whose list is gone through, and its line */
    bool of_nodes;             /* which list that is */
    xmpi_error_t *error;
} reader_t;

/* --- lists of names ------------------------------------------------------------------------------
 */

static xmpi_status_t visit(reader_t *reader, const char *name);

static xmpi_status_t no_list(const reader_t *reader, const char *text)
{
    return xmpi_error_set(reader->error, XMPI_ERR_INPUT,
                          "%s:%d: \"%.60s\" is no list of names, as rack[1-3],n[01-16,20]",
                          reader->path, reader->line, text);
}

static xmpi_status_t expand(reader_t *reader, const char *text, int *left);

/* The names of TEXT with FROM to TO, of WIDTH digits, in the place of its first brackets. */
static xmpi_status_t expand_range(reader_t *reader, const char *text, long from, long to, int width,
                                  int *left)
{
    char name[4 * XMPI_NAME_MAX];
    int before = (int)strcspn(text, "[");
    const char *behind = strchr(text, ']') + 1;
    xmpi_status_t status = XMPI_OK;
    for (long i = from; i <= to && status == XMPI_OK; i++) {
        int length = snprintf(name, sizeof name, "%.*s%0*ld%s", before, text, width, i, behind);
        status = length < (int)sizeof name ? expand(reader, name, left) : no_list(reader, text);
    }
    return status;
}

/* "01" or "01-16"; where it ends, NULL: it is none. */
static const char *read_range(const char *text, long *from, long *to, int *width)
{
    size_t digits = strspn(text, "0123456789");
    *from = *to = digits > 0 && digits <= DIGITS_MOST ? strtol(text, NULL, 10) : -1;
    *width = (int)digits;
    text += digits;
    if (*from < 0 || *text != '-')
        return *from < 0 ? NULL : text;
    digits = strspn(++text, "0123456789");
    *to = digits > 0 && digits <= DIGITS_MOST ? strtol(text, NULL, 10) : -1;
    return *to >= *from ? text + digits : NULL;
}

/* All names of one item of a list, of which there may be LEFT more. */
static xmpi_status_t expand(reader_t *reader, const char *text, int *left)
{
    const char *at = strchr(text, '[');
    if (at == NULL)
        return strchr(text, ']') != NULL || text[0] == '\0' || (*left)-- <= 0
                   ? no_list(reader, text)
                   : visit(reader, text);
    xmpi_status_t status = strchr(at, ']') != NULL ? XMPI_OK : no_list(reader, text);
    for (bool more = true; more && status == XMPI_OK;) {
        long from, to;
        int width;
        at = read_range(at + 1, &from, &to, &width);
        if (at == NULL || (*at != ',' && *at != ']'))
            return no_list(reader, text);
        status = expand_range(reader, text, from, to, width, left);
        more = *at == ',';
    }
    return status;
}

/* Visits all names of LIST, which is changed. */
static xmpi_status_t each_name(reader_t *reader, char *list)
{
    int left = LIST_MOST;
    xmpi_status_t status = XMPI_OK;
    for (char *item = list; item != NULL && status == XMPI_OK;) {
        char *end = item;
        for (bool inside = false; *end != '\0' && (inside || *end != ','); end++)
            inside = *end == '[' || (inside && *end != ']');
        char *next = *end == ',' ? end + 1 : NULL;
        *end = '\0';
        status = expand(reader, item, &left);
        item = next;
    }
    return status;
}

/* --- lines ---------------------------------------------------------------------------------------
 */

/* Takes the value of "KEY=value" in WORD, upper and lower case alike; false: it is another word. */
static bool take(const char *word, const char *key, char **value)
{
    size_t length = strlen(key);
    if (strncasecmp(word, key, length) != 0 || word[length] != '=')
        return false;
    free(*value);
    *value = strdup(word + length + 1);
    return true;
}

static void switch_free(switch_t *one)
{
    free(one->name);
    free(one->nodes);
    free(one->switches);
}

static int find_switch(const reader_t *reader, const char *name)
{
    for (int i = 0; i < reader->switches; i++)
        if (strcmp(reader->one[i].name, name) == 0)
            return i;
    return -1;
}

static xmpi_status_t check_switch(const reader_t *reader, const switch_t *one, xmpi_error_t *error)
{
    if (one->name == NULL || one->name[0] == '\0' || (one->nodes == NULL && one->switches == NULL))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s:%d: write SwitchName=NAME Nodes=LIST or Switches=LIST",
                              reader->path, one->line);
    if (find_switch(reader, one->name) >= 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s:%d: switch %.60s stands there twice",
                              reader->path, one->line, one->name);
    if (reader->switches + 1 >= UINT16_MAX)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s:%d: more than %d switches", reader->path,
                              one->line, UINT16_MAX - 1);
    return XMPI_OK;
}

static xmpi_status_t parse_line(void *context, char *text, int line, xmpi_error_t *error)
{
    reader_t *reader = context;
    switch_t one = {.line = line, .above = -1};
    char *rest = NULL;
    for (char *word = strtok_r(text, " \t", &rest); word != NULL;
         word = strtok_r(NULL, " \t", &rest))
        if (!take(word, "SwitchName", &one.name) && !take(word, "Nodes", &one.nodes))
            take(word, "Switches", &one.switches);
    xmpi_status_t status = check_switch(reader, &one, error);
    switch_t *grown = status == XMPI_OK
                          ? realloc(reader->one, ((size_t)reader->switches + 1) * sizeof *grown)
                          : NULL;
    if (grown == NULL) {
        switch_free(&one);
        return status != XMPI_OK
                   ? status
                   : xmpi_error_set(error, XMPI_ERR_MEMORY, "%s: no memory", reader->path);
    }
    reader->one = grown;
    reader->one[reader->switches++] = one;
    return XMPI_OK;
}

/* --- what is behind what -------------------------------------------------------------------------
 */

static xmpi_status_t two_ways(const reader_t *reader, const char *name)
{
    return xmpi_error_set(reader->error, XMPI_ERR_INPUT,
                          "%s:%d: %.60s is behind another switch, too", reader->path, reader->line,
                          name);
}

static xmpi_status_t visit_switch(reader_t *reader, const char *name)
{
    int below = find_switch(reader, name);
    if (below < 0)
        return xmpi_error_set(reader->error, XMPI_ERR_INPUT,
                              "%s:%d: there is no line of switch %.60s", reader->path, reader->line,
                              name);
    if (reader->one[below].above >= 0)
        return two_ways(reader, name);
    reader->one[below].above = reader->of;
    return XMPI_OK;
}

/* The order of a name and the node of a PE, which may have its domain behind it. */
static int compare(const char *name, const char *node)
{
    size_t length = strlen(name);
    int order = strncmp(name, node, length);
    return order == 0 && node[length] != '\0' && node[length] != '.' ? -1 : order;
}

static xmpi_status_t visit_node(reader_t *reader, const char *name)
{
    const xmpi_resources_t *resources = reader->resources;
    int low = 0, high = resources->pes;
    while (low < high) {
        int middle = (low + high) / 2;
        if (compare(name, reader->by_name[middle]->node) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < resources->pes; low++) {
        int pe = (int)(reader->by_name[low] - resources->pe);
        if (strncmp(name, resources->pe[pe].node, strlen(name)) != 0)
            break;
        if (compare(name, resources->pe[pe].node) != 0)
            continue;
        if (reader->leaf[pe] >= 0)
            return two_ways(reader, name);
        reader->leaf[pe] = reader->of;
    }
    return XMPI_OK;
}

static xmpi_status_t visit(reader_t *reader, const char *name)
{
    return reader->of_nodes ? visit_node(reader, name) : visit_switch(reader, name);
}

static int by_node(const void *a, const void *b)
{
    const xmpi_pe_t *const *x = a, *const *y = b;
    int order = strcmp((*x)->node, (*y)->node);
    return order != 0 ? order : (*x > *y) - (*x < *y);
}

static xmpi_status_t link_all(reader_t *reader)
{
    xmpi_status_t status = XMPI_OK;
    for (int i = 0; i < reader->switches && status == XMPI_OK; i++) {
        switch_t *one = &reader->one[i];
        reader->of = i;
        reader->line = one->line;
        reader->of_nodes = one->switches == NULL;
        status = each_name(reader, reader->of_nodes ? one->nodes : one->switches);
    }
    return status;
}

/* The switches of PE, outermost first. */
static xmpi_status_t set_way(const reader_t *reader, xmpi_pe_t *pe, int leaf)
{
    int levels = 0;
    for (int i = leaf; i >= 0 && levels <= XMPI_SWITCHES_MAX; i = reader->one[i].above)
        levels++;
    if (levels > XMPI_SWITCHES_MAX)
        return xmpi_error_set(reader->error, XMPI_ERR_INPUT,
                              "%s:%d: node %s is behind more than %d switches", reader->path,
                              reader->one[leaf].line, pe->node, XMPI_SWITCHES_MAX);
    for (int i = leaf; i >= 0; i = reader->one[i].above)
        pe->switches[--levels] = (uint16_t)(i + 1);
    return XMPI_OK;
}

static xmpi_status_t prepare(reader_t *reader)
{
    xmpi_resources_t *resources = reader->resources;
    for (int i = 0; i < resources->pes; i++) {
        reader->by_name[i] = &resources->pe[i];
        reader->leaf[i] = -1;
        if (resources->pe[i].switches[0] != 0)
            return xmpi_error_set(reader->error, XMPI_ERR_INPUT,
                                  "%s: the machine file says which switches nodes are behind, too",
                                  reader->path);
    }
    return XMPI_OK;
}

/* FILE is closed. */
static xmpi_status_t read_all(reader_t *reader, FILE *file)
{
    xmpi_resources_t *resources = reader->resources;
    qsort(reader->by_name, (size_t)resources->pes, sizeof *reader->by_name, by_node);
    xmpi_status_t status =
        xmpi_lines_each_of(file, reader->path, reader, parse_line, reader->error);
    if (status == XMPI_OK)
        status = link_all(reader);
    for (int i = 0; i < resources->pes && status == XMPI_OK; i++)
        if (reader->leaf[i] >= 0)
            status = set_way(reader, &resources->pe[i], reader->leaf[i]);
    return status;
}

static xmpi_status_t read_from(FILE *file, const char *path, xmpi_resources_t *resources,
                               xmpi_error_t *error)
{
    size_t pes = (size_t)resources->pes + 1;
    reader_t reader = {.path = path, .resources = resources, .error = error};
    reader.by_name = malloc(pes * sizeof *reader.by_name);
    reader.leaf = malloc(pes * sizeof *reader.leaf);
    xmpi_status_t status = reader.by_name != NULL && reader.leaf != NULL
                               ? prepare(&reader)
                               : xmpi_error_set(error, XMPI_ERR_MEMORY, "%s: no memory", path);
    if (status == XMPI_OK)
        status = read_all(&reader, file);
    else if (file != NULL)
        fclose(file);
    for (int i = 0; i < reader.switches; i++)
        switch_free(&reader.one[i]);
    free(reader.one);
    free(reader.by_name);
    free(reader.leaf);
    return status;
}

xmpi_status_t xmpi_topology_read(const char *path, xmpi_resources_t *resources, xmpi_error_t *error)
{
    return read_from(fopen(path, "r"), path, resources, error);
}

xmpi_status_t xmpi_topology_read_text(const char *text, const char *name,
                                      xmpi_resources_t *resources, xmpi_error_t *error)
{
    size_t length = strlen(text);
    if (length == 0) /* which fmemopen refuses */
        return XMPI_OK;
    return read_from(fmemopen((char *)(uintptr_t)text, length, "r"), name, resources, error);
}
