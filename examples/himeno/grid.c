/* SPDX-License-Identifier: BSD-3-Clause
 * A part of the grid, and Jacobi's method on it. */
#include "grid.h"

#include <stdlib.h>

static const float omega = 0.8f;

static size_t points_of(const struct grid *grid)
{
    return (size_t)grid->size[0] * grid->size[1] * grid->size[2];
}

static size_t at(const struct grid *grid, int i, int j, int k)
{
    return ((size_t)i * grid->size[1] + j) * grid->size[2] + k;
}

/* The inner points of a dimension in blocks of equal length; the first ones have one more each of
 * the rest. */
static void divide(int whole, int parts, int part, int *size, int *first)
{
    int inner = whole - 2, rest = inner % parts;
    *size = inner / parts + (part < rest) + 2;
    *first = part * (inner / parts) + (part < rest ? part : rest);
}

static float *fill(size_t n, float value)
{
    float *values = malloc(n * sizeof *values);
    for (size_t i = 0; values != NULL && i < n; i++)
        values[i] = value;
    return values;
}

/* The coefficients of the benchmark; the pressure grows with the square of i. */
static int set_values(struct grid *grid, int whole)
{
    static const float a[] = {1, 1, 1, 1.0f / 6}, b = 0, c = 1;
    size_t n = points_of(grid);
    int complete = 1;
    for (int m = 0; m < 10; m++) {
        grid->coefficient[m] = fill(n, m < 4 ? a[m] : m < 7 ? b : c);
        complete = complete && grid->coefficient[m] != NULL;
    }
    grid->pressure = fill(n, 0);
    grid->next = fill(n, 0);
    grid->source = fill(n, 0);
    grid->bound = fill(n, 1);
    if (!complete || grid->pressure == NULL || grid->next == NULL || grid->source == NULL ||
        grid->bound == NULL)
        return -1;
    for (int i = 0; i < grid->size[0]; i++) {
        int global = grid->first[0] + i;
        float value = (float)(global * global) / (float)((whole - 1) * (whole - 1));
        for (size_t k = at(grid, i, 0, 0); k < at(grid, i + 1, 0, 0); k++)
            grid->pressure[k] = grid->next[k] = value;
    }
    return 0;
}

int grid_make(struct grid *grid, const int whole[3], MPI_Comm comm)
{
    int parts[3], periods[3], place[3];
    *grid = (struct grid){.pressure = NULL};
    MPI_Cart_get(comm, 3, parts, periods, place);
    for (int d = 0; d < 3; d++) {
        if (whole[d] - 2 < parts[d])
            return -1;
        divide(whole[d], parts[d], place[d], &grid->size[d], &grid->first[d]);
    }
    return set_values(grid, whole[0]);
}

void grid_free(struct grid *grid)
{
    for (int m = 0; m < 10; m++)
        free(grid->coefficient[m]);
    free(grid->pressure);
    free(grid->next);
    free(grid->source);
    free(grid->bound);
}

/* A plane across dimension D. */
static MPI_Datatype plane_of(const struct grid *grid, int d)
{
    const int *n = grid->size;
    MPI_Datatype plane;
    if (d == 0)
        MPI_Type_contiguous(n[1] * n[2], MPI_FLOAT, &plane);
    else if (d == 1)
        MPI_Type_vector(n[0], n[2], n[1] * n[2], MPI_FLOAT, &plane);
    else
        MPI_Type_vector(n[0] * n[1], 1, n[2], MPI_FLOAT, &plane);
    MPI_Type_commit(&plane);
    return plane;
}

void grid_exchange(struct grid *grid, MPI_Comm comm)
{
    for (int d = 0; d < 3; d++) { /* whole planes one dimension after the other: edges come, too */
        const size_t step = d == 0 ? at(grid, 1, 0, 0) : d == 1 ? at(grid, 0, 1, 0) : 1;
        const size_t last = (size_t)(grid->size[d] - 1);
        float *p = grid->pressure;
        MPI_Datatype plane = plane_of(grid, d);
        int before, behind;
        MPI_Cart_shift(comm, d, 1, &before, &behind);
        MPI_Sendrecv(p + step, 1, plane, before, 0, p + last * step, 1, plane, behind, 0, comm,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(p + (last - 1) * step, 1, plane, behind, 1, p, 1, plane, before, 1, comm,
                     MPI_STATUS_IGNORE);
        MPI_Type_free(&plane);
    }
}

/* What the point at X is to be changed by, before it is relaxed; X, Y, Z: the distances of
 * neighbours. */
static float difference(const struct grid *grid, size_t x, size_t I, size_t J)
{
    const float *p = grid->pressure + x;
    float *const *m = grid->coefficient;
    float sum = m[0][x] * p[I] + m[1][x] * p[J] + m[2][x] * p[1] +
                m[4][x] * (p[I + J] - *(p + I - J) - *(p - I + J) + *(p - I - J)) +
                m[5][x] * (p[J + 1] - *(p - J + 1) - *(p + J - 1) + *(p - J - 1)) +
                m[6][x] * (p[I + 1] - *(p - I + 1) - *(p + I - 1) + *(p - I - 1)) +
                m[7][x] * *(p - I) + m[8][x] * *(p - J) + m[9][x] * *(p - 1) + grid->source[x];
    return (sum * m[3][x] - *p) * grid->bound[x];
}

double grid_relax(struct grid *grid)
{
    const size_t I = at(grid, 1, 0, 0), J = at(grid, 0, 1, 0);
    double squares = 0;
    for (int i = 1; i < grid->size[0] - 1; i++)
        for (int j = 1; j < grid->size[1] - 1; j++)
            for (int k = 1; k < grid->size[2] - 1; k++) {
                size_t x = at(grid, i, j, k);
                float off = difference(grid, x, I, J);
                squares += (double)(off * off);
                grid->next[x] = grid->pressure[x] + omega * off;
            }
    for (int i = 1; i < grid->size[0] - 1; i++)
        for (int j = 1; j < grid->size[1] - 1; j++)
            for (int k = 1; k < grid->size[2] - 1; k++) {
                size_t x = at(grid, i, j, k);
                grid->pressure[x] = grid->next[x];
            }
    return squares;
}
