/* SPDX-License-Identifier: BSD-3-Clause
 * What files tell of a program, and of a platform, becomes values of a scenario. */
#include "simulate/scenario/apply.h"

#include <string.h>

#include "files/profile_file.h"
#include "simulate/network/platform.h"
#include "simulate/scenario/recorded.h"

const char *const sim_recorded_keys[] = {"active",  "iterations",    "rows",  "work",
                                         "pattern", "bytes",         "sums",  "sums.bytes",
                                         "gathers", "gathers.bytes", "state", NULL};

/* The files that were read last: a scenario asks for the same ones again and again. */
static char trace_path[SIM_TEXT_MAX], profile_path[SIM_TEXT_MAX], platform_path[SIM_TEXT_MAX];
static sim_platform_t platform;
static sim_recorded_t trace;
static xmpi_profile_t profile;

static xmpi_status_t read_trace(const char *path, xmpi_error_t *error)
{
    if (strcmp(path, trace_path) == 0)
        return XMPI_OK;
    sim_recorded_free(&trace);
    trace_path[0] = '\0';
    xmpi_status_t status = sim_recorded_read(path, &trace, error);
    if (status == XMPI_OK)
        strcpy(trace_path, path);
    return status;
}

static xmpi_status_t read_profile(const char *path, xmpi_error_t *error)
{
    if (strcmp(path, profile_path) == 0)
        return XMPI_OK;
    xmpi_profile_free(&profile);
    profile_path[0] = '\0';
    xmpi_status_t status = xmpi_profile_read(path, &profile, error);
    if (status == XMPI_OK)
        strcpy(profile_path, path);
    return status;
}

static void set(sim_values_t *values, const bool *said, const char *key, double number)
{
    if (!said[sim_values_find(key)])
        sim_values_set_number(values, key, number);
}

static xmpi_status_t apply_trace(sim_values_t *values, const bool *said, xmpi_error_t *error)
{
    double speed = values->from_speed > 0 ? values->from_speed : values->speed;
    set(values, said, "active", trace.active);
    set(values, said, "iterations", (double)trace.iterations);
    set(values, said, "rows", (double)trace.rows);
    set(values, said, "work", trace.seconds * speed);
    set(values, said, "bytes", trace.neighbours > 0 ? trace.neighbours : trace.others);
    set(values, said, "sums", trace.sums);
    set(values, said, "sums.bytes", trace.sum_bytes);
    set(values, said, "gathers", trace.gathers);
    set(values, said, "gathers.bytes", trace.gather_bytes);
    set(values, said, "state", trace.state / (double)values->active);
    if (!said[sim_values_find("pattern")])
        values->pattern = trace.neighbours > 0 ? SIM_PATTERN_HALO
                          : trace.others > 0   ? SIM_PATTERN_ALL
                                               : SIM_PATTERN_NONE;
    values->profile = &trace.profile;
    return trace.state > 0 || said[sim_values_find("state")]
               ? XMPI_OK
               : xmpi_error_set(error, XMPI_ERR_INPUT,
                                "%.300s does not tell how much there is to move: say state",
                                values->from);
}

xmpi_status_t sim_recorded_apply(sim_values_t *values, const bool *said, xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    values->profile = NULL;
    if (values->from[0] != '\0')
        status = read_trace(values->from, error);
    if (status == XMPI_OK && values->from[0] != '\0')
        status = apply_trace(values, said, error);
    if (status != XMPI_OK || values->profile_file[0] == '\0')
        return status;
    status = read_profile(values->profile_file, error);
    if (status != XMPI_OK)
        return status;
    int64_t last = profile.point[profile.points - 1].iteration;
    if (values->from[0] != '\0')
        return xmpi_error_set(error, XMPI_ERR_INPUT, "from and profile both say where the work is");
    set(values, said, "iterations", (double)last);
    set(values, said, "work", xmpi_profile_work(&profile, 0, last) / (double)last);
    values->profile = &profile;
    return XMPI_OK;
}

static xmpi_status_t read_platform(const char *path, xmpi_error_t *error)
{
    if (strcmp(path, platform_path) == 0)
        return XMPI_OK;
    sim_platform_free(&platform);
    platform_path[0] = '\0';
    xmpi_status_t status = sim_platform_read(path, &platform, error);
    if (status == XMPI_OK)
        strcpy(platform_path, path);
    return status;
}

xmpi_status_t sim_platform_apply(sim_values_t *values, xmpi_error_t *error)
{
    values->platform = NULL;
    if (values->platform_file[0] == '\0')
        return XMPI_OK;
    xmpi_status_t status = read_platform(values->platform_file, error);
    if (status != XMPI_OK)
        return status;
    double slowest = platform.speed[0];
    for (int i = 1; i < platform.nodes; i++)
        slowest = platform.speed[i] < slowest ? platform.speed[i] : slowest;
    sim_values_set_number(values, "nodes", platform.nodes);
    sim_values_set_number(values, "cores", platform.cores);
    sim_values_set_number(values, "speed", slowest);
    sim_values_set_number(values, "speed.most", 0);
    sim_values_set_number(values, "bandwidth", platform.bandwidth);
    sim_values_set_number(values, "latency", platform.latency);
    values->platform = &platform;
    return XMPI_OK;
}
