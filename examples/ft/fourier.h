/* SPDX-License-Identifier: BSD-3-Clause
 * Fourier transforms of lines whose lengths are powers of 2. */
#ifndef FOURIER_H
#define FOURIER_H

#include <complex.h>

/* The roots of unity that lines of up to LENGTH values need; malloc. NULL: no memory. */
double complex *fourier_roots(int length);

/* Transforms the LENGTH values at LINE, STEP apart from one another, in place, with WORK for 2 *
 * LENGTH others. DIRECTION: 1 forward (with e to the +i), -1 back, without a factor. ROOTS are for
 * MOST values. */
void fourier_line(double complex *line, long step, int length, int direction,
                  const double complex *roots, int most, double complex *work);

#endif
