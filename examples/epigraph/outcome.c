/* SPDX-License-Identifier: BSD-3-Clause
 * What a simulation has to say in the end. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "day.h"
#include "outcome.h"
#include "output.h"

static int64_t on_day(const struct outcome *outcome, int day, int column)
{
    int64_t sum = 0;
    for (int r = 0; r < outcome->shape.regions; r++)
        sum += outcome->counts[((int64_t)day * outcome->shape.regions + r) * COLUMNS + column];
    return sum;
}

static int64_t infectious(const struct outcome *outcome, int day)
{
    return on_day(outcome, day, PRESYMPTOMATIC) + on_day(outcome, day, SYMPTOMATIC) +
           on_day(outcome, day, ASYMPTOMATIC);
}

static void print(const struct outcome *outcome)
{
    int64_t infections = 0;
    int peak = 0, last = outcome->days - 1;
    for (int day = 0; day < outcome->days; day++) {
        infections += on_day(outcome, day, NEW_INFECTIONS);
        if (infectious(outcome, day) > infectious(outcome, peak))
            peak = day;
    }
    printf("persons %d\n", outcome->shape.persons);
    printf("regions %d\n", outcome->shape.regions);
    printf("contacts %" PRId64 "\n", outcome->shape.contacts);
    printf("days %d\n", outcome->days);
    printf("infections %" PRId64 "\n", infections);
    printf("dead %" PRId64 "\n", on_day(outcome, last, DEAD));
    printf("vaccinated %" PRId64 "\n", on_day(outcome, last, VACCINATED));
    printf("peak_day %d\n", peak);
    printf("peak_infectious %" PRId64 "\n", infectious(outcome, peak));
    printf("fingerprint %016" PRIx64 "\n", outcome->fingerprint);
    printf("iterations %d\n", outcome->steps);
    printf("seconds %.6f\n", outcome->seconds);
    printf("seconds_per_iteration %.9f\n", outcome->seconds / outcome->steps);
    fflush(stdout);
}

static void put(const void *content, FILE *file)
{
    const struct outcome *outcome = content;
    day_write(file, outcome->counts, outcome->days, outcome->shape.regions);
}

int outcome_write(const struct outcome *outcome, const char *path, struct problem *problem)
{
    if (path != NULL && output_write(path, put, outcome) != 0)
        return problem_set(problem, "%s: %s", path, strerror(errno));
    print(outcome);
    return 0;
}
