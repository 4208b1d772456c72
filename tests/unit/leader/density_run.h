/* SPDX-License-Identifier: BSD-3-Clause
 * Whole runs of the leader with the policy balance, in which the times of blocks follow from the
 * true work of rows, the true speeds of processors and noise. A header, as each test is a program
 * of one file. */
#ifndef XMPI_TESTS_DENSITY_RUN_H
#define XMPI_TESTS_DENSITY_RUN_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decide/leader/leader.h"
#include "decide/policies/catalogue.h"
#include "decide/planning/draw.h"

enum { MOST = 16, ROWS = 1200, INTERVALS = 30, ITERATIONS = 10 };

typedef struct {
    int members;
    xmpi_member_t member[MOST];
    xmpi_layout_t layout;
    xmpi_pe_t pe[MOST];
    xmpi_resources_t resources;
    xmpi_sample_t samples[MOST];
    xmpi_schedule_t schedule;
    xmpi_wishes_t wishes;
    xmpi_occasion_t at;
    xmpi_leader_t leader;
    uint64_t random;
    int iterations;              /* of an interval */
    double scatter;              /* share of its time that is chance */
    int shared;                  /* the member that has the CPU half of the time; 0: none */
    bool counted;                /* the counter tells the work; else it counts rows */
    double row[ROWS];            /* work */
    double told[ROWS + 1];       /* sums of what is said of it, where the occasion is weighted */
    double speed[MOST];          /* work per second */
    int moves, settled;          /* so many until the members were in balance for the first time */
    int found;                   /* so often that weights are mistaken ... */
    int reasons;                 /* ... and plans that say so */
    double seconds, first, last; /* of the whole run, of an iteration at its begin and end */
} run_t;

static inline void run_make(run_t *r, int members)
{
    memset(r, 0, sizeof *r);
    r->members = members;
    r->layout = (xmpi_layout_t){.domain = ROWS, .members = members, .member = r->member};
    r->resources = (xmpi_resources_t){.pes = members,
                                      .pe = r->pe,
                                      .classes = 1,
                                      .max_members = members,
                                      .can_spawn = true,
                                      .anchor = -1};
    for (int i = 0; i < members; i++) {
        int64_t begin = (int64_t)ROWS * i / members, end = (int64_t)ROWS * (i + 1) / members;
        r->pe[i].process = i;
        r->member[i] = (xmpi_member_t){i, {end - begin, begin}};
        r->speed[i] = 1;
    }
    for (int i = 0; i < ROWS; i++)
        r->row[i] = 1;
    r->wishes = (xmpi_wishes_t){.interval = ITERATIONS,
                                .window = 1,
                                .imbalance = 0.1,
                                .interference = 0.2,
                                .schedule = &r->schedule};
    r->at = (xmpi_occasion_t){.policy = &xmpi_policy_balance,
                              .wishes = &r->wishes,
                              .layout = &r->layout,
                              .resources = &r->resources,
                              .samples = r->samples};
    r->random = 1;
    r->iterations = ITERATIONS;
    r->scatter = 0.01;
    r->settled = -1;
}

/* From -1 to 1. */
static inline double noise(run_t *r)
{
    return xmpi_random_below(&r->random, 2001) / 1000. - 1;
}

/* From now on so much is said of each row. */
static inline void tell(run_t *r, const double *weight)
{
    for (int i = 0; i < ROWS; i++)
        r->told[i + 1] = r->told[i] + weight[i];
    r->at.weighted = r->at.told_work = true;
}

static inline double work_of(const run_t *r, xmpi_block_t block)
{
    double sum = 0;
    for (int64_t i = block.displ; i < block.displ + block.count; i++)
        sum += r->row[i];
    return sum;
}

/* Seconds of an iteration if rows could be divided. */
static inline double ideal(const run_t *r)
{
    double speed = 0;
    for (int i = 0; i < r->members; i++)
        speed += r->speed[i];
    return work_of(r, (xmpi_block_t){ROWS, 0}) / speed;
}

/* Seconds by which that can be out of reach, as rows are whole. */
static inline double heaviest_row(const run_t *r)
{
    double most = 0, speed = 0;
    for (int i = 0; i < ROWS; i++)
        most = fmax(most, r->row[i]);
    for (int i = 0; i < r->members; i++)
        speed = fmax(speed, r->speed[i]);
    return most / speed;
}

static inline double units_of(const run_t *r, xmpi_block_t block)
{
    return r->at.told_work ? r->told[block.displ + block.count] - r->told[block.displ]
           : r->counted    ? work_of(r, block)
                           : (double)block.count;
}

/* Seconds of an iteration of the slowest member. */
static inline double compute(run_t *r)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i < r->members; i++) {
        double work = work_of(r, r->member[i].block);
        double seconds = work / r->speed[i] * (1 + r->scatter * noise(r));
        double units = units_of(r, r->member[i].block);
        r->samples[i] = (xmpi_sample_t){
            .iterations = r->iterations,
            .wall = r->iterations * seconds,
            .computation = r->iterations * seconds,
            .cpu = r->iterations * seconds * (i == r->shared && i > 0 ? 0.5 : 1),
            .deviation = r->iterations < 2 ? 0 /* nobody knows */
                                           : r->scatter * seconds * sqrt(r->iterations / 3.),
            .work = r->iterations * units};
        least = fmin(least, seconds);
        most = fmax(most, seconds);
    }
    if (r->settled < 0 && (most - least <= 0.1 * most || most <= ideal(r) + heaviest_row(r)))
        r->settled = r->moves;
    return most;
}

/* The end of an interval whose samples are there. */
static inline void decide(run_t *r)
{
    xmpi_step_t step;
    r->at.interval_start = r->at.iteration;
    r->at.iteration += ITERATIONS;
    xmpi_leader_step(&r->leader, &r->at, &step);
    if (step.outcome == XMPI_STEP_WEIGHS) {
        r->at.prefix = r->told;
        xmpi_leader_step_again(&r->leader, &r->at, &step);
        r->at.prefix = NULL;
    }
    assert_true(step.outcome == XMPI_STEP_KEEPS || step.outcome == XMPI_STEP_CHANGES);
    for (int i = 0; i < step.plan.places; i++)
        r->member[i].block = step.plan.place[i].block;
    r->moves += step.plan.places > 0;
    r->found += step.mistaken;
    r->reasons += strstr(step.plan.reason, "as rows do other than is said of them") != NULL;
    xmpi_step_free(&step);
}

static inline void pass(run_t *r)
{
    r->last = compute(r);
    r->seconds += r->last;
    r->first = r->first > 0 ? r->first : r->last;
    decide(r);
}

static inline void run(run_t *r)
{
    for (int i = 0; i < INTERVALS; i++)
        pass(r);
    xmpi_leader_free(&r->leader);
}

#endif
