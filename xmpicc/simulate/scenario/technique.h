/* SPDX-License-Identifier: BSD-3-Clause
 * A technique: the settings of XMPI that a program runs with, and what a change does to it. */
#ifndef XMPI_SIMULATE_SCENARIO_TECHNIQUE_H
#define XMPI_SIMULATE_SCENARIO_TECHNIQUE_H

#include <stdbool.h>

#include "base/status.h"
#include "decide/sharing/sharing.h"
#include "settings/settings.h"

/* How a change is carried out. */
typedef enum {
    SIM_CHANGES_ALL,        /* all members wait until it is done, as XMPI's do */
    SIM_CHANGES_PAIR,       /* only those wait that send or get rows */
    SIM_CHANGES_CHECKPOINT, /* all write what they have to one place, and read it from there */
    SIM_CHANGES_FREE,       /* it takes no time */
} sim_changes_t;

/* By what a gang scheduler allots processors (simulate/gang/gang.h). */
typedef enum {
    SIM_GANG_NONE, /* it is no technique of one */
    SIM_GANG_C,    /* the critical number */
    SIM_GANG_P,    /* the speedup alone */
    SIM_GANG_A,    /* all */
    SIM_GANG_CP,   /* the speedup, or all where that is below the critical number */
} sim_gang_size_t;

enum { SIM_NAME_MAX = 64 };

/* Plain data. */
typedef struct {
    char name[SIM_NAME_MAX];
    xmpi_settings_t settings;
    sim_changes_t changes;
    bool shares; /* of a workload: its malleable jobs give and take, for this aim */
    xmpi_share_aim_t aim;
    sim_gang_size_t gang;
    bool many_rows;    /* of a gang scheduler: jobs may be in several rows */
    bool moment;       /* what is seen of speeds is that of the moment, as of the load then */
    bool certain;      /* swapping takes speeds for what they seem */
    double pause;      /* seconds at the end of each iteration */
    bool spares_start; /* spares are started as well, which takes as long as for others */
} sim_technique_t;

/* Of WORDS, which change: "NAME [aim=...] [changes=...] [pause=SECONDS] [launched=all|active]
 * [sees=interval|moment] [doubts=some|none] [SETTING=VALUE]...", SETTING as in docs/settings.md,
 * without XMPI_, in small letters. XMPI_ERR_INPUT. */
xmpi_status_t sim_technique_read(char *words, sim_technique_t *technique, xmpi_error_t *error);

#endif
