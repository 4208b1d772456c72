/* SPDX-License-Identifier: BSD-3-Clause
 * Particles in a square that attract and repel one another by Van der Waals forces. They are
 * divided into blocks over the processes; as they move about, some come to have more neighbours,
 * and more work, than others. The pragmas are for compilers that know them; any MPI compiler will
 * do. */
#define _POSIX_C_SOURCE 200809L
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "forces.h"
#include "school.h"

#define USAGE "usage: fish [-n PARTICLES] [-i ITERATIONS] [-d STEP] [-s SEED] [-o FILE]"

enum { MOST_PARTICLES = 100000000 };

struct options {
    int particles, iterations, seed;
    double step;
    const char *output; /* file to write, NULL for none */
};

static int parse_int(const char *text, int least, int most, int *number)
{
    char *end;
    long value = strtol(text, &end, 10);
    *number = (int)value;
    return end != text && *end == '\0' && value >= least && value <= most;
}

static int parse_step(const char *text, double *step)
{
    char *end;
    *step = strtod(text, &end);
    return end != text && *end == '\0' && *step > 0 && *step <= 0.01;
}

static int parse_options(int argc, char **argv, struct options *options, struct problem *problem)
{
    int option;
    *options = (struct options){.particles = 4000, .iterations = 200, .seed = 1, .step = 0.005};
    opterr = 0;
    while ((option = getopt(argc, argv, "n:i:d:s:o:")) != -1) {
        if (option == 'n' && !parse_int(optarg, 1, MOST_PARTICLES, &options->particles))
            return problem_set(problem, "-n %s: expected a number of particles", optarg);
        if (option == 'i' && !parse_int(optarg, 1, INT_MAX, &options->iterations))
            return problem_set(problem, "-i %s: expected a number of iterations", optarg);
        if (option == 'd' && !parse_step(optarg, &options->step))
            return problem_set(problem, "-d %s: expected a time of at most 0.01", optarg);
        if (option == 's' && !parse_int(optarg, 0, INT_MAX, &options->seed))
            return problem_set(problem, "-s %s: expected a number that is not negative", optarg);
        if (option == 'o')
            options->output = optarg;
        if (option == '?')
            return problem_set(problem, USAGE);
    }
    return optind == argc ? 0 : problem_set(problem, USAGE);
}

/* Whether a process failed; the first of those that did says why. */
static int any_failed(int rank, int status, const struct problem *problem)
{
    int failed = status != 0 ? rank : INT_MAX, first;
    MPI_Allreduce(&failed, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == rank)
        fprintf(stderr, "fish: %s\n", problem->text);
    return first != INT_MAX;
}

/* Blocks of particles of equal length; the first ones take one more each of the rest. */
static void divide(int n, int rank, int size, int *count, int *displ)
{
    int rest = n % size;
    *count = n / size + (rank < rest);
    *displ = rank * (n / size) + (rank < rest ? rank : rest);
}

static void give_up(const char *what)
{
    fprintf(stderr, "fish: there is no memory for %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

int main(int argc, char **argv)
{
    int rank, size, n, count, displ, it;
    int *counts, *displs; /* of all processes, in coordinates: two for a particle */
    double *position, *velocity, *force, *moved;
    struct options options;
    struct problem problem = {""};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int status = parse_options(argc, argv, &options, &problem);
#pragma xmpi initial
    if (any_failed(rank, status, &problem)) {
        MPI_Finalize();
        return 2;
    }

    n = options.particles;
    double side = school_side(n);
#pragma xmpi domain(n) range(count, displ)
    divide(n, rank, size, &count, &displ);

    position = malloc(2 * (size_t)n * sizeof *position);
    velocity = calloc(2 * (size_t)count + 1, sizeof *velocity);
    if (position == NULL || velocity == NULL)
        give_up("the particles");
#pragma xmpi initial
    school_begin(n, (unsigned)options.seed, position);

#pragma xmpi setup
    {
        force = malloc((2 * (size_t)count + 1) * sizeof *force);
        moved = malloc((2 * (size_t)count + 1) * sizeof *moved);
        counts = malloc((size_t)size * sizeof *counts);
        displs = malloc((size_t)size * sizeof *displs);
        if (force == NULL || moved == NULL || counts == NULL || displs == NULL)
            give_up("the blocks of all processes");
        int own = 2 * count, first = 2 * displ;
        MPI_Allgather(&own, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Allgather(&first, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    }

#pragma xmpi data distributed(velocity[n][2]) replicated(position[n][2])

    double start = MPI_Wtime();
#pragma xmpi loop iterations(options.iterations)
    for (it = 0; it < options.iterations; it++) {
        if (forces(n, side, position, displ, count, force) < 0)
            give_up("the cells");
        school_move(side, options.step, displ, count, position, force, velocity, moved);
        MPI_Allgatherv(moved, 2 * count, MPI_DOUBLE, position, counts, displs, MPI_DOUBLE,
                       MPI_COMM_WORLD);
    }
    double seconds = MPI_Wtime() - start;

    status = rank == 0 && options.output != NULL
                 ? school_write(options.output, n, position, &problem)
                 : 0;
    int failed = any_failed(rank, status, &problem);
    if (rank == 0 && !failed) {
        printf("iterations %d\n", it);
        printf("seconds %.6f\n", seconds);
        printf("seconds_per_iteration %.9f\n", seconds / it);
    }
    free(position);
    free(velocity);
    free(force);
    free(moved);
    free(counts);
    free(displs);
    MPI_Finalize();
    return failed;
}
