/* SPDX-License-Identifier: BSD-3-Clause
 * A field of complex values on a three-dimensional grid, in slabs: each process has some of the
 * planes across z, or, transposed, some of those across y. */
#ifndef FIELD_H
#define FIELD_H

#include <complex.h>
#include <stdint.h>

struct field {
    int n[3];              /* points in x, y, z: powers of 2 */
    int rank, size;        /* of the processes, which divides n[1] and n[2] */
    double complex *value; /* [z here][y][x], or, transposed, [y here][z][x] */
    double complex *other; /* room for as many: what is sent and received */
    double complex *work, *roots;
    int most; /* of n */
};

/* 0; -1: no memory. */
int field_make(struct field *field, const int n[3], int rank, int size);
void field_free(struct field *field);

/* Uniform pseudo-random numbers between 0 and 1 (NPB's: 5^13, modulo 2^46), as the whole field's
 * points get them one after another, real and imaginary part. */
void field_randomize(struct field *field, uint64_t seed);

/* Forward to the transposed field of frequencies, and back, without a factor. Collective. */
void field_forward(struct field *field);
void field_back(struct field *field);

/* VALUE, of the frequencies, times e to the -4 ALPHA pi^2 times the square of the frequency. */
void field_evolve(const struct field *field, double complex *value, double alpha);

/* NPB's sum of 1,024 of the values, divided by their number; of the whole field. Collective. */
double complex field_checksum(const struct field *field);

#endif
