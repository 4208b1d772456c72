/* SPDX-License-Identifier: BSD-3-Clause
 * What came of the runs of a scenario, as a figure. */
#include "simulate/plot.h"

#include <cjson/cJSON.h>

#include "simulate/table.h"
#include "tool/tool.h"

static cJSON *curve_of(const sim_sweep_t *sweep, int technique)
{
    cJSON *curve = cJSON_CreateObject();
    cJSON_AddStringToObject(curve, "name", sweep->scenario->technique[technique].name);
    cJSON *mean = cJSON_AddArrayToObject(curve, "mean");
    cJSON *half = cJSON_AddArrayToObject(curve, "half");
    for (int p = 0; p < sweep->scenario->points; p++) {
        sim_mean_t seconds = sim_mean(sweep, p, technique);
        cJSON_AddItemToArray(mean, cJSON_CreateNumber(seconds.mean));
        cJSON_AddItemToArray(half, cJSON_CreateNumber(seconds.half));
    }
    return curve;
}

int sim_plot(const sim_sweep_t *sweep, const char *path)
{
    const sim_scenario_t *scenario = sweep->scenario;
    cJSON *found = cJSON_CreateObject();
    cJSON_AddStringToObject(found, "title", scenario->title);
    cJSON_AddStringToObject(found, "axis",
                            scenario->axis[0] != '\0' ? scenario->axis : scenario->varied);
    cJSON *points = cJSON_AddArrayToObject(found, "points");
    for (int p = 0; p < scenario->points; p++)
        cJSON_AddItemToArray(points, cJSON_CreateString(scenario->point[p]));
    cJSON *curves = cJSON_AddArrayToObject(found, "curves");
    for (int t = 0; t < scenario->techniques; t++)
        cJSON_AddItemToArray(curves, curve_of(sweep, t));
    char *json = cJSON_PrintUnformatted(found);
    int status = json != NULL ? tool_node("simulate-svg.mjs", path, json)
                              : tool_complain("no memory for the figure");
    cJSON_free(json);
    cJSON_Delete(found);
    return status;
}
