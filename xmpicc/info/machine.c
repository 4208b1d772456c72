/* SPDX-License-Identifier: BSD-3-Clause
 * Counters, nodes, calibration. */
#define _GNU_SOURCE
#include <papi.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "info.h"
#include "files/machine_file.h"
#include "files/calibration_file.h"

static const struct {
    int code;
    const char *name;
} presets[] = {
    {PAPI_FP_OPS, "PAPI_FP_OPS"},   {PAPI_DP_OPS, "PAPI_DP_OPS"},   {PAPI_SP_OPS, "PAPI_SP_OPS"},
    {PAPI_TOT_INS, "PAPI_TOT_INS"}, {PAPI_TOT_CYC, "PAPI_TOT_CYC"},
};

void info_counters(void)
{
    printf("Counters\n");
    if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT) {
        printf("  PAPI cannot be started: work is counted as the program registers it\n");
        return;
    }
    int hardware = PAPI_num_hwctrs(), found = 0;
    printf("  PAPI %d.%d.%d, %d counters of the hardware\n", PAPI_VERSION_MAJOR(PAPI_VERSION),
           PAPI_VERSION_MINOR(PAPI_VERSION), PAPI_VERSION_REVISION(PAPI_VERSION),
           hardware > 0 ? hardware : 0);
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        if (PAPI_query_event(presets[i].code) == PAPI_OK) {
            printf("  %s\n", presets[i].name);
            found++;
        }
    if (found == 0)
        printf("  no preset is there: work is counted as the program registers it (sde:::xmpi)\n");
}

static int count(hwloc_topology_t topology, hwloc_obj_type_t type)
{
    int n = hwloc_get_nbobjs_by_type(topology, type);
    return n > 0 ? n : 0;
}

static void print_local(void)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return;
    if (hwloc_topology_load(topology) == 0) {
        hwloc_obj_t root = hwloc_get_root_obj(topology);
        printf("  here: %d packages, %d cores, %d processing units, %.1f GiB\n",
               count(topology, HWLOC_OBJ_PACKAGE), count(topology, HWLOC_OBJ_CORE),
               count(topology, HWLOC_OBJ_PU),
               (double)root->total_memory / (1024.0 * 1024.0 * 1024.0));
    }
    hwloc_topology_destroy(topology);
}

static void print_listed(const char *path)
{
    xmpi_resources_t resources;
    xmpi_error_t error;
    if (xmpi_machines_read(path, &resources, &error) != XMPI_OK) {
        printf("  %s\n", error.text);
        return;
    }
    for (int i = 0, n; i < resources.pes; i += n) {
        const xmpi_pe_t *pe = &resources.pe[i];
        for (n = 1; i + n < resources.pes && strcmp(pe->node, pe[n].node) == 0;)
            n++;
        printf("  %-16s class %-10s %d processing elements, cost %.4g per hour\n", pe->node,
               resources.class_name[pe->class_index], n, pe->cost);
    }
    xmpi_resources_free(&resources);
}

void info_nodes(void)
{
    const char *machines = getenv("XMPI_MACHINES");
    printf("Nodes\n");
    print_local();
    if (machines != NULL && machines[0] != '\0')
        print_listed(machines);
    else
        printf("  no machine file (XMPI_MACHINES): the processing units here are used\n");
}

/* As a run does that finds it. */
static void judge(const char *path)
{
    xmpi_calibration_t calibration;
    xmpi_machine_t machine;
    xmpi_error_t error;
    const char *version = info_mpi_version();
    xmpi_machine_here(&machine, version);
    if (xmpi_calibration_read(path, version[0] != '\0' ? &machine : NULL, &calibration, &error) !=
        XMPI_OK)
        printf("  runs ignore it: %s\n", error.text);
    else if (version[0] == '\0')
        printf(
            "  it can be read; whether it is of this MPI cannot be told, as that did not answer\n");
    else
        printf("  valid: it is of this machine and this MPI\n");
}

void info_calibration(void)
{
    const char *chosen = getenv("XMPI_CALIBRATION");
    char path[4096], day[32] = "";
    struct stat file;
    printf("Calibration\n");
    if (chosen != NULL && chosen[0] != '\0')
        snprintf(path, sizeof path, "%.4000s", chosen);
    else
        xmpi_calibration_path(path, sizeof path);
    if (path[0] == '\0' || stat(path, &file) != 0) {
        printf("  none: every run measures a short form; xmpi-calibrate makes one\n");
        return;
    }
    strftime(day, sizeof day, "%Y-%m-%d %H:%M", localtime(&file.st_mtime));
    printf("  %s, of %s\n", path, day);
    judge(path);
}
