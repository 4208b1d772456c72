/* SPDX-License-Identifier: BSD-3-Clause
 * Linear systems in files: which format a file has, the binary one, and what the solver needs of
 * either. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "market.h"
#include "system.h"

enum { MAGIC = sizeof SYSTEM_MAGIC - 1, BANNER = sizeof MARKET_BANNER - 1 };

/* Opens an ordinary file and tells how many bytes it has; NULL with PROBLEM. */
static FILE *open_file(const char *path, int64_t *size, struct problem *problem)
{
    struct stat info;
    FILE *file = NULL;
    if (stat(path, &info) != 0 || (S_ISREG(info.st_mode) && (file = fopen(path, "rb")) == NULL))
        problem_set(problem, "%s: %s", path, strerror(errno));
    else if (file == NULL)
        problem_set(problem, "%s: is not an ordinary file", path);
    else
        *size = info.st_size;
    return file;
}

enum kind { UNUSABLE, BINARY, MARKET };

/* The format, by the first characters, and in a binary file the order, checked against its size. */
static enum kind examine(FILE *file, int64_t size, const char *path, int64_t *order,
                         struct problem *problem)
{
    char start[BANNER] = {0};
    size_t length = fread(start, 1, BANNER, file);
    if (length == BANNER && memcmp(start, MARKET_BANNER, BANNER) == 0)
        return MARKET;
    if (length < MAGIC || memcmp(start, SYSTEM_MAGIC, MAGIC) != 0) {
        problem_set(problem, "%s: is neither a binary system nor a Matrix Market file", path);
        return UNUSABLE;
    }
    if (fseeko(file, MAGIC, SEEK_SET) != 0 || fread(order, sizeof *order, 1, file) != 1) {
        problem_set(problem, "%s: is truncated: it ends inside its header", path);
        return UNUSABLE;
    }
    if (*order < 1 || *order > SYSTEM_MAX_ORDER) {
        problem_set(problem, "%s: its order %lld is not in 1..%d", path, (long long)*order,
                    SYSTEM_MAX_ORDER);
        return UNUSABLE;
    }
    int64_t expected = SYSTEM_HEADER + (int64_t)sizeof(double) * *order * (*order + 1);
    if (size != expected) {
        problem_set(problem, "%s: %s: it has %lld bytes, a system of order %lld has %lld", path,
                    size < expected ? "is truncated" : "is too long", (long long)size,
                    (long long)*order, (long long)expected);
        return UNUSABLE;
    }
    return BINARY;
}

static int market_order(const char *path, int64_t *order, struct problem *problem)
{
    struct market market;
    if (market_open(&market, path, problem) != 0)
        return -1;
    market_close(&market);
    *order = market.rows;
    if (market.rows != market.columns)
        return problem_set(problem, "%s: the matrix is not square: it has %ld rows and %ld columns",
                           path, market.rows, market.columns);
    return 0;
}

int system_order(const char *path, int *n, struct problem *problem)
{
    int64_t size, order = 0;
    FILE *file = open_file(path, &size, problem);
    if (file == NULL)
        return -1;
    enum kind kind = examine(file, size, path, &order, problem);
    fclose(file);
    if (kind == UNUSABLE || (kind == MARKET && market_order(path, &order, problem) != 0))
        return -1;
    *n = (int)order;
    return 0;
}

static int read_doubles(FILE *file, int64_t first, size_t count, double *to)
{
    off_t offset = SYSTEM_HEADER + (off_t)sizeof *to * first;
    return fseeko(file, offset, SEEK_SET) == 0 && fread(to, sizeof *to, count, file) == count;
}

static int binary_rows(FILE *file, const char *path, int n, int displ, int count, double *A,
                       double *b, struct problem *problem)
{
    int64_t order = n;
    if (read_doubles(file, order * displ, (size_t)count * (size_t)n, A) &&
        read_doubles(file, order * order + displ, (size_t)count, b))
        return 0;
    return problem_set(problem, "%s: cannot read rows %d to %d: %s", path, displ + 1, displ + count,
                       ferror(file) ? strerror(errno) : "the file has become shorter");
}

/* The file with the right-hand side of NAME.mtx: NAME_b.mtx. Free the result. */
static char *side_path(const char *path)
{
    size_t length = strlen(path), stem = length;
    if (length > 4 && strcmp(path + length - 4, ".mtx") == 0)
        stem = length - 4;
    char *side = malloc(length + 3);
    if (side != NULL)
        sprintf(side, "%.*s_b%s", (int)stem, path, path + stem);
    return side;
}

/* Some rows of a matrix, one after another. */
struct rows {
    long displ, count, columns;
    double *values;
};

static void add(void *context, long row, long column, double value)
{
    const struct rows *rows = context;
    if (row >= rows->displ && row < rows->displ + rows->count)
        rows->values[(size_t)(row - rows->displ) * (size_t)rows->columns + (size_t)column] += value;
}

/* Adds rows DISPL to DISPL + COUNT - 1 to VALUES. */
static int market_rows(struct market *market, int displ, int count, double *values,
                       struct problem *problem)
{
    struct rows rows = {displ, count, market->columns, values};
    return market_each(market, add, &rows, problem);
}

static int read_side(const char *path, int n, int displ, int count, double *b,
                     struct problem *problem)
{
    struct market market;
    if (market_open(&market, path, problem) != 0)
        return -1;
    int status;
    if (market.rows != n || market.columns != 1)
        status = problem_set(problem, "%s: must have %d rows and 1 column, has %ld and %ld", path,
                             n, market.rows, market.columns);
    else
        status = market_rows(&market, displ, count, b, problem);
    market_close(&market);
    return status;
}

static void sum_rows(int n, int count, const double *A, double *b)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < n; j++)
            b[i] += A[(size_t)i * (size_t)n + (size_t)j];
}

static int market_system(const char *path, int n, int displ, int count, double *A, double *b,
                         struct problem *problem)
{
    struct market market;
    struct stat info;
    memset(A, 0, (size_t)count * (size_t)n * sizeof *A);
    memset(b, 0, (size_t)count * sizeof *b);
    if (market_open(&market, path, problem) != 0)
        return -1;
    int status = market.rows == n && market.columns == n
                     ? market_rows(&market, displ, count, A, problem)
                     : problem_set(problem, "%s: changed while it was read", path);
    market_close(&market);
    if (status != 0)
        return -1;
    char *side = side_path(path);
    if (side == NULL)
        return problem_set(problem, "%s: there is not enough memory", path);
    if (stat(side, &info) == 0)
        status = read_side(side, n, displ, count, b, problem);
    else
        sum_rows(n, count, A, b);
    free(side);
    return status;
}

/* What would make the iteration meaningless. */
static int check_rows(const char *path, int n, int displ, int count, const double *A,
                      const double *b, struct problem *problem)
{
    for (int i = 0; i < count; i++) {
        const double *row = A + (size_t)i * (size_t)n;
        int finite = isfinite(b[i]);
        for (int j = 0; j < n; j++)
            finite = finite && isfinite(row[j]);
        if (!finite)
            return problem_set(problem, "%s: row %d has a value that is not finite", path,
                               displ + i + 1);
        if (row[displ + i] == 0)
            return problem_set(problem, "%s: row %d has a zero on the diagonal: reorder the rows",
                               path, displ + i + 1);
    }
    return 0;
}

int system_rows(const char *path, int n, int displ, int count, double *A, double *b,
                struct problem *problem)
{
    int64_t size, order = n;
    FILE *file = open_file(path, &size, problem);
    if (file == NULL)
        return -1;
    enum kind kind = examine(file, size, path, &order, problem);
    int status = -1;
    if (kind == BINARY && order == n)
        status = binary_rows(file, path, n, displ, count, A, b, problem);
    else if (kind == MARKET)
        status = market_system(path, n, displ, count, A, b, problem);
    else if (kind == BINARY)
        problem_set(problem, "%s: changed while it was read", path);
    fclose(file);
    return status == 0 ? check_rows(path, n, displ, count, A, b, problem) : -1;
}
