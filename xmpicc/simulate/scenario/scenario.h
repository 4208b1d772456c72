/* SPDX-License-Identifier: BSD-3-Clause
 * Scenario files (docs/simulate.md): values, techniques, the value that is varied, and what is
 * claimed of all that. */
#ifndef XMPI_SIMULATE_SCENARIO_SCENARIO_H
#define XMPI_SIMULATE_SCENARIO_SCENARIO_H

#include "simulate/scenario/technique.h"
#include "simulate/scenario/values.h"

enum { SIM_TECHNIQUES_MAX = 16, SIM_POINTS_MAX = 64, SIM_CLAIMS_MAX = 64 };

/* At the point, a technique takes less time than FACTOR times what another takes; or more. */
typedef struct {
    int point, technique, other;
    bool below;
    double factor;
} sim_claim_t;

typedef struct {
    char title[SIM_TEXT_MAX], axis[SIM_TEXT_MAX]; /* what a plot says */
    sim_values_t values;
    bool said[SIM_KEYS_MAX]; /* keys that have a line, by sim_values_find */
    int techniques;
    sim_technique_t technique[SIM_TECHNIQUES_MAX];
    char varied[SIM_NAME_MAX]; /* key; empty: none, and there is one point */
    int points;
    char point[SIM_POINTS_MAX][SIM_NAME_MAX]; /* values of that key */
    int claims;
    sim_claim_t claim[SIM_CLAIMS_MAX];
} sim_scenario_t;

/* XMPI_ERR_INPUT, with the line. */
xmpi_status_t sim_scenario_read(const char *path, sim_scenario_t *scenario, xmpi_error_t *error);

/* In place of what the scenario says, but for what is varied: XMPI_ERR_INPUT. The program of the
 * trace PATH, whatever lines there are of a program. */
xmpi_status_t sim_scenario_set(sim_scenario_t *scenario, const char *key, const char *value,
                               xmpi_error_t *error);
xmpi_status_t sim_scenario_take(sim_scenario_t *scenario, const char *path, xmpi_error_t *error);

/* The values at POINT, which is below points. What a file tells of the program is read once. */
xmpi_status_t sim_scenario_at(const sim_scenario_t *scenario, int point, sim_values_t *values,
                              xmpi_error_t *error);

#endif
