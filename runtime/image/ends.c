/* SPDX-License-Identifier: BSD-3-Clause
 * What the program wants to be done at its end: it ends in another process than the one in which it
 * has said so. */
#include <stddef.h>
#include <stdlib.h>

#include "image/memory/memory.h"
#include "xmpi_gen.h"

typedef struct end {
    struct end *before;
    void (*plain)(void); /* of one kind: the others are NULL */
    void (*with_argument)(void *);
    void (*with_status)(int, void *);
    void *argument;
} end_t;

static end_t *last;

_Noreturn void __real_exit(int status);

static int add(end_t end)
{
    end_t *made = __wrap_malloc(sizeof *made);
    if (made == NULL)
        return -1;
    end.before = last;
    *made = end;
    last = made;
    return 0;
}

int __wrap_atexit(void (*function)(void))
{
    return add((end_t){.plain = function});
}

int __wrap___cxa_atexit(void (*function)(void *), void *argument, void *library)
{
    (void)library;
    return add((end_t){.with_argument = function, .argument = argument});
}

int __wrap_on_exit(void (*function)(int, void *), void *argument)
{
    return add((end_t){.with_status = function, .argument = argument});
}

_Noreturn void __wrap_exit(int status)
{
    xmpi_gen_ends(status);
    while (last != NULL) {
        end_t end = *last;
        last = end.before;
        if (end.plain != NULL)
            end.plain();
        if (end.with_argument != NULL)
            end.with_argument(end.argument);
        if (end.with_status != NULL)
            end.with_status(status, end.argument);
    }
    __real_exit(status);
}
