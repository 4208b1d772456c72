/* SPDX-License-Identifier: BSD-3-Clause
 * Scenario files. */
#define _GNU_SOURCE
#include "simulate/scenario/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/policies/catalogue.h"
#include "files/lines.h"
#include "simulate/scenario/apply.h"

typedef struct {
    sim_scenario_t *scenario;
    const char *path;
} reading_t;

static int point_of(const sim_scenario_t *scenario, const char *value)
{
    for (int i = 0; i < scenario->points; i++)
        if (strcmp(scenario->point[i], value) == 0)
            return i;
    return -1;
}

/* A key has one line, which sets it or varies it. */
static xmpi_status_t say(sim_scenario_t *scenario, const char *key, xmpi_error_t *error)
{
    int index = sim_values_find(key);
    if (index < 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "there is no key %.64s", key);
    if (scenario->said[index])
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s has a line above", key);
    scenario->said[index] = true;
    return XMPI_OK;
}

static xmpi_status_t set_text(char *text, const char *key, const char *value, xmpi_error_t *error)
{
    if (text[0] != '\0')
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s has a line above", key);
    if (strlen(value) >= SIM_TEXT_MAX)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s: longer than %d bytes", key,
                              SIM_TEXT_MAX - 1);
    strcpy(text, value);
    return XMPI_OK;
}

static xmpi_status_t read_vary(sim_scenario_t *scenario, char *words, xmpi_error_t *error)
{
    char *rest = NULL, *key = strtok_r(words, " \t", &rest);
    if (scenario->points > 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "one key is varied, and this is a second one");
    if (key == NULL || sim_values_find(key) < 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "vary needs a key first");
    xmpi_status_t status = say(scenario, key, error);
    if (status != XMPI_OK)
        return status;
    snprintf(scenario->varied, sizeof scenario->varied, "%s", key);
    for (char *value; (value = strtok_r(NULL, " \t", &rest)) != NULL; scenario->points++) {
        if (scenario->points == SIM_POINTS_MAX)
            return xmpi_error_set(error, XMPI_ERR_INPUT, "more than %d values", SIM_POINTS_MAX);
        if (point_of(scenario, value) >= 0 || strlen(value) >= SIM_NAME_MAX)
            return xmpi_error_set(error, XMPI_ERR_INPUT, "%.64s: a value twice, or too long",
                                  value);
        strcpy(scenario->point[scenario->points], value);
    }
    return scenario->points > 0 ? XMPI_OK
                                : xmpi_error_set(error, XMPI_ERR_INPUT, "vary needs values");
}

static xmpi_status_t add_technique(sim_scenario_t *scenario, char *words, xmpi_error_t *error)
{
    sim_technique_t *technique = &scenario->technique[scenario->techniques];
    if (scenario->techniques == SIM_TECHNIQUES_MAX)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "more than %d techniques", SIM_TECHNIQUES_MAX);
    xmpi_status_t status = sim_technique_read(words, technique, error);
    for (int i = 0; i < scenario->techniques && status == XMPI_OK; i++)
        if (strcmp(scenario->technique[i].name, technique->name) == 0)
            status = xmpi_error_set(error, XMPI_ERR_INPUT, "two techniques are called %s",
                                    technique->name);
    scenario->techniques += status == XMPI_OK;
    return status;
}

static int technique_of(const sim_scenario_t *scenario, const char *name)
{
    for (int i = 0; i < scenario->techniques; i++)
        if (strcmp(scenario->technique[i].name, name) == 0)
            return i;
    return -1;
}

/* "POINT TECHNIQUE below|above FACTOR TECHNIQUE". */
static xmpi_status_t add_claim(sim_scenario_t *scenario, const char *words, xmpi_error_t *error)
{
    char point[SIM_NAME_MAX], technique[SIM_NAME_MAX], than[8], other[SIM_NAME_MAX];
    sim_claim_t claim;
    int length = 0;
    if (scenario->claims == SIM_CLAIMS_MAX)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "more than %d claims", SIM_CLAIMS_MAX);
    if (sscanf(words, "%63s %63s %7s %lf %63s %n", point, technique, than, &claim.factor, other,
               &length) != 5 ||
        words[length] != '\0' || (strcmp(than, "below") != 0 && strcmp(than, "above") != 0))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "expected claim POINT TECHNIQUE below|above FACTOR TECHNIQUE");
    claim.point = point_of(scenario, point);
    claim.technique = technique_of(scenario, technique);
    claim.other = technique_of(scenario, other);
    claim.below = strcmp(than, "below") == 0;
    if (claim.point < 0 || claim.technique < 0 || claim.other < 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "claim: no such point or technique in the lines above");
    scenario->claim[scenario->claims++] = claim;
    return XMPI_OK;
}

/* A file is named from the folder of the one that names it. */
static xmpi_status_t set_value(reading_t *reading, const char *key, const char *value,
                               xmpi_error_t *error)
{
    char path[SIM_TEXT_MAX];
    const char *slash = strrchr(reading->path, '/');
    if (sim_values_name_file(key) && value[0] != '/' && slash != NULL) {
        int length = snprintf(path, sizeof path, "%.*s/%s", (int)(slash - reading->path),
                              reading->path, value);
        if (length >= (int)sizeof path)
            return xmpi_error_set(error, XMPI_ERR_INPUT, "%s: longer than %d bytes", key,
                                  SIM_TEXT_MAX - 1);
        value = path;
    }
    return sim_values_set(&reading->scenario->values, key, value, error);
}

static xmpi_status_t follow(reading_t *reading, const char *key, char *value, xmpi_error_t *error)
{
    sim_scenario_t *scenario = reading->scenario;
    if (strcmp(key, "title") == 0)
        return set_text(scenario->title, key, value, error);
    if (strcmp(key, "axis") == 0)
        return set_text(scenario->axis, key, value, error);
    if (strcmp(key, "vary") == 0)
        return read_vary(scenario, value, error);
    if (strcmp(key, "claim") == 0)
        return add_claim(scenario, value, error);
    if (strcmp(key, "technique") == 0)
        return add_technique(scenario, value, error);
    xmpi_status_t status = say(scenario, key, error);
    return status == XMPI_OK ? set_value(reading, key, value, error) : status;
}

static xmpi_status_t read_line(void *context, char *text, int line, xmpi_error_t *error)
{
    xmpi_error_t why;
    reading_t *reading = context;
    char *key = text + strspn(text, " \t"), *value = key + strcspn(key, " \t");
    if (*value != '\0')
        *value++ = '\0';
    value += strspn(value, " \t");
    for (char *end = value + strlen(value); end > value && strchr(" \t\r", end[-1]) != NULL;)
        *--end = '\0';
    if (*value == '\0')
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%.100s: line %d: %.64s: expected a value behind it", reading->path,
                              line, key);
    if (follow(reading, key, value, &why) == XMPI_OK)
        return XMPI_OK;
    return xmpi_error_set(error, XMPI_ERR_INPUT, "%.100s: line %d: %.360s", reading->path, line,
                          why.text);
}

xmpi_status_t sim_scenario_read(const char *path, sim_scenario_t *scenario, xmpi_error_t *error)
{
    xmpi_error_t why;
    reading_t reading = {scenario, path};
    memset(scenario, 0, sizeof *scenario);
    sim_values_standard(&scenario->values);
    xmpi_status_t status = xmpi_lines_each(path, &reading, read_line, error);
    if (status != XMPI_OK)
        return status;
    if (scenario->techniques == 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%.100s: no technique", path);
    if (scenario->points == 0)
        scenario->points = 1;
    for (int i = 0; i < scenario->points && status == XMPI_OK; i++) {
        sim_values_t values;
        status = sim_scenario_at(scenario, i, &values, &why);
    }
    return status == XMPI_OK ? XMPI_OK
                             : xmpi_error_set(error, status, "%.100s: %.380s", path, why.text);
}

/* Of many jobs the system decides who has what, and of one program there is nothing to share. */
static xmpi_status_t check_techniques(const sim_scenario_t *scenario, const sim_values_t *values,
                                      xmpi_error_t *error)
{
    bool jobs = sim_values_have_jobs(values);
    for (int i = 0; i < scenario->techniques; i++) {
        const sim_technique_t *technique = &scenario->technique[i];
        if (!jobs && technique->shares)
            return xmpi_error_set(error, XMPI_ERR_INPUT,
                                  "technique %.64s: aim= is of workloads, and there are no jobs",
                                  technique->name);
        if (sim_values_have_gangs(values) != (technique->gang != SIM_GANG_NONE) ||
            (technique->many_rows && technique->gang == SIM_GANG_NONE))
            return xmpi_error_set(error, XMPI_ERR_INPUT,
                                  "technique %.64s: gang= is of gang.jobs, and those need it",
                                  technique->name);
        if (jobs &&
            xmpi_policy_uses(xmpi_policy_find(technique->settings.policy), XMPI_OF_PROCESSES))
            return xmpi_error_set(error, XMPI_ERR_INPUT,
                                  "technique %.64s: who has how many processing elements of a "
                                  "workload is decided by aim=, not by policy=%.64s",
                                  technique->name, technique->settings.policy);
    }
    return XMPI_OK;
}

xmpi_status_t sim_scenario_set(sim_scenario_t *scenario, const char *key, const char *value,
                               xmpi_error_t *error)
{
    xmpi_status_t status = sim_values_set(&scenario->values, key, value, error);
    if (status != XMPI_OK)
        return status;
    scenario->said[sim_values_find(key)] = true;
    if (strcmp(key, scenario->varied) == 0) {
        scenario->varied[0] = '\0';
        scenario->points = 1;
        scenario->claims = 0; /* which are of the points that were there */
    }
    return XMPI_OK;
}

xmpi_status_t sim_scenario_take(sim_scenario_t *scenario, const char *path, xmpi_error_t *error)
{
    xmpi_status_t status = sim_scenario_set(scenario, "from", path, error);
    if (status == XMPI_OK)
        status = sim_values_set(&scenario->values, "profile", "", error);
    for (const char *const *key = sim_recorded_keys; *key != NULL && status == XMPI_OK; key++)
        scenario->said[sim_values_find(*key)] = strcmp(*key, scenario->varied) == 0;
    scenario->claims = 0; /* which are of another program */
    return status;
}

xmpi_status_t sim_scenario_at(const sim_scenario_t *scenario, int point, sim_values_t *values,
                              xmpi_error_t *error)
{
    *values = scenario->values;
    xmpi_status_t status = XMPI_OK;
    if (scenario->varied[0] != '\0')
        status = sim_values_set(values, scenario->varied, scenario->point[point], error);
    if (status == XMPI_OK)
        status = sim_platform_apply(values, error);
    if (status == XMPI_OK)
        status = sim_recorded_apply(values, scenario->said, error);
    if (status == XMPI_OK)
        status = sim_values_check(values, error);
    return status == XMPI_OK ? check_techniques(scenario, values, error) : status;
}
