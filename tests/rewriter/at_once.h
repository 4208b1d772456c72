/* SPDX-License-Identifier: BSD-3-Clause
 * Several long tests at a time, each in a process of its own, whose results are told afterwards. */
#ifndef XMPI_TESTS_AT_ONCE_H
#define XMPI_TESTS_AT_ONCE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/command.h"

enum { AT_ONCE = 3 };

static inline char *at_once_file(const char *folder, const char *name, const char *ending)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s.%s", folder, name, ending) < 0)
        abort();
    return path;
}

/* Starts TEST(NAME) in a process; what it says goes to FOLDER, and a word when it returns 0. */
static inline void at_once_start(const char *folder, char *name, int (*test)(char *))
{
    fflush(NULL);
    if (fork() != 0)
        return;
    char *log = at_once_file(folder, name, "log"), *status = at_once_file(folder, name, "status");
    if (freopen(log, "w", stdout) == NULL || dup2(fileno(stdout), STDERR_FILENO) < 0)
        _exit(1);
    int failed = test(name);
    fflush(NULL);
    if (failed == 0)
        write_file(status, "good");
    _exit(failed);
}

/* Runs TEST for all NAMES, AT_ONCE of them at a time, and waits for them. */
static inline void at_once_run(const char *folder, char *const *names, size_t count,
                               int (*test)(char *))
{
    for (size_t i = 0; i < count; i++) {
        if (i >= AT_ONCE)
            wait(NULL);
        at_once_start(folder, names[i], test);
    }
    while (wait(NULL) > 0)
        ;
}

/* Fails, with what it said, unless the test of NAME went well. */
static inline void at_once_expect(const char *folder, const char *name)
{
    char *log = at_once_file(folder, name, "log"), *status = at_once_file(folder, name, "status");
    bool good = access(status, F_OK) == 0;
    char *said = good ? NULL : read_file(log, NULL);
    if (said != NULL)
        fputs(said, stderr); /* it has results of its own in it, which are not ours */
    assert_true(good);
    free(said);
    free(status);
    free(log);
}

#endif
