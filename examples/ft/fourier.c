/* SPDX-License-Identifier: BSD-3-Clause
 * Fourier transforms of lines: Stockham's algorithm, which sorts as it goes. */
#include "fourier.h"

#include <math.h>
#include <stdlib.h>

double complex *fourier_roots(int length)
{
    const double pi = acos(-1);
    double complex *roots = malloc((size_t)length * sizeof *roots);
    for (int i = 0; roots != NULL && i < length; i++)
        roots[i] = cos(2 * pi * i / length) + I * sin(2 * pi * i / length);
    return roots;
}

/* One step: N values in groups of STRIDE from FROM to TO, where the distance is halved. */
static void combine(int n, int stride, const double complex *from, double complex *to,
                    const double complex *roots, int most, int direction)
{
    int half = n / 2;
    for (int p = 0; p < half; p++) {
        double complex root = roots[p * (most / n)];
        root = direction > 0 ? root : conj(root);
        for (int q = 0; q < stride; q++) {
            double complex a = from[q + stride * p], b = from[q + stride * (p + half)];
            to[q + stride * 2 * p] = a + b;
            to[q + stride * (2 * p + 1)] = (a - b) * root;
        }
    }
}

void fourier_line(double complex *line, long step, int length, int direction,
                  const double complex *roots, int most, double complex *work)
{
    double complex *from = work, *to = work + length;
    for (int i = 0; i < length; i++)
        from[i] = line[i * step];
    for (int n = length, stride = 1; n > 1; n /= 2, stride *= 2) {
        combine(n, stride, from, to, roots, most, direction);
        double complex *other = from;
        from = to;
        to = other;
    }
    for (int i = 0; i < length; i++)
        line[i * step] = from[i];
}
