/* SPDX-License-Identifier: BSD-3-Clause
 * Writes a diagonally dominant system of any order, for which Jacobi's method converges. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "system.h"

#define USAGE                                                                                      \
    "usage: generate -n ORDER [-s SEED] [-d DOMINANCE] FILE\n"                                     \
    "FILE is binary, or Matrix Market where its name ends in .mtx (then FILE_b.mtx holds b).\n"    \
    "DOMINANCE > 1 (1.1) is the ratio of each diagonal value to the sum of its row's others:\n"    \
    "the nearer to 1, the more iterations.\n"

struct recipe {
    int order;
    uint64_t seed;
    double dominance;
    double *diagonal;
};

/* A well-mixed number for each position, so that any part of a system can be made on its own. */
static uint64_t mix(uint64_t value)
{
    value += 0x9e3779b97f4a7c15u;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

/* In [0, 1); column ORDER stands for the right-hand side. */
static double draw(const struct recipe *recipe, int row, int column)
{
    uint64_t position = (uint64_t)row * ((uint64_t)recipe->order + 1) + (uint64_t)column;
    return (double)(mix(mix(recipe->seed) ^ position) >> 11) * 0x1p-53;
}

static double element(const struct recipe *recipe, int row, int column)
{
    return row == column ? recipe->diagonal[row] : draw(recipe, row, column);
}

/* The diagonal from the rest of each row. A row of order 1 has no rest. */
static void make_diagonal(struct recipe *recipe)
{
    for (int i = 0; i < recipe->order; i++) {
        double sum = recipe->order == 1 ? 1 : 0;
        for (int j = 0; j < recipe->order; j++)
            sum += i == j ? 0 : draw(recipe, i, j);
        recipe->diagonal[i] = recipe->dominance * sum;
    }
}

/* The right-hand side: positive and negative, of the size of the diagonal. */
static double constant(const struct recipe *recipe, int row)
{
    return (2 * draw(recipe, row, recipe->order) - 1) * recipe->diagonal[row];
}

static void put_double(double value, FILE *file)
{
    fwrite(&value, sizeof value, 1, file);
}

static void put_binary(const void *content, FILE *file)
{
    const struct recipe *recipe = content;
    int64_t order = recipe->order;
    fwrite(SYSTEM_MAGIC, 1, sizeof SYSTEM_MAGIC - 1, file);
    fwrite(&order, sizeof order, 1, file);
    for (int i = 0; i < recipe->order && !ferror(file); i++)
        for (int j = 0; j < recipe->order; j++)
            put_double(element(recipe, i, j), file);
    for (int i = 0; i < recipe->order; i++)
        put_double(constant(recipe, i), file);
}

static void put_market_matrix(const void *content, FILE *file)
{
    const struct recipe *recipe = content;
    fprintf(file, "%%%%MatrixMarket matrix array real general\n");
    fprintf(file, "%% generate -n %d -s %" PRIu64 " -d %.17g\n", recipe->order, recipe->seed,
            recipe->dominance);
    fprintf(file, "%d %d\n", recipe->order, recipe->order);
    for (int j = 0; j < recipe->order && !ferror(file); j++)
        for (int i = 0; i < recipe->order; i++)
            fprintf(file, "%.17g\n", element(recipe, i, j));
}

static void put_market_side(const void *content, FILE *file)
{
    const struct recipe *recipe = content;
    fprintf(file, "%%%%MatrixMarket matrix array real general\n%d 1\n", recipe->order);
    for (int i = 0; i < recipe->order; i++)
        fprintf(file, "%.17g\n", constant(recipe, i));
}

static int write_file(const char *path, const struct recipe *recipe,
                      void (*put)(const void *, FILE *))
{
    if (output_write(path, put, recipe) == 0)
        return 0;
    fprintf(stderr, "generate: %s: %s\n", path, strerror(errno));
    return -1;
}

static int write_market(const char *path, const struct recipe *recipe)
{
    int stem = (int)strlen(path) - 4;
    char *side = malloc(strlen(path) + 3);
    if (side == NULL)
        return -1;
    sprintf(side, "%.*s_b.mtx", stem, path);
    int status = write_file(path, recipe, put_market_matrix);
    if (status == 0 && (status = write_file(side, recipe, put_market_side)) != 0)
        output_discard(path);
    free(side);
    return status;
}

static int write_system(const char *path, const struct recipe *recipe)
{
    size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, ".mtx") == 0)
        return write_market(path, recipe);
    return write_file(path, recipe, put_binary);
}

static int parse_order(const char *text, int *order)
{
    char *end;
    long value = strtol(text, &end, 10);
    *order = (int)value;
    return end != text && *end == '\0' && value >= 1 && value <= SYSTEM_MAX_ORDER;
}

static int parse_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    return end != text && *end == '\0' && *text != '-' && errno == 0;
}

static int parse_dominance(const char *text, double *dominance)
{
    char *end;
    *dominance = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*dominance) && *dominance > 1;
}

static int refuse(const char *option, const char *text, const char *expected)
{
    fprintf(stderr, "generate: %s %s: expected %s\n", option, text, expected);
    return -1;
}

static int parse_options(int argc, char **argv, struct recipe *recipe)
{
    int option;
    while ((option = getopt(argc, argv, "n:s:d:")) != -1) {
        if (option == 'n' && !parse_order(optarg, &recipe->order))
            return refuse("-n", optarg, "an order of at least 1");
        if (option == 's' && !parse_seed(optarg, &recipe->seed))
            return refuse("-s", optarg, "a number that is not negative");
        if (option == 'd' && !parse_dominance(optarg, &recipe->dominance))
            return refuse("-d", optarg, "a number greater than 1");
        if (option == '?')
            return -1;
    }
    if (recipe->order != 0 && optind == argc - 1)
        return 0;
    fputs(USAGE, stderr);
    return -1;
}

int main(int argc, char **argv)
{
    struct recipe recipe = {.seed = 1, .dominance = 1.1};
    if (parse_options(argc, argv, &recipe) != 0)
        return 2;
    recipe.diagonal = malloc((size_t)recipe.order * sizeof *recipe.diagonal);
    if (recipe.diagonal == NULL) {
        fprintf(stderr, "generate: there is no memory for order %d\n", recipe.order);
        return 2;
    }
    make_diagonal(&recipe);
    int status = write_system(argv[optind], &recipe);
    free(recipe.diagonal);
    return status == 0 ? 0 : 2;
}
