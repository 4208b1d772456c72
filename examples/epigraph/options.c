/* SPDX-License-Identifier: BSD-3-Clause
 * The command line of the simulator. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"

#define USAGE                                                                                      \
    "usage: epigraph [-d DAYS] [-t STEPS] [-s SEED] [-i INFECTED] [-r REGION] [-p NAME=VALUE]... " \
    "[-o COUNTS] POPULATION"

enum { DAYS_MAX = 100000, STEPS_IN_ALL = 100000000 };

static int parse_number(const char *text, long least, long most, int *number)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    *number = (int)value;
    return end != text && *end == '\0' && errno == 0 && value >= least && value <= most;
}

static int parse_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    return end != text && *end == '\0' && *text != '-' && errno == 0;
}

static int parse_option(int option, const char *text, struct options *options,
                        struct problem *problem)
{
    switch (option) {
    case 'd':
        return parse_number(text, 1, DAYS_MAX, &options->days)
                   ? 0
                   : problem_set(problem, "-d %s: expected a number of days", text);
    case 't':
        return parse_number(text, 1, STEPS_MAX, &options->model.steps) &&
                       STEPS_MAX % options->model.steps == 0
                   ? 0
                   : problem_set(problem, "-t %s: expected a number that divides %d", text,
                                 STEPS_MAX);
    case 's':
        return parse_seed(text, &options->model.seed)
                   ? 0
                   : problem_set(problem, "-s %s: expected a number that is not negative", text);
    case 'i':
        return parse_number(text, 0, POPULATION_MAX, &options->seeds)
                   ? 0
                   : problem_set(problem, "-i %s: expected a number of persons", text);
    case 'r':
        return parse_number(text, 0, REGIONS_MAX, &options->region)
                   ? 0
                   : problem_set(problem, "-r %s: expected a region, from 0 on", text);
    case 'p':
        if (strcmp(text, "help") != 0)
            return parameters_set(&options->model.parameters, text, problem);
        options->help = 1;
        return 0;
    case 'o':
        options->output = text;
        return 0;
    default:
        return problem_set(problem, USAGE);
    }
}

int options_parse(int argc, char **argv, struct options *options, struct problem *problem)
{
    int option;
    *options = (struct options){.days = 60, .seeds = 10, .model = {.seed = 1, .steps = 24}};
    parameters_default(&options->model.parameters);
    opterr = 0;
    while ((option = getopt(argc, argv, "d:t:s:i:r:p:o:")) != -1)
        if (parse_option(option, optarg, options, problem) != 0)
            return -1;
    if (options->help)
        return 0;
    if (optind != argc - 1)
        return problem_set(problem, USAGE);
    if (options->days > STEPS_IN_ALL / options->model.steps)
        return problem_set(problem, "-d %d -t %d: these are more than %d steps", options->days,
                           options->model.steps, STEPS_IN_ALL);
    options->population = argv[optind];
    return 0;
}
