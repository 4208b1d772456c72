/* SPDX-License-Identifier: BSD-3-Clause
 * Writes a population: persons of several urban regions, and their contacts. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "network.h"
#include "output.h"

#define USAGE                                                                                      \
    "usage: generate -n PERSONS [-r REGIONS] [-s SEED] [-l LEISURE] [-k SKEW] FILE\n"              \
    "LEISURE (8) is the mean number of contacts at leisure; SKEW > 2 (2.5) is the exponent of\n"   \
    "the power law that they follow: the less, the more unequal.\n"

struct content {
    const struct recipe *recipe;
    const struct network *network;
};

static void put(const void *argument, FILE *file)
{
    const struct content *content = argument;
    const struct network *network = content->network;
    size_t persons = (size_t)content->recipe->persons, regions = (size_t)content->recipe->regions;
    size_t contacts = (size_t)network->contact[persons];
    int64_t header[] = {(int64_t)persons, (int64_t)regions, (int64_t)contacts};
    fwrite(POPULATION_MAGIC, 1, sizeof POPULATION_MAGIC - 1, file);
    fwrite(header, sizeof *header, 3, file);
    fwrite(network->region, sizeof *network->region, regions, file);
    fwrite(network->age, 1, persons, file);
    fwrite(network->contact, sizeof *network->contact, persons + 1, file);
    fwrite(network->other, sizeof *network->other, contacts, file);
    fwrite(network->kind, 1, contacts, file);
}

static int parse_number(const char *text, long most, int *number)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    *number = (int)value;
    return end != text && *end == '\0' && errno == 0 && value >= 1 && value <= most;
}

static int parse_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    return end != text && *end == '\0' && *text != '-' && errno == 0;
}

static int parse_real(const char *text, double least, double most, double *real)
{
    char *end;
    *real = strtod(text, &end);
    return end != text && *end == '\0' && *real >= least && *real <= most;
}

static int refuse(int option, const char *text, const char *expected)
{
    fprintf(stderr, "generate: -%c %s: expected %s\n", option, text, expected);
    return -1;
}

static int parse_option(int option, const char *text, struct recipe *recipe)
{
    switch (option) {
    case 'n':
        return parse_number(text, POPULATION_MAX, &recipe->persons)
                   ? 0
                   : refuse(option, text, "a number of persons");
    case 'r':
        return parse_number(text, REGIONS_MAX, &recipe->regions)
                   ? 0
                   : refuse(option, text, "a number of regions");
    case 's':
        return parse_seed(text, &recipe->seed) ? 0 : refuse(option, text, "a number from 0 on");
    case 'l':
        return parse_real(text, 0, 1000, &recipe->leisure) ? 0 : refuse(option, text, "0 to 1000");
    case 'k':
        return parse_real(text, 2.01, 100, &recipe->skew) ? 0 : refuse(option, text, "2.01 to 100");
    default:
        fputs(USAGE, stderr);
        return -1;
    }
}

static int parse_options(int argc, char **argv, struct recipe *recipe)
{
    int option;
    opterr = 0;
    while ((option = getopt(argc, argv, "n:r:s:l:k:")) != -1)
        if (parse_option(option, optarg, recipe) != 0)
            return -1;
    if (recipe->persons == 0 || optind != argc - 1) {
        fputs(USAGE, stderr);
        return -1;
    }
    if (recipe->regions > recipe->persons) {
        fprintf(stderr, "generate: -r %d: there are only %d persons\n", recipe->regions,
                recipe->persons);
        return -1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct recipe recipe = {.regions = 4, .seed = 1, .leisure = 8, .skew = 2.5};
    struct network network;
    if (parse_options(argc, argv, &recipe) != 0)
        return 2;
    if (network_make(&recipe, &network) != 0) {
        fprintf(stderr, "generate: there is no memory for %d persons\n", recipe.persons);
        return 2;
    }
    struct content content = {&recipe, &network};
    int status = output_write(argv[optind], put, &content);
    if (status != 0)
        fprintf(stderr, "generate: %s: %s\n", argv[optind], strerror(errno));
    network_free(&network);
    return status == 0 ? 0 : 2;
}
