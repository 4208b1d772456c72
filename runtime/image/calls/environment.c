/* SPDX-License-Identifier: BSD-3-Clause
 * The environment, which the program has in its own memory. */
#define _GNU_SOURCE
#include "image/calls/environment.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image/memory/arena.h"
#include "image/memory/memory.h"

static bool is_own(const void *memory)
{
    return xmpi_heap_has(&xmpi_arena()->heap, memory);
}

static size_t count(void)
{
    size_t n = 0;
    while (environ != NULL && environ[n] != NULL)
        n++;
    return n;
}

/* With room for MORE; false: no memory. */
static bool copy(size_t more)
{
    size_t n = count();
    char **made = __wrap_malloc((n + more + 1) * sizeof *made);
    if (made == NULL)
        return false;
    if (n > 0)
        memcpy(made, environ, n * sizeof *made);
    made[n] = NULL;
    if (environ != NULL && is_own(environ))
        __wrap_free(environ);
    environ = made;
    return true;
}

bool xmpi_environment_own(void)
{
    bool all = (environ != NULL && is_own(environ)) || copy(0);
    for (size_t i = 0; all && environ[i] != NULL; i++)
        if (!is_own(environ[i])) {
            char *text = __wrap_strdup(environ[i]);
            all = text != NULL;
            environ[i] = all ? text : environ[i];
        }
    return all;
}

/* Where NAME, of LENGTH, is; NULL: nowhere. */
static char **find(const char *name, size_t length)
{
    for (char **at = environ; at != NULL && *at != NULL; at++)
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=')
            return at;
    return NULL;
}

/* TEXT, "NAME=...", is the entry of its name. */
static int put(char *text, size_t length)
{
    char **at = find(text, length);
    if (at == NULL) {
        size_t n = count();
        if (!copy(1))
            return -1;
        at = &environ[n];
        at[1] = NULL;
    }
    *at = text;
    return 0;
}

int __wrap_setenv(const char *name, const char *value, int replace)
{
    size_t length = name != NULL ? strlen(name) : 0;
    if (length == 0 || strchr(name, '=') != NULL) {
        errno = EINVAL;
        return -1;
    }
    if (!replace && find(name, length) != NULL)
        return 0;
    char *text = __wrap_malloc(length + strlen(value) + 2);
    if (text == NULL)
        return -1;
    memcpy(text, name, length);
    text[length] = '=';
    strcpy(text + length + 1, value);
    return put(text, length);
}

int __wrap_unsetenv(const char *name)
{
    size_t length = name != NULL ? strlen(name) : 0;
    if (length == 0 || strchr(name, '=') != NULL) {
        errno = EINVAL;
        return -1;
    }
    for (char **at; (at = find(name, length)) != NULL;)
        do
            at[0] = at[1];
        while (*at++ != NULL);
    return 0;
}

int __wrap_putenv(char *text)
{
    const char *equals = strchr(text, '=');
    return equals == NULL ? __wrap_unsetenv(text) : put(text, (size_t)(equals - text));
}

int __wrap_clearenv(void)
{
    environ = NULL;
    return 0;
}
