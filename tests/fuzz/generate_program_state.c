/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that name the state of their loop, and start over with another number of processes. */
#include <string.h>

#include "fuzz/generate_program.h"

static void append(program_t *p, const char *text)
{
    size_t length = strlen(p->clause);
    snprintf(p->clause + length, sizeof p->clause - length, "%s%s", length > 0 ? ", " : " state(",
             text);
}

static void name_rows(program_t *p, const array_t *a)
{
    bool elements = a->columns > 1 && (a->access < POINTER_TO_ROWS || a->access == ROW_POINTERS);
    const char *at = a->storage == WITH_GHOSTS ? with(" at %d", a->ghosts)
                     : a->storage == ALL_ROWS  ? " at ($FIRST) halo $n"
                                               : "";
    append(p, with("rows(($%s)[$n]%s from ($FIRST), ($COUNT)%s)", a->name,
                   elements ? "[COLUMNS]" : "", at));
}

static bool is_array(const program_t *p, const char *name)
{
    for (size_t i = 0; i < p->arrays; i++)
        if (strcmp(p->array[i].name, name) == 0)
            return true;
    return false;
}

/* A number, or an array of numbers that says how large it is. */
static bool is_value(const variable_t *variable)
{
    const char *type = variable->declarator;
    return strncmp(type, "MPI_", 4) != 0 && strchr(type, '*') == NULL;
}

/* Not an array of rows, nor made by the start: how large it is nobody knows here. */
static bool is_nameless(const program_t *p, const variable_t *variable)
{
    const char *name = variable->name;
    return strchr(variable->declarator, '*') != NULL && !is_array(p, name) &&
           strstr(name, "_block") == NULL && strncmp(name, "buffer", 6) != 0;
}

/* "[n]" of an array of fixed size: where it is a parameter, it is a pointer. */
static const char *length_of(const variable_t *variable)
{
    const char *bracket = strchr(variable->declarator, '[');
    return bracket != NULL ? bracket : "";
}

void name_state(program_t *p)
{
    bool own_counter = false;
    for (size_t i = 0; i < p->variables; i++) {
        const variable_t *variable = &p->variable[i];
        if (variable->part == 'd' && is_nameless(p, variable))
            return;
        own_counter = own_counter || strcmp(variable->name, "k") == 0;
    }
    for (size_t i = 0; i < p->arrays; i++)
        name_rows(p, &p->array[i]);
    for (size_t i = 0; i < p->variables; i++) {
        const variable_t *variable = &p->variable[i];
        if (variable->part == 'd' && is_value(variable) && !is_array(p, variable->name) &&
            strcmp(variable->name, "k") != 0)
            append(p, with("same($%s%s)", variable->name, length_of(variable)));
    }
    bool declared = pick(p, 4, "loop.kind") == 3;
    append(p, own_counter && !declared ? "same($k)" : "same(k)");
    strcat(p->clause, ")");
}
