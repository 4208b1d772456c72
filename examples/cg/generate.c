/* SPDX-License-Identifier: BSD-3-Clause
 * Writes a sparse symmetric positive definite matrix with uneven rows as a Matrix Market file. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "market.h"
#include "output.h"

#define USAGE                                                                                      \
    "usage: generate -n ORDER [-z NONZEROS] [-u UNEVEN] [-s SEED] [-d DOMINANCE] FILE\n"           \
    "NONZEROS (15) is the mean of a row; the first rows have about UNEVEN (8) times as many as\n"  \
    "the last ones. DOMINANCE > 1 (1.1) is the ratio of each diagonal value to the sum of its\n"   \
    "row's others: the nearer to 1, the more iterations.\n"

struct recipe {
    int order;
    double nonzeros, uneven, dominance;
    uint64_t seed;
    double *diagonal;
    int64_t entries;
};

static uint64_t mix(uint64_t value)
{
    value += 0x9e3779b97f4a7c15u;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

/* In [0, 1), for the K-th number of a row. */
static double draw(const struct recipe *recipe, int row, int k)
{
    return (double)(mix(mix(mix(recipe->seed) ^ (uint64_t)row) ^ (uint64_t)k) >> 11) * 0x1p-53;
}

/* How many elements row ROW has before its diagonal: as many more as it is nearer to the first, and
 * from a half to three halves of that. Each stands once more in a row above. */
static int width(const struct recipe *recipe, int row)
{
    double u = recipe->uneven, place = (double)row / recipe->order;
    double mean_of_profile = u == 1 ? 1 : (1 - 1 / u) / log(u);
    double mean = (recipe->nonzeros - 1) / 2 * pow(u, -place) / mean_of_profile;
    int wanted = (int)(mean * (0.5 + draw(recipe, row, 0)) + 0.5);
    return wanted < row ? wanted : row;
}

/* Hands every element below the diagonal to VISIT: in the WIDTH x 2 columns before it, each at most
 * once. */
static void each_element(struct recipe *recipe,
                         void (*visit)(struct recipe *, int, int, double, FILE *), FILE *file)
{
    for (int row = 1; row < recipe->order; row++) {
        int n = width(recipe, row), column = row;
        for (int k = 0; k < n; k++) {
            column -= 1 + (draw(recipe, row, 2 * k + 1) < 0.5);
            if (column < 0)
                break;
            visit(recipe, row, column, -1 + 2 * draw(recipe, row, 2 * k + 2), file);
        }
    }
}

static void measure(struct recipe *recipe, int row, int column, double value, FILE *file)
{
    (void)file;
    recipe->diagonal[row] += recipe->dominance * fabs(value);
    recipe->diagonal[column] += recipe->dominance * fabs(value);
    recipe->entries++;
}

static void put_element(struct recipe *recipe, int row, int column, double value, FILE *file)
{
    (void)recipe;
    fprintf(file, "%d %d %.17g\n", row + 1, column + 1, value);
}

static void put(const void *content, FILE *file)
{
    struct recipe recipe = *(const struct recipe *)content;
    fprintf(file, "%s matrix coordinate real symmetric\n", MARKET_BANNER);
    fprintf(file, "%% generate -n %d -z %g -u %g -s %" PRIu64 " -d %.17g\n", recipe.order,
            recipe.nonzeros, recipe.uneven, recipe.seed, recipe.dominance);
    fprintf(file, "%d %d %" PRId64 "\n", recipe.order, recipe.order, recipe.entries + recipe.order);
    for (int i = 0; i < recipe.order && !ferror(file); i++)
        fprintf(file, "%d %d %.17g\n", i + 1, i + 1, recipe.diagonal[i]);
    each_element(&recipe, put_element, file);
}

static int parse_order(const char *text, int *order)
{
    char *end;
    long value = strtol(text, &end, 10);
    *order = (int)value;
    return end != text && *end == '\0' && value >= 1 && value <= MARKET_MAX_ORDER;
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
        return parse_order(text, &recipe->order) ? 0 : refuse(option, text, "an order from 1 on");
    case 'z':
        return parse_real(text, 1, 1e6, &recipe->nonzeros) ? 0 : refuse(option, text, "1 to 1e6");
    case 'u':
        return parse_real(text, 1, 1e4, &recipe->uneven) ? 0 : refuse(option, text, "1 to 10000");
    case 's':
        return parse_seed(text, &recipe->seed) ? 0 : refuse(option, text, "a number from 0 on");
    case 'd':
        return parse_real(text, 1 + 1e-12, 1e6, &recipe->dominance)
                   ? 0
                   : refuse(option, text, "a number greater than 1");
    default:
        fputs(USAGE, stderr);
        return -1;
    }
}

static int parse_options(int argc, char **argv, struct recipe *recipe)
{
    int option;
    opterr = 0;
    while ((option = getopt(argc, argv, "n:z:u:s:d:")) != -1)
        if (parse_option(option, optarg, recipe) != 0)
            return -1;
    if (recipe->order != 0 && optind == argc - 1)
        return 0;
    fputs(USAGE, stderr);
    return -1;
}

int main(int argc, char **argv)
{
    struct recipe recipe = {.nonzeros = 15, .uneven = 8, .dominance = 1.1, .seed = 1};
    if (parse_options(argc, argv, &recipe) != 0)
        return 2;
    recipe.diagonal = calloc((size_t)recipe.order, sizeof *recipe.diagonal);
    if (recipe.diagonal == NULL) {
        fprintf(stderr, "generate: there is no memory for order %d\n", recipe.order);
        return 2;
    }
    each_element(&recipe, measure, NULL);
    for (int i = 0; i < recipe.order; i++) /* a row may have nothing else */
        recipe.diagonal[i] = recipe.diagonal[i] > 0 ? recipe.diagonal[i] : 1;
    int status = output_write(argv[optind], put, &recipe);
    if (status != 0)
        fprintf(stderr, "generate: %s: %s\n", argv[optind], strerror(errno));
    free(recipe.diagonal);
    return status == 0 ? 0 : 2;
}
