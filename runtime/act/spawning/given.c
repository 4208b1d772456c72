/* SPDX-License-Identifier: BSD-3-Clause
 * Given: variables of the environment that mpiexec was told to give to the program. */
#define _GNU_SOURCE
#include "act/spawning/given.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/machine/process.h"

/* The environment that process PID was started with, each variable with its NUL; malloc, or NULL.
 */
static char *environment_of(int pid, size_t *size)
{
    char path[64], *text = NULL;
    size_t room = 0, got = 1;
    snprintf(path, sizeof path, "/proc/%d/environ", pid);
    FILE *file = fopen(path, "re");
    for (*size = 0; file != NULL && got > 0; *size += got) {
        if (*size + 4096 > room) {
            char *grown = realloc(text, room = 2 * room + 16384);
            if (grown == NULL)
                break;
            text = grown;
        }
        got = fread(text + *size, 1, 4095, file);
        text[*size + got] = '\0';
    }
    if (file != NULL)
        fclose(file);
    return text;
}

static bool has(const char *environment, size_t size, const char *variable)
{
    for (size_t at = 0; at < size; at += strlen(environment + at) + 1)
        if (strcmp(environment + at, variable) == 0)
            return true;
    return false;
}

/* What the process manager tells each process, and what a node may be told. */
static bool is_own(const char *variable)
{
    static const char *const names[] = {
        "PMI",          "HYD",  "MPI_LOCAL", "MPIR_",  "MPIEXEC", "XMPI_NODE=",
        "XMPI_SPAWNED", "PWD=", "OLDPWD=",   "SHLVL=", "_=",      "GFORTRAN_UNBUFFERED"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(variable, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* The parent of this process's proxy, if it is an mpiexec; else 0. */
static int find_mpiexec(void)
{
    char name[64];
    int mpiexec, above;
    if (!xmpi_process_stat(getppid(), name, &mpiexec) || strcmp(name, "hydra_pmi_proxy") != 0 ||
        !xmpi_process_stat(mpiexec, name, &above) || strncmp(name, "mpiexec", 7) != 0)
        return 0;
    return mpiexec;
}

/* All in ours, which is kept, that THEIRS has not. */
static void compare(const char *theirs, size_t their_size, char *ours, size_t size, char **given)
{
    int n = 0;
    for (char *at = ours; at < ours + size; at += strlen(at) + 1)
        if (strchr(at, '=') != NULL && !is_own(at) && !has(theirs, their_size, at))
            given[n++] = at;
}

char **xmpi_given_variables(void)
{
    static char **given, *ours; /* kept: those that are given are in it */
    size_t their_size = 0, size = 0;
    int mpiexec = given == NULL ? find_mpiexec() : 0;
    char *theirs = mpiexec > 0 ? environment_of(mpiexec, &their_size) : NULL;
    if (theirs != NULL && their_size > 0)
        ours = environment_of(getpid(), &size);
    if (given == NULL)
        given = calloc(size / 2 + 1, sizeof *given);
    if (given != NULL && theirs != NULL && ours != NULL)
        compare(theirs, their_size, ours, size, given);
    free(theirs);
    return given;
}
