/* SPDX-License-Identifier: BSD-3-Clause
 * A field in slabs, its Fourier transform, and NPB's checksum. */
#include "field.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "fourier.h"

enum { SUMMED = 1024 };

static long points_of(const struct field *field)
{
    return (long)field->n[0] * field->n[1] * (field->n[2] / field->size);
}

int field_make(struct field *field, const int n[3], int rank, int size)
{
    *field = (struct field){.n = {n[0], n[1], n[2]}, .rank = rank, .size = size};
    for (int d = 0; d < 3; d++)
        field->most = n[d] > field->most ? n[d] : field->most;
    size_t points = (size_t)points_of(field);
    field->value = malloc(points * sizeof *field->value);
    field->other = malloc(points * sizeof *field->other);
    field->work = malloc(2 * (size_t)field->most * sizeof *field->work);
    field->roots = fourier_roots(field->most);
    return field->value != NULL && field->other != NULL && field->work != NULL &&
                   field->roots != NULL
               ? 0
               : -1;
}

void field_free(struct field *field)
{
    free(field->value);
    free(field->other);
    free(field->work);
    free(field->roots);
}

/* --- the beginning -------------------------------------------------------------------------------
 */

static const uint64_t multiplier = 1220703125; /* 5^13 */
static const uint64_t modulus_mask = ((uint64_t)1 << 46) - 1;

/* SEED after N steps. */
static uint64_t advanced(uint64_t seed, uint64_t n)
{
    for (uint64_t a = multiplier; n > 0; n /= 2, a = a * a & modulus_mask)
        if (n % 2 != 0)
            seed = seed * a & modulus_mask;
    return seed;
}

static double drawn(uint64_t *seed)
{
    *seed = *seed * multiplier & modulus_mask;
    return (double)*seed * 0x1p-46;
}

void field_randomize(struct field *field, uint64_t seed)
{
    long points = points_of(field);
    seed = advanced(seed, 2 * (uint64_t)points * (uint64_t)field->rank);
    for (long i = 0; i < points; i++) {
        double real = drawn(&seed);
        field->value[i] = real + I * drawn(&seed);
    }
}

/* --- transforms ----------------------------------------------------------------------------------
 */

/* All lines of LENGTH values, STEP apart, of a block of BLOCK values in which they are neighbours.
 */
static void transform(struct field *field, long step, int length, int direction)
{
    long points = points_of(field), block = step * length;
    for (long first = 0; first < points; first += block)
        for (long i = 0; i < step; i++)
            fourier_line(field->value + first + i, step, length, direction, field->roots,
                         field->most, field->work);
}

/* Between slabs across two dimensions: FROM planes here of TO lines each of which every process
 * gets its share, in pieces [plane][line], which become [line][plane]. */
static void transpose(struct field *field, int from, int to)
{
    long x = field->n[0];
    int planes = from / field->size, lines = to / field->size;
    size_t line = (size_t)x * sizeof *field->value;
    double complex *piece = field->other;
    for (int process = 0; process < field->size; process++)
        for (int p = 0; p < planes; p++, piece += lines * x)
            memcpy(piece, field->value + ((long)p * to + process * lines) * x, lines * line);
    int count = (int)(planes * lines * x);
    MPI_Alltoall(field->other, count, MPI_C_DOUBLE_COMPLEX, field->value, count,
                 MPI_C_DOUBLE_COMPLEX, MPI_COMM_WORLD);
    for (int process = 0; process < field->size; process++)
        for (int p = 0; p < planes; p++)
            for (int l = 0; l < lines; l++)
                memcpy(field->other + ((long)l * from + process * planes + p) * x,
                       field->value + (((long)process * planes + p) * lines + l) * x, line);
    double complex *arranged = field->other;
    field->other = field->value;
    field->value = arranged;
}

void field_forward(struct field *field)
{
    const int *n = field->n;
    transform(field, 1, n[0], 1);
    transform(field, n[0], n[1], 1);
    transpose(field, n[2], n[1]);
    transform(field, n[0], n[2], 1);
}

void field_back(struct field *field)
{
    const int *n = field->n;
    transform(field, n[0], n[2], -1);
    transpose(field, n[1], n[2]);
    transform(field, n[0], n[1], -1);
    transform(field, 1, n[0], -1);
}

/* The frequency that the index I of N stands for. */
static int frequency(int i, int n)
{
    return (i + n / 2) % n - n / 2;
}

void field_evolve(const struct field *field, double complex *value, double alpha)
{
    const double pi = acos(-1), factor = -4 * alpha * pi * pi;
    const int *n = field->n;
    int lines = n[1] / field->size;
    for (int j = 0; j < lines; j++)
        for (int k = 0; k < n[2]; k++)
            for (int i = 0; i < n[0]; i++) {
                int x = frequency(i, n[0]), z = frequency(k, n[2]);
                int y = frequency(field->rank * lines + j, n[1]);
                value[((long)j * n[2] + k) * n[0] + i] *= exp(factor * (x * x + y * y + z * z));
            }
}

double complex field_checksum(const struct field *field)
{
    const int *n = field->n;
    int planes = n[2] / field->size;
    double complex own = 0, sum;
    for (int j = 1; j <= SUMMED; j++) {
        int x = j % n[0], y = 3 * j % n[1], z = 5 * j % n[2] - field->rank * planes;
        if (z >= 0 && z < planes)
            own += field->value[((long)z * n[1] + y) * n[0] + x];
    }
    MPI_Allreduce(&own, &sum, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
    return sum / ((double)n[0] * n[1] * n[2]);
}
