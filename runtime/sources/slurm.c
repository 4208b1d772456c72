/* SPDX-License-Identifier: BSD-3-Clause
 * Slurm as a source of processing elements: the nodes of the job's allocation, and of further jobs
 * of one node each that it has asked for. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/machine_file.h"
#include "files/topology_file.h"
#include "sources/slurm_helper.h"
#include "sources/source.h"

static bool applies(const xmpi_settings_t *settings)
{
    const char *job = getenv("SLURM_JOB_ID");
    return settings->slurm != XMPI_SLURM_OFF && job != NULL && job[0] != '\0';
}

static xmpi_status_t begin(const xmpi_settings_t *settings, xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_slurm_helper_start(settings, error);
    return status == XMPI_OK ? xmpi_slurm_helper_wait(settings, error) : status;
}

/* A leader that cannot have a helper goes on with what is known; nothing new comes. */
static void mark(const xmpi_settings_t *settings, xmpi_source_mark_t *mark)
{
    xmpi_error_t error;
    if (xmpi_slurm_helper_start(settings, &error) != XMPI_OK) {
        static bool said;
        if (!said)
            fprintf(stderr, "xmpi: warning: %s; nodes neither come nor are given back\n",
                    error.text);
        said = true;
    }
    long long numbers[] = {xmpi_slurm_helper_answers(), getpid()};
    if (numbers[0] == 0)
        return; /* as it was: the helper of a new leader has not looked yet */
    memset(mark, 0, sizeof *mark);
    memcpy(mark->bytes, numbers, sizeof numbers);
}

static xmpi_status_t read_nodes(const xmpi_settings_t *settings, xmpi_resources_t *resources,
                                xmpi_error_t *error)
{
    char path[XMPI_PATH_MAX];
    bool given = settings->topology[0] != '\0';
    xmpi_status_t status = xmpi_slurm_helper_read(resources, !given, error);
    if (status != XMPI_OK || !given)
        return status;
    xmpi_settings_path(settings, settings->topology, path);
    status = xmpi_topology_read(path, resources, error);
    if (status != XMPI_OK)
        xmpi_resources_free(resources);
    return status;
}

/* A process on a node that was asked for is in a job of its own (xmpicc/slurm/xmpi-slurm). */
static const char *allocation(void)
{
    const char *main_job = getenv("SLURM_XMPI_JOB"), *job = getenv("SLURM_JOB_ID");
    return main_job != NULL ? main_job : job != NULL ? job : "";
}

const xmpi_source_t xmpi_source_slurm = {.name = "slurm",
                                         .lists_nodes = true,
                                         .applies = applies,
                                         .begin = begin,
                                         .read = read_nodes,
                                         .mark = mark,
                                         .ask = xmpi_slurm_helper_ask,
                                         .give_back = xmpi_slurm_helper_give_back,
                                         .leave = xmpi_slurm_helper_leave,
                                         .allocation = allocation};
