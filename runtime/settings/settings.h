/* SPDX-License-Identifier: BSD-3-Clause
 * Settings: one table of environment variables with their types, defaults, ranges and help. */
#ifndef XMPI_SETTINGS_SETTINGS_H
#define XMPI_SETTINGS_SETTINGS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "decide/configurations/configurations.h"
#include "decide/mapping/mapping.h"
#include "decide/mheta/layouts.h"
#include "decide/model/forecast.h"
#include "decide/policy/goal.h"
#include "decide/policy/swap_terms.h"
#include "decide/scheduler/scheduler.h"
#include "base/data/pack.h"
#include "base/status.h"
#include "settings/marks.h"

enum { XMPI_TEXT_MAX = 1024, XMPI_PATH_MAX = 2 * XMPI_TEXT_MAX };

/* What makes rows weigh (thesis §5.2); AUTO: what the program gives, else nonzeros, else nothing.
 */
typedef enum { XMPI_LB_AUTO, XMPI_LB_ROWS, XMPI_LB_NNZ, XMPI_LB_WEIGHT } xmpi_lb_t;
/* How several processes are spawned: one by one, in one call, one by one at the same time,
 * or those of each node in one call. */
typedef enum {
    XMPI_SPAWN_AUTO,
    XMPI_SPAWN_SERIAL,
    XMPI_SPAWN_GROUP,
    XMPI_SPAWN_CONCURRENT,
    XMPI_SPAWN_NODES
} xmpi_spawning_t;

/* How calls wait (observe/wait.h). AUTO: asleep where a host has more members than cores, unless
 * the MPI is known to wait without spinning. */
typedef enum { XMPI_WAIT_AUTO, XMPI_WAIT_SPIN, XMPI_WAIT_SLEEP } xmpi_wait_t;

/* Whether parked processes are asked what their nodes are used for. AUTO: where the policy goes by
 * it. */
typedef enum { XMPI_START_AUTO, XMPI_START_ORDER, XMPI_START_FASTEST } xmpi_start_t;
typedef enum { XMPI_SLURM_AUTO, XMPI_SLURM_OFF } xmpi_slurm_t;
typedef enum {
    XMPI_WATCH_AUTO,
    XMPI_WATCH_OFF,
    XMPI_WATCH_ON,
    XMPI_WATCH_AGENTS
} xmpi_watch_idle_t;

typedef enum { XMPI_BIND_OFF, XMPI_BIND_CORE } xmpi_bind_t;

typedef enum { XMPI_BACKEND_AUTO, XMPI_BACKEND_SPAWN, XMPI_BACKEND_POOL } xmpi_backend_t;

/* How data move (setting XMPI_MOVE). */
typedef enum {
    XMPI_MOVE_AUTO,      /* direct copies where they are possible, messages elsewhere */
    XMPI_MOVE_P2P,       /* messages, one for each pair and array, small ones in one */
    XMPI_MOVE_ALLTOALLV, /* one collective call of all */
    XMPI_MOVE_RMA,       /* MPI_Get from windows */
} xmpi_move_strategy_t;

/* Which changes are checked by running an iteration in both layouts (program/check/check.h). FIRST:
 * the first of each kind in a loop; AUTO: the same where that has no side effects and costs little,
 * and the first of all where functions of other files are relied on; ABORT: all, and a difference
 * ends the job. */
typedef enum {
    XMPI_CHECK_AUTO,
    XMPI_CHECK_OFF,
    XMPI_CHECK_FIRST,
    XMPI_CHECK_ALL,
    XMPI_CHECK_ABORT
} xmpi_check_mode_t;

typedef enum {
    XMPI_CHECK_ROUNDS_NEAREST,
    XMPI_CHECK_ROUNDS_UP,
    XMPI_CHECK_ROUNDS_DOWN
} xmpi_check_rounding_t;

/* Effective values. Plain data: joiners get those of the running members. */
typedef struct {
    char policy[XMPI_TEXT_MAX];
    char folder[XMPI_TEXT_MAX]; /* in which the program was started; empty: not known */
    char schedule[XMPI_TEXT_MAX];
    char machines[XMPI_TEXT_MAX];
    char topology[XMPI_TEXT_MAX];
    char trace[XMPI_TEXT_MAX];
    char control[XMPI_TEXT_MAX];
    char jobs[XMPI_TEXT_MAX];
    char counter[XMPI_TEXT_MAX];
    char node[XMPI_TEXT_MAX];
    char goal_text[XMPI_TEXT_MAX];
    char spent[XMPI_TEXT_MAX]; /* before the program was started again; empty: it was not */
    char calibration[XMPI_TEXT_MAX];
    char profile[XMPI_TEXT_MAX];
    char record[XMPI_TEXT_MAX];
    char proc[XMPI_TEXT_MAX];
    char ooc_dir[XMPI_TEXT_MAX];
    int64_t ooc_ahead;              /* 1: arrays that are out of core are read ahead */
    char checkpoint[XMPI_TEXT_MAX]; /* folder; empty: no checkpoints */
    double checkpoint_interval;     /* seconds; negative: by their cost and mtbf */
    int64_t checkpoint_keep;
    double mtbf; /* seconds from one failure of the job to the next */
    int64_t
        restart; /* 1: the program goes on from the newest checkpoint; 2: with its own constants */
    xmpi_backend_t backend;
    xmpi_lb_t lb;
    xmpi_wait_t wait;
    xmpi_watch_idle_t watch_idle;
    xmpi_start_t start;
    xmpi_bind_t bind;
    xmpi_placement_t placement;
    xmpi_check_mode_t check;
    double check_tolerance; /* relative; 0: by the type of the values */
    xmpi_check_rounding_t check_rounding;
    int64_t interval; /* iterations; 0: auto */
    int64_t window;   /* k of thesis Alg. 5 */
    xmpi_move_strategy_t move;
    xmpi_spawning_t strategy;
    int64_t background; /* 1: processes are got while the program iterates */
    int64_t timeout;    /* seconds */
    int64_t seed;
    int64_t active;         /* 0: all */
    int64_t max;            /* 0: as many as there are PEs */
    double move_background; /* MiB; 0: never */
    int64_t memory;         /* MiB that the data of a member may take; 0: not known */
    int64_t memory_limit;   /* MiB; 0: by itself */
    int64_t trace_limit;    /* MiB */
    int64_t fingerprint;    /* 1: of the data at the end of the loop, in the trace */
    int64_t matrix;         /* 1: of who sends how much to whom, in the trace at the end */
    int64_t summary;        /* 1: at the end of the loop, on stderr */
    int64_t debug;          /* 1: collective operations of ours are compared (base/collective.h) */
    double imbalance;       /* TH1 */
    double interference;    /* TH2 */
    double grace;           /* seconds */
    xmpi_slurm_t slurm;
    int64_t nodes;       /* the most of a batch system; 0: those of the allocation */
    double slurm_period; /* seconds from one look at Slurm to the next */
    int64_t iterations;  /* of the loop, where the program does not tell; 0: unknown */
    xmpi_goal_t goal;
    double tolerance; /* of the goal, as a share of it */
    xmpi_forecast_kind_t forecast;
    xmpi_swap_preset_t swap;
    double payback, process_gain, application_gain, history; /* negative: by the preset */
    int64_t swaps;                                           /* 0: by the preset */
    xmpi_node_share_t share;                                 /* of a node, of the processes */
    xmpi_mheta_layout_t division;                            /* of the rows */
    xmpi_constraint_t constraint;
    xmpi_marks_t given;     /* what the user has set, which pragmas do not change */
    xmpi_marks_t by_pragma; /* what the pragma of the present loop has set */
} xmpi_settings_t;

typedef enum {
    XMPI_SETTING_TEXT,
    XMPI_SETTING_INTEGER,
    XMPI_SETTING_AUTO, /* an integer, or "auto": 0 */
    XMPI_SETTING_REAL,
    XMPI_SETTING_AUTO_REAL, /* a number, or "auto": -1 */
    XMPI_SETTING_MIB,       /* an integer, of MiB or of what stands behind it: 4G */
    XMPI_SETTING_REAL_MIB,  /* a number in the same way */
    XMPI_SETTING_CHOICE,    /* one of some words; an int or enumeration that counts them from 0 */
} xmpi_setting_type_t;

typedef struct {
    const char *name; /* of the environment variable */
    xmpi_setting_type_t type;
    size_t offset; /* in xmpi_settings_t */
    const char *standard;
    double least, most; /* of a number */
    const char *help;
    const char *choices; /* of CHOICE: with blanks in between */
} xmpi_setting_t;

/* All of it, by the table: texts as long as they are. What comes from another process and is none
 * has the pack's status. */
void xmpi_settings_put(xmpi_pack_t *pack, const xmpi_settings_t *settings);
void xmpi_settings_get(xmpi_pack_t *pack, xmpi_settings_t *settings);

/* The table and its length. */
const xmpi_setting_t *xmpi_settings_table(size_t *length);

/* Reads the environment ENV ("NAME=value", NULL-terminated). XMPI_ERR_INPUT with one line that
 * names the variable when a value cannot be used. */
xmpi_status_t xmpi_settings_read(char *const *env, xmpi_settings_t *settings, xmpi_error_t *error);

/* Changes one setting while the job runs. XMPI_ERR_INPUT, and nothing has changed, when the value
 * cannot be used, also together with the others. */
xmpi_status_t xmpi_settings_change(xmpi_settings_t *settings, const char *name, const char *value,
                                   xmpi_error_t *error);

/* The settings for a loop with the policy CLAUSE ("NAME SETTING=VALUE ...", NULL: without one) in
 * its pragma: as they were before the pragma of an earlier loop, then what the clause says and the
 * user has not set. XMPI_ERR_INPUT, and nothing has changed, when that cannot be. */
xmpi_status_t xmpi_settings_of_loop(xmpi_settings_t *settings, const char *clause,
                                    xmpi_error_t *error);

/* The file NAME of a setting, as this process reaches it now: the program, or the process that
 * leads by now, may be in another folder than that in which the program was started. As it is where
 * it leads there, or the whole path would be too long. */
void xmpi_settings_path(const xmpi_settings_t *settings, const char *name,
                        char path[XMPI_PATH_MAX]);

/* Whether the user has set the setting. */
int xmpi_settings_given(const xmpi_settings_t *settings, const char *name);

/* Writes a line to FILE for every XMPI_ variable in ENV that is none of ours. */
void xmpi_settings_warn_unknown(char *const *env, FILE *file);

#endif
