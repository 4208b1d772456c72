/* SPDX-License-Identifier: BSD-3-Clause
 * Sparse systems in Matrix Market files. Each process reads through the file and keeps its rows. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "market.h"
#include "matrix.h"

/* What a process keeps of a file. */
struct keeper {
    long displ, count;
    int64_t *next; /* of each row: elements so far, or where the next one goes */
    int64_t *end;  /* of each row: the end of the room for it */
    int *ja;
    double *a;
    int outgrown; /* the file has other entries than before */
};

static void count_entry(void *context, long row, long column, double value)
{
    struct keeper *keeper = context;
    (void)column;
    (void)value;
    if (row >= keeper->displ && row < keeper->displ + keeper->count)
        keeper->next[row - keeper->displ]++;
}

static void keep_entry(void *context, long row, long column, double value)
{
    struct keeper *keeper = context;
    if (row < keeper->displ || row >= keeper->displ + keeper->count)
        return;
    int64_t at = keeper->next[row - keeper->displ]++;
    if (at >= keeper->end[row - keeper->displ]) {
        keeper->outgrown = 1;
        return;
    }
    keeper->ja[at] = (int)column;
    keeper->a[at] = value;
}

/* Opens the matrix, which must have ROWS x COLUMNS elements. */
static int open_sized(struct market *market, const char *path, long rows, long columns,
                      struct problem *problem)
{
    if (market_open(market, path, problem) != 0)
        return -1;
    if (market->rows == rows && market->columns == columns)
        return 0;
    problem_set(problem, "%s: must have %ld rows and %ld columns, has %ld and %ld", path, rows,
                columns, market->rows, market->columns);
    market_close(market);
    return -1;
}

int matrix_order(const char *path, int *n, struct problem *problem)
{
    struct market market;
    if (market_open(&market, path, problem) != 0)
        return -1;
    market_close(&market);
    *n = (int)market.rows;
    if (market.rows != market.columns)
        return problem_set(problem, "%s: the matrix is not square: it has %ld rows and %ld columns",
                           path, market.rows, market.columns);
    return 0;
}

int matrix_pointers(const char *path, int n, int displ, int count, int64_t *ia,
                    struct problem *problem)
{
    struct market market;
    struct keeper keeper = {.displ = displ, .count = count, .next = ia + 1};
    memset(ia, 0, ((size_t)count + 1) * sizeof *ia);
    if (open_sized(&market, path, n, n, problem) != 0)
        return -1;
    int status = market_each(&market, count_entry, &keeper, problem);
    market_close(&market);
    for (int i = 0; i < count; i++)
        ia[i + 1] += ia[i];
    return status;
}

struct element {
    int column;
    int64_t place; /* keeps the order of the file where columns are the same */
    double value;
};

static int compare_elements(const void *one, const void *other)
{
    const struct element *x = one, *y = other;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static int sort_row(int64_t n, int *ja, double *a)
{
    struct element *element = malloc(((size_t)n + 1) * sizeof *element);
    if (element == NULL)
        return -1;
    for (int64_t k = 0; k < n; k++)
        element[k] = (struct element){ja[k], k, a[k]};
    qsort(element, (size_t)n, sizeof *element, compare_elements);
    for (int64_t k = 0; k < n; k++) {
        ja[k] = element[k].column;
        a[k] = element[k].value;
    }
    free(element);
    return 0;
}

static int fill_rows(struct market *market, struct keeper *keeper, const int64_t *ia,
                     struct problem *problem)
{
    if (market_each(market, keep_entry, keeper, problem) != 0)
        return -1;
    int same = !keeper->outgrown;
    for (long i = 0; i < keeper->count; i++)
        same = same && keeper->next[i] == ia[i + 1];
    if (!same)
        return problem_set(problem, "%s: changed while it was read", market->path);
    for (long i = 0; i < keeper->count; i++)
        if (sort_row(ia[i + 1] - ia[i], keeper->ja + ia[i], keeper->a + ia[i]) != 0)
            return problem_set(problem, "%s: there is not enough memory", market->path);
    return 0;
}

int matrix_rows(const char *path, int n, int displ, int count, const int64_t *ia, int *ja,
                double *a, struct problem *problem)
{
    struct market market;
    size_t size = ((size_t)count + 1) * sizeof *ia;
    int64_t *next = malloc(2 * size);
    if (next == NULL)
        return problem_set(problem, "%s: there is not enough memory", path);
    int64_t *end = next + count + 1;
    memcpy(next, ia, size);
    memcpy(end, ia + 1, size - sizeof *ia);
    struct keeper keeper = {displ, count, next, end, ja, a, 0};
    int status = open_sized(&market, path, n, n, problem);
    if (status == 0) {
        status = fill_rows(&market, &keeper, ia, problem);
        market_close(&market);
    }
    free(next);
    return status;
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

struct side {
    long displ, count;
    double *b;
};

static void keep_side(void *context, long row, long column, double value)
{
    struct side *side = context;
    (void)column;
    if (row >= side->displ && row < side->displ + side->count)
        side->b[row - side->displ] += value;
}

static int read_side(const char *path, int n, int displ, int count, double *b,
                     struct problem *problem)
{
    struct market market;
    struct side side = {displ, count, b};
    if (open_sized(&market, path, n, 1, problem) != 0)
        return -1;
    int status = market_each(&market, keep_side, &side, problem);
    market_close(&market);
    return status;
}

int matrix_side(const char *path, int n, int displ, int count, const int64_t *ia, const double *a,
                double *b, struct problem *problem)
{
    struct stat info;
    int status = 0;
    char *side = side_path(path);
    if (side == NULL)
        return problem_set(problem, "%s: there is not enough memory", path);
    memset(b, 0, (size_t)count * sizeof *b);
    if (stat(side, &info) == 0)
        status = read_side(side, n, displ, count, b, problem);
    else
        for (int i = 0; i < count; i++)
            for (int64_t k = ia[i]; k < ia[i + 1]; k++)
                b[i] += a[k];
    free(side);
    return status;
}
