/* SPDX-License-Identifier: BSD-3-Clause
 * The machine file as a source of processing elements: it may be edited while the program runs. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <sys/stat.h>

#include "files/machine_file.h"
#include "files/topology_file.h"
#include "sources/source.h"

static bool applies(const xmpi_settings_t *settings)
{
    return settings->machines[0] != '\0';
}

static xmpi_status_t read_file(const xmpi_settings_t *settings, xmpi_resources_t *resources,
                               xmpi_error_t *error)
{
    char path[XMPI_PATH_MAX];
    xmpi_settings_path(settings, settings->machines, path);
    xmpi_status_t status = xmpi_machines_read(path, resources, error);
    if (status != XMPI_OK || settings->topology[0] == '\0')
        return status;
    xmpi_settings_path(settings, settings->topology, path);
    status = xmpi_topology_read(path, resources, error);
    if (status != XMPI_OK)
        xmpi_resources_free(resources);
    return status;
}

static const char *list(const xmpi_settings_t *settings)
{
    return settings->machines;
}

/* A file that an editor has replaced is another one; one that is gone has no mark. */
static void mark(const xmpi_settings_t *settings, xmpi_source_mark_t *mark)
{
    struct stat file;
    char path[XMPI_PATH_MAX];
    xmpi_settings_path(settings, settings->machines, path);
    memset(mark, 0, sizeof *mark);
    if (stat(path, &file) != 0)
        return;
    long long numbers[] = {(long long)file.st_ino,         (long long)file.st_size,
                           (long long)file.st_mtim.tv_sec, (long long)file.st_mtim.tv_nsec,
                           (long long)file.st_ctim.tv_sec, (long long)file.st_ctim.tv_nsec};
    memcpy(mark->bytes, numbers, sizeof numbers);
}

const xmpi_source_t xmpi_source_machine_file = {.name = "machine file",
                                                .lists_nodes = true,
                                                .list = list,
                                                .applies = applies,
                                                .read = read_file,
                                                .mark = mark};
