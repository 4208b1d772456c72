/* SPDX-License-Identifier: BSD-3-Clause
 * The values of a scenario: one table of keys with their types, defaults, ranges and help. */
#ifndef XMPI_SIMULATE_SCENARIO_VALUES_H
#define XMPI_SIMULATE_SCENARIO_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "decide/model/profile.h"
#include "simulate/network/network.h"

/* What a process sends in each iteration. */
typedef enum {
    SIM_PATTERN_NONE,
    SIM_PATTERN_HALO, /* to the ranks before and behind it */
    SIM_PATTERN_RING, /* to the next rank, the last one to the first */
    SIM_PATTERN_ALL,  /* to every other rank */
} sim_pattern_t;

typedef enum {
    SIM_LOAD_NONE,
    SIM_LOAD_ONOFF, /* load_model.h */
    SIM_LOAD_JOBS,
    SIM_LOAD_FILE,
} sim_load_kind_t;

typedef enum { SIM_START_FASTEST, SIM_START_ORDER } sim_start_t;

enum { SIM_TEXT_MAX = 1024 };

/* Plain data. */
typedef struct {
    /* The platform. */
    int64_t nodes, cores;     /* and processing elements of each */
    double speed, speed_most; /* units of work per second; of a node, one of LEVELS from the first
                                 to the second */
    int64_t levels;
    char platform_file[SIM_TEXT_MAX]; /* empty: as the others say */
    const sim_platform_t *platform;   /* what that says; NULL: there is none */
    double memory, memory_most; /* bytes of a node that rows may take, drawn from the first to the
                                   second; 0: all that there are */
    double disk_bandwidth, disk_latency; /* of a node */
    double cost;                         /* of a processing element, per hour and unit of speed */
    sim_network_kind_t network;
    double bandwidth, latency;

    /* The program. */
    int64_t active, spares; /* processes that compute at first, and others; -1: one for each PE */
    sim_start_t start;
    int64_t iterations, rows;
    double work; /* of an iteration, all rows together */
    sim_pattern_t pattern;
    double bytes;                 /* of a message of the pattern */
    double sums, sum_bytes;       /* operations of all in an iteration; bytes of one */
    double gathers, gather_bytes; /* the same; bytes of all rows together */
    double state; /* bytes of all rows of a process, where they are divided evenly at first */
    char from[SIM_TEXT_MAX]; /* trace of the program; empty: it is as it is said */
    double from_speed;       /* of the PE on which that was fastest; 0: as speed */
    char profile_file[SIM_TEXT_MAX];
    const xmpi_profile_t *profile; /* where the work is, relatively; NULL: evenly everywhere */
    double startup, wake;          /* seconds to start a process, and to wake one */
    double look; /* seconds that one who is parked computes to say what its node is used for */

    /* Loads. */
    sim_load_kind_t load;
    int64_t load_sources;
    double load_scale; /* of all times of loads */
    double load_step, load_start, load_stop;
    double load_between, load_mean, load_share;
    char load_file[SIM_TEXT_MAX];

    /* Many jobs, in place of one program. */
    int64_t jobs;
    char jobs_file[SIM_TEXT_MAX];
    double jobs_load, jobs_estimate, jobs_due; /* the last two: times the seconds of a job */
    double jobs_grace;
    double jobs_moldable, jobs_malleable;      /* shares of the jobs */
    double jobs_least, jobs_most;              /* times what a job asks for */
    double jobs_iteration, jobs_communication; /* seconds of an iteration; share of it */
    double power_busy, power_idle;             /* watts of a processing element */

    /* Or jobs that a gang scheduler has. */
    int64_t gang_jobs, gang_iterations;
    double gang_seconds, gang_slice, gang_read, gang_switch, gang_reload;
    double gang_parallel,
        gang_parallel_most; /* shares; of a job, one from the first to the second */
    double gang_critical;   /* the most, by the processing elements */
} sim_values_t;

/* Those that hold where nothing else is said. */
void sim_values_standard(sim_values_t *values);

/* XMPI_ERR_INPUT, with the key, when VALUE cannot be used; then nothing has changed. */
xmpi_status_t sim_values_set(sim_values_t *values, const char *key, const char *value,
                             xmpi_error_t *error);

enum { SIM_KEYS_MAX = 96 };

/* Which of the keys KEY is, below SIM_KEYS_MAX; -1: none. */
int sim_values_find(const char *key);

/* Sets the number of KEY, which has one; what is below or above what it can be becomes that. */
void sim_values_set_number(sim_values_t *values, const char *key, double number);

/* XMPI_ERR_INPUT when values do not go together. */
xmpi_status_t sim_values_check(const sim_values_t *values, xmpi_error_t *error);

/* Whether they are those of many jobs; else of one program. */
bool sim_values_have_jobs(const sim_values_t *values);

/* Whether they are those of jobs that a gang scheduler has. */
bool sim_values_have_gangs(const sim_values_t *values);

/* Whether KEY names a file. */
bool sim_values_name_file(const char *key);

/* Writes the table, as Markdown. */
void sim_values_page(FILE *file);

#endif
