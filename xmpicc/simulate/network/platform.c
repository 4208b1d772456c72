/* SPDX-License-Identifier: BSD-3-Clause
 * What a platform file says. SimGrid has one platform in a process, and ends it where it finds a
 * file too strange: so another process reads it. */
#define _GNU_SOURCE
#include "simulate/network/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Speeds and links that a file lets change: messages and computation are simulated as if they did
 * not. */
static const char *const changing[] = {"speed_file",   "availability_file", "state_file",
                                       "latency_file", "bandwidth_file",    "trace_connect"};

static xmpi_status_t look(const char *path, xmpi_error_t *error)
{
    char *text = NULL;
    size_t size = 0;
    const char *found = NULL;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%.300s: %s", path, strerror(errno));
    while (found == NULL && getline(&text, &size, file) >= 0)
        for (size_t i = 0; i < sizeof changing / sizeof *changing; i++)
            found = strstr(text, changing[i]) != NULL ? changing[i] : found;
    bool failed = ferror(file) != 0;
    free(text);
    fclose(file);
    if (failed)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%.300s: it cannot be read", path);
    return found == NULL
               ? XMPI_OK
               : xmpi_error_set(error, XMPI_ERR_INPUT,
                                "%.300s: %s: a platform that changes is not simulated; say loads "
                                "by load.file",
                                path, found);
}

/* --- from one process to the other -------------------------------------------------------------
 */

/* What comes first; then the speeds. */
typedef struct {
    xmpi_status_t status;
    xmpi_error_t error;
    sim_platform_t platform; /* without speeds */
} answer_t;

static bool put(FILE *file, const void *data, size_t size)
{
    return fwrite(data, size, 1, file) == 1;
}

_Noreturn static void read_and_tell(const char *path, int to)
{
    answer_t answer = {.status = XMPI_ERR_INPUT};
    FILE *file = fdopen(to, "w");
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing >= 0)
        dup2(nothing, STDERR_FILENO);
    answer.status = sim_network_read(path, &answer.platform, &answer.error);
    double *speed = answer.platform.speed;
    answer.platform.speed = NULL;
    bool told = file != NULL && put(file, &answer, sizeof answer) &&
                (answer.status != XMPI_OK ||
                 put(file, speed, (size_t)answer.platform.nodes * sizeof *speed)) &&
                fflush(file) == 0;
    _exit(told ? 0 : 1);
}

static xmpi_status_t hear(const char *path, FILE *file, sim_platform_t *platform,
                          xmpi_error_t *error)
{
    answer_t answer;
    if (fread(&answer, sizeof answer, 1, file) != 1)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%.300s: SimGrid does not take it for a platform", path);
    if (answer.status != XMPI_OK)
        return xmpi_error_set(error, answer.status, "%.200s: %.300s", path, answer.error.text);
    size_t nodes = (size_t)answer.platform.nodes;
    *platform = answer.platform;
    platform->speed = malloc(nodes * sizeof *platform->speed);
    if (platform->speed == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "%.300s: no memory for it", path);
    return fread(platform->speed, sizeof *platform->speed, nodes, file) == nodes
               ? XMPI_OK
               : xmpi_error_set(error, XMPI_ERR_PROCESS, "%.300s: not all was told", path);
}

xmpi_status_t sim_platform_read(const char *path, sim_platform_t *platform, xmpi_error_t *error)
{
    int ends[2];
    *platform = (sim_platform_t){.nodes = 0};
    xmpi_status_t status = look(path, error);
    if (status != XMPI_OK)
        return status;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return xmpi_error_set(error, XMPI_ERR_PROCESS, "pipe: %s", strerror(errno));
    pid_t process = fork();
    if (process == 0)
        read_and_tell(path, ends[1]);
    close(ends[1]);
    FILE *file = fdopen(ends[0], "r");
    status = process > 0 && file != NULL
                 ? hear(path, file, platform, error)
                 : xmpi_error_set(error, XMPI_ERR_PROCESS, "fork: %s", strerror(errno));
    if (file != NULL)
        fclose(file);
    else
        close(ends[0]);
    while (process > 0 && waitpid(process, NULL, 0) < 0 && errno == EINTR)
        ;
    return status;
}

void sim_platform_free(sim_platform_t *platform)
{
    free(platform->speed);
    *platform = (sim_platform_t){.nodes = 0};
}
