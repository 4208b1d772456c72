/* SPDX-License-Identifier: BSD-3-Clause
 * Reading Matrix Market files, value by value. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "market.h"

/* One value of the matrix: row and column count from 0. */
struct entry {
    long row, column;
    double value;
};

static int fail_here(const struct market *market, const char *what, struct problem *problem)
{
    return problem_set(problem, "%s:%ld: %s", market->path, market->number, what);
}

/* The next line that is neither blank nor a comment: 1, or 0 at the end. */
static int next_line(struct market *market)
{
    ssize_t length;
    while ((length = getline(&market->line, &market->capacity, market->file)) >= 0) {
        market->number++;
        while (length > 0 && isspace((unsigned char)market->line[length - 1]))
            market->line[--length] = '\0';
        if (length > 0 && market->line[0] != '%')
            return 1;
    }
    return 0;
}

static int take_integer(char **at, long *value)
{
    char *end;
    errno = 0;
    *value = strtol(*at, &end, 10);
    if (end == *at || errno != 0 || (*end != '\0' && !isspace((unsigned char)*end)))
        return 0;
    *at = end;
    return 1;
}

static int take_value(char **at, double *value)
{
    char *end;
    *value = strtod(*at, &end);
    if (end == *at || !isfinite(*value) || (*end != '\0' && !isspace((unsigned char)*end)))
        return 0;
    *at = end;
    return 1;
}

static int is_word(const char *word, const char *first, const char *second)
{
    return strcasecmp(word, first) == 0 || strcasecmp(word, second) == 0;
}

/* The first line says how the rest is to be read. */
static int read_banner(struct market *market, struct problem *problem)
{
    char object[20], format[20], field[20], symmetry[20], more[2];
    size_t length = sizeof MARKET_BANNER - 1;
    market->number = 1;
    if (getline(&market->line, &market->capacity, market->file) < 0 ||
        strncmp(market->line, MARKET_BANNER, length) != 0 ||
        sscanf(market->line + length, " %19s %19s %19s %19s %1s", object, format, field, symmetry,
               more) != 4 ||
        strcasecmp(object, "matrix") != 0 || !is_word(format, "array", "coordinate"))
        return fail_here(
            market, "expected " MARKET_BANNER " matrix array|coordinate FIELD SYMMETRY", problem);
    market->coordinate = strcasecmp(format, "coordinate") == 0;
    market->pattern = strcasecmp(field, "pattern") == 0;
    market->symmetric = strcasecmp(symmetry, "symmetric") == 0;
    if (!is_word(field, "real", "integer") && !(market->pattern && market->coordinate))
        return fail_here(market, "the values must be real, integer or, with coordinates, pattern",
                         problem);
    if (!is_word(symmetry, "general", "symmetric"))
        return fail_here(market, "the matrix must be general or symmetric", problem);
    return 0;
}

static int read_size(struct market *market, struct problem *problem)
{
    if (!next_line(market))
        return problem_set(problem, "%s: ends before the line with its size", market->path);
    char *at = market->line;
    int good = take_integer(&at, &market->rows) && take_integer(&at, &market->columns) &&
               (!market->coordinate || take_integer(&at, &market->entries)) && *at == '\0';
    if (!good)
        return fail_here(market,
                         market->coordinate ? "expected the number of rows, columns and entries"
                                            : "expected the number of rows and columns",
                         problem);
    if (market->rows < 1 || market->rows > MARKET_MAX_ORDER || market->columns < 1 ||
        market->columns > MARKET_MAX_ORDER || market->entries < 0)
        return fail_here(market, "the size is out of range", problem);
    if (market->symmetric && market->rows != market->columns)
        return fail_here(market, "a symmetric matrix must be square", problem);
    if (!market->coordinate)
        market->entries = market->symmetric ? market->rows * (market->rows + 1) / 2
                                            : market->rows * market->columns;
    return 0;
}

int market_open(struct market *market, const char *path, struct problem *problem)
{
    struct stat info;
    *market = (struct market){.path = path};
    if (stat(path, &info) != 0 ||
        (S_ISREG(info.st_mode) && (market->file = fopen(path, "r")) == NULL))
        return problem_set(problem, "%s: %s", path, strerror(errno));
    if (market->file == NULL)
        return problem_set(problem, "%s: is not an ordinary file", path);
    if (read_banner(market, problem) == 0 && read_size(market, problem) == 0)
        return 0;
    market_close(market);
    return -1;
}

void market_close(struct market *market)
{
    fclose(market->file);
    free(market->line);
}

static int parse_coordinate(const struct market *market, struct entry *entry,
                            struct problem *problem)
{
    char *at = market->line;
    entry->value = 1;
    int good = take_integer(&at, &entry->row) && take_integer(&at, &entry->column) &&
               (market->pattern || take_value(&at, &entry->value)) && *at == '\0';
    if (!good)
        return fail_here(market,
                         market->pattern ? "expected a row and a column"
                                         : "expected a row, a column and a finite value",
                         problem);
    if (entry->row < 1 || entry->row > market->rows || entry->column < 1 ||
        entry->column > market->columns)
        return fail_here(market, "the entry is outside the matrix", problem);
    if (market->symmetric && entry->column > entry->row)
        return fail_here(market, "a symmetric matrix is given by its lower triangle", problem);
    entry->row--;
    entry->column--;
    return 0;
}

/* Array values come column by column; those of a symmetric matrix from the diagonal down. */
static int parse_array(const struct market *market, struct entry *entry, struct problem *problem)
{
    if (++entry->row == market->rows) {
        entry->column++;
        entry->row = market->symmetric ? entry->column : 0;
    }
    char *at = market->line;
    if (!take_value(&at, &entry->value) || *at != '\0')
        return fail_here(market, "expected one finite value", problem);
    return 0;
}

int market_each(struct market *market,
                void (*visit)(void *context, long row, long column, double value), void *context,
                struct problem *problem)
{
    struct entry entry = {.row = -1};
    for (long k = 0; k < market->entries; k++) {
        if (!next_line(market))
            return problem_set(problem, "%s: is truncated: it has %ld of its %ld values",
                               market->path, k, market->entries);
        if (market->coordinate ? parse_coordinate(market, &entry, problem)
                               : parse_array(market, &entry, problem))
            return -1;
        visit(context, entry.row, entry.column, entry.value);
        if (market->symmetric && entry.row != entry.column)
            visit(context, entry.column, entry.row, entry.value);
    }
    if (next_line(market))
        return fail_here(market, "there are more values than the size says", problem);
    if (ferror(market->file))
        return problem_set(problem, "%s: %s", market->path, strerror(errno));
    return 0;
}
