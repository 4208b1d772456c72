/* SPDX-License-Identifier: BSD-3-Clause
 * Settings that cannot have an effect, as others are as they are. */
#ifndef XMPI_SETTINGS_FUTILE_H
#define XMPI_SETTINGS_FUTILE_H

#include <stdbool.h>
#include <stdio.h>

#include "decide/policy/policy.h"
#include "settings/settings.h"

/* What is known when the program begins. */
typedef struct {
    int processes; /* that were started */
    int spares;    /* of these */
    bool spawns;   /* others can be started while the program runs */
    bool slurm;    /* Slurm says which nodes there are */
} xmpi_beginning_t;

/* Writes a line to FILE for each setting that the user has set and that cannot have an effect
 * whatever loop comes, with what would give it one; nothing where the program runs as it is. */
void xmpi_futile_warn(const xmpi_settings_t *settings, const xmpi_beginning_t *beginning,
                      FILE *file);

/* The same of parameters of other policies than POLICY. */
void xmpi_futile_warn_of_policy(const xmpi_settings_t *settings, const xmpi_policy_t *policy,
                                FILE *file);

#endif
