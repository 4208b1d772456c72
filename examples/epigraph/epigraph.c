/* SPDX-License-Identifier: BSD-3-Clause
 * Simulates an epidemic on the network of contacts of several urban regions, after Algorithm 11 of
 * G. Martin Cruz (PhD thesis, UC3M 2015). The persons are divided into blocks over the processes.
 * The pragmas are for compilers that know them; any MPI compiler will do. */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "day.h"
#include "draw.h"
#include "exposure.h"
#include "options.h"
#include "outcome.h"
#include "population.h"
#include "spread.h"

/* Whether a process failed; the first of those that did says why. */
static int any_failed(int rank, int status, const struct problem *problem)
{
    int failed = status != 0 ? rank : INT_MAX, first;
    MPI_Allreduce(&failed, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == rank)
        fprintf(stderr, "epigraph: %s\n", problem->text);
    return first != INT_MAX;
}

/* Ends the program before it has begun: with STATUS, and with 0 after the list of parameters. */
static int leave(int rank, const struct options *options, int status)
{
    if (rank == 0 && status == 0)
        parameters_print(&options->model.parameters, stdout);
    MPI_Finalize();
    return status;
}

/* Blocks of persons of equal length; the first ones take one more each of the rest. */
static void divide_persons(int n, int rank, int size, int *count, int *displ)
{
    int rest = n % size;
    *count = n / size + (rank < rest);
    *displ = rank * (n / size) + (rank < rest ? rank : rest);
}

static int check_region(const struct options *options, const struct shape *shape,
                        struct problem *problem)
{
    if (options->region < shape->regions)
        return 0;
    return problem_set(problem, "-r %d: %s has regions 0 to %d", options->region,
                       options->population, shape->regions - 1);
}

static int read_regions(const char *path, const struct shape *shape, struct region *region,
                        struct problem *problem)
{
    if (region == NULL)
        return problem_set(problem, "there is no memory for %d regions", shape->regions);
    return population_regions(path, shape, region, problem);
}

/* The persons of the block. */
static int read_persons(const char *path, const struct shape *shape, int displ, int count,
                        struct person *person, double *work, struct problem *problem)
{
    uint8_t *age = malloc((size_t)count + 1);
    if (age == NULL || person == NULL || work == NULL) {
        free(age);
        return problem_set(problem, "there is no memory for %d persons", count);
    }
    int status = population_ages(path, shape, displ, count, age, problem);
    for (int i = 0; status == 0 && i < count; i++) {
        person[i] = model_newborn(age[i]);
        work[i] = 1;
    }
    free(age);
    return status;
}

/* Where the contacts of each person of the block begin. */
static int read_pointers(const char *path, const struct shape *shape, int displ, int count,
                         int64_t *contact, struct problem *problem)
{
    if (contact == NULL)
        return problem_set(problem, "there is no memory for %d persons", count);
    return population_pointers(path, shape, displ, count, contact, problem);
}

static int read_contacts(const char *path, const struct shape *shape, int displ, int count,
                         const int64_t *contact, int32_t *other, uint8_t *kind,
                         struct problem *problem)
{
    if (other == NULL || kind == NULL)
        return problem_set(problem, "there is no memory for the contacts of %d persons", count);
    return population_contacts(path, shape, displ, count, contact, other, kind, problem);
}

/* The first infections, in one region. */
static void infect_first(const struct options *options, const struct region *region, int displ,
                         int count, struct person *person)
{
    for (int k = 0; k < options->seeds; k++) {
        struct words words = draw(options->model.seed, DRAW_SEED, (uint32_t)k, 0, 0);
        int who = (int)region->first + (int)below(words.word[0], (uint64_t)region->persons);
        if (who >= displ && who < displ + count)
            model_expose(&options->model, 0, who, who, &person[who - displ]);
    }
}

static uint64_t fingerprint(const struct person *person, int displ, int count)
{
    uint64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += model_fingerprint(displ + i, &person[i]);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size, persons, regions, steps, count, displ, step;
    int *displs; /* the first person of every process */
    struct options options;
    struct shape shape;
    struct problem problem = {""};
    struct region *region;
    struct person *person;
    int64_t *contact, *counts;
    int32_t *other = NULL;
    uint8_t *kind = NULL;
    int *until;
    double *work, *flow, *distancing;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int status = options_parse(argc, argv, &options, &problem);
    steps = options.days * options.model.steps;

#pragma xmpi initial
    {
        if (status == 0 && !options.help)
            status = population_shape(options.population, &shape, &problem);
        if (status == 0 && !options.help)
            status = check_region(&options, &shape, &problem);
        if (any_failed(rank, status, &problem))
            return leave(rank, &options, 2);
        if (options.help)
            return leave(rank, &options, 0);
        persons = shape.persons;
        regions = shape.regions;
    }

#pragma xmpi domain(persons) range(count, displ)
    divide_persons(persons, rank, size, &count, &displ);

    /* One more than needed, as a process may have no person and malloc(0) may give NULL. */
    person = malloc(((size_t)count + 1) * sizeof *person);
    work = malloc(((size_t)count + 1) * sizeof *work);
    contact = malloc(((size_t)count + 1) * sizeof *contact);
    region = malloc((size_t)regions * sizeof *region);
    flow = malloc((size_t)regions * (size_t)regions * sizeof *flow);
    until = calloc((size_t)regions, sizeof *until);
    distancing = calloc((size_t)regions, sizeof *distancing);
    /* Of the time before the first day, and of each day. */
    counts = calloc(((size_t)options.days + 1) * (size_t)regions * COLUMNS, sizeof *counts);

#pragma xmpi initial
    {
        status = flow == NULL || until == NULL || distancing == NULL || counts == NULL
                     ? problem_set(&problem, "there is no memory for %d regions", regions)
                     : read_regions(options.population, &shape, region, &problem);
        if (any_failed(rank, status, &problem))
            return leave(rank, &options, 2);
        status = read_persons(options.population, &shape, displ, count, person, work, &problem);
        if (status == 0)
            status = read_pointers(options.population, &shape, displ, count, contact, &problem);
        if (any_failed(rank, status, &problem))
            return leave(rank, &options, 2);
        other = malloc(((size_t)contact[count] + 1) * sizeof *other);
        kind = malloc((size_t)contact[count] + 1);
        status =
            read_contacts(options.population, &shape, displ, count, contact, other, kind, &problem);
        if (any_failed(rank, status, &problem))
            return leave(rank, &options, 2);
        infect_first(&options, &region[options.region], displ, count, person);
        if (rank == 0)
            day_gravity(&options.model.parameters, region, regions, flow);
        MPI_Bcast(flow, regions * regions, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }

#pragma xmpi setup
    {
        displs = malloc((size_t)size * sizeof *displs);
        if (displs == NULL) {
            fprintf(stderr, "epigraph: there is no memory for %d processes\n", size);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    }

#pragma xmpi data csr(contact, other, kind : persons)
#pragma xmpi data distributed(person[persons], work[persons])
#pragma xmpi data replicated(region[regions], flow[regions][regions])
#pragma xmpi data replicated(until[regions], distancing[regions])
#pragma xmpi data replicated(counts[options.days + 1][regions * COLUMNS])

    double start = MPI_Wtime();
#pragma xmpi loop weight(work) iterations(steps)
    for (step = 0; step < steps; step++) {
        int day = step / options.model.steps, hour = step % options.model.steps;
        int64_t *before = counts + (size_t)day * (size_t)regions * COLUMNS;
        int64_t *today = counts + ((size_t)day + 1) * (size_t)regions * COLUMNS;
        struct block block = {displ, count, person, contact, other, kind, work};
        struct exposures sent = {0}, arrived = {0};
        if (hour == 0) {
            day_vaccinate(&options.model, day, &block);
            day_distance(&options.model, day, region, regions, before, until, distancing);
            day_travel(&options.model, step, region, regions, flow, before, distancing, &block,
                       &sent);
        }
        spread(&options.model, step, region, regions, distancing, &block, &sent);
        exposures_deliver(&sent, displs, MPI_COMM_WORLD, &arrived);
        infect(&options.model, step, &arrived, &block);
        if (hour == options.model.steps - 1) {
            day_count(&block, region, regions, step - hour, today);
            MPI_Allreduce(MPI_IN_PLACE, today, regions * COLUMNS, MPI_INT64_T, MPI_SUM,
                          MPI_COMM_WORLD);
        }
        exposures_free(&sent);
        exposures_free(&arrived);
    }
    double seconds = MPI_Wtime() - start;

    uint64_t sum = fingerprint(person, displ, count);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    struct outcome outcome = {{persons, regions, shape.contacts}, options.days, steps, sum, seconds,
                              counts + (size_t)regions * COLUMNS};
    status = rank == 0 ? outcome_write(&outcome, options.output, &problem) : 0;
    status = any_failed(rank, status, &problem) ? 1 : 0;

    free(person);
    free(work);
    free(contact);
    free(other);
    free(kind);
    free(region);
    free(flow);
    free(until);
    free(distancing);
    free(counts);
    free(displs);
    MPI_Finalize();
    return status;
}
