/* SPDX-License-Identifier: BSD-3-Clause
 * The school. */
#include "school.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "output.h"

double school_side(int n)
{
    return 4 * ceil(sqrt(n));
}

/* A number from -0.5 to 0.5 (splitmix64, Steele et al. 2014). */
static double draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0 - 0.5;
}

/* The further from the corner the wider apart they are, so that they differ in work. */
void school_begin(int n, unsigned seed, double *position)
{
    int across = (int)ceil(sqrt(n));
    uint64_t state = seed;
    for (int i = 0; i < n; i++) {
        double x = 1 + i % across, y = 1 + i / across; /* (whole) */
        double wide = 1 + 0.5 * y / across;
        position[2 * i] = wide * x + 0.1 * draw(&state);
        position[2 * i + 1] = wide * y + 0.1 * draw(&state);
    }
}

static void throw_back(double side, double *at, double *velocity)
{
    if (*at < 0 || *at > side) {
        *at = fmin(fmax(*at < 0 ? -*at : 2 * side - *at, 0), side);
        *velocity = -*velocity;
    }
}

void school_move(double side, double step, int displ, int count, const double *position,
                 const double *force, double *velocity, double *moved)
{
    for (int i = 0; i < 2 * count; i++) {
        velocity[i] += step * force[i];
        moved[i] = position[2 * displ + i] + step * velocity[i];
        throw_back(side, &moved[i], &velocity[i]);
    }
}

struct school {
    int n;
    const double *position;
};

static void put(const void *content, FILE *file)
{
    const struct school *school = content;
    for (int i = 0; i < school->n && !ferror(file); i++)
        fprintf(file, "%.17g %.17g\n", school->position[2 * i], school->position[2 * i + 1]);
}

int school_write(const char *path, int n, const double *position, struct problem *problem)
{
    struct school school = {n, position};
    if (output_write(path, put, &school) == 0)
        return 0;
    return problem_set(problem, "%s: %s", path, strerror(errno));
}
