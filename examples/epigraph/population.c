/* SPDX-License-Identifier: BSD-3-Clause
 * Reading populations, each process only the persons it needs. Nothing in a file is believed. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "population.h"

enum { MAGIC = sizeof POPULATION_MAGIC - 1, HEADER = MAGIC + 3 * sizeof(int64_t) };

/* Where the parts of a file begin. */
static int64_t ages_at(const struct shape *shape)
{
    return HEADER + (int64_t)sizeof(struct region) * shape->regions;
}

static int64_t pointers_at(const struct shape *shape)
{
    return ages_at(shape) + shape->persons;
}

static int64_t others_at(const struct shape *shape)
{
    return pointers_at(shape) + (int64_t)sizeof(int64_t) * (shape->persons + (int64_t)1);
}

static int64_t kinds_at(const struct shape *shape)
{
    return others_at(shape) + (int64_t)sizeof(int32_t) * shape->contacts;
}

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

static int check_header(const char *path, int64_t size, const int64_t number[3],
                        struct shape *shape, struct problem *problem)
{
    if (number[0] < 1 || number[0] > POPULATION_MAX)
        return problem_set(problem, "%s: its number of persons %lld is not in 1..%d", path,
                           (long long)number[0], POPULATION_MAX);
    if (number[1] < 1 || number[1] > REGIONS_MAX)
        return problem_set(problem, "%s: its number of regions %lld is not in 1..%d", path,
                           (long long)number[1], REGIONS_MAX);
    if (number[2] < 0 || number[2] > size)
        return problem_set(problem, "%s: %lld contacts are more than the file can hold", path,
                           (long long)number[2]);
    *shape = (struct shape){(int)number[0], (int)number[1], number[2]};
    int64_t expected = kinds_at(shape) + shape->contacts;
    if (size != expected)
        return problem_set(problem, "%s: %s: it has %lld bytes, such a population has %lld", path,
                           size < expected ? "is truncated" : "is too long", (long long)size,
                           (long long)expected);
    return 0;
}

int population_shape(const char *path, struct shape *shape, struct problem *problem)
{
    char magic[MAGIC];
    int64_t size, number[3];
    int status;
    FILE *file = open_file(path, &size, problem);
    if (file == NULL)
        return -1;
    if (fread(magic, 1, MAGIC, file) != MAGIC || memcmp(magic, POPULATION_MAGIC, MAGIC) != 0)
        status = problem_set(problem, "%s: is not a population", path);
    else if (fread(number, sizeof *number, 3, file) != 3)
        status = problem_set(problem, "%s: is truncated: it ends inside its header", path);
    else
        status = check_header(path, size, number, shape, problem);
    fclose(file);
    return status;
}

/* A part of file PATH that begins at OFFSET. 0, or -1 with PROBLEM. */
static int read_part(const char *path, int64_t offset, size_t size, size_t count, void *to,
                     struct problem *problem)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return problem_set(problem, "%s: %s", path, strerror(errno));
    int good = fseeko(file, offset, SEEK_SET) == 0 && fread(to, size, count, file) == count;
    if (!good)
        problem_set(problem, "%s: %s", path,
                    ferror(file) ? strerror(errno) : "has become shorter while it was read");
    fclose(file);
    return good ? 0 : -1;
}

int population_regions(const char *path, const struct shape *shape, struct region *region,
                       struct problem *problem)
{
    int64_t next = 0;
    if (read_part(path, HEADER, sizeof *region, (size_t)shape->regions, region, problem) != 0)
        return -1;
    for (int r = 0; r < shape->regions; r++) {
        if (region[r].first != next || region[r].persons < 1 ||
            region[r].persons > shape->persons - next)
            return problem_set(problem, "%s: region %d does not follow the one before it", path, r);
        if (!isfinite(region[r].x) || !isfinite(region[r].y))
            return problem_set(problem, "%s: region %d is nowhere", path, r);
        next += region[r].persons;
    }
    if (next != shape->persons)
        return problem_set(problem, "%s: %lld persons are in no region", path,
                           (long long)(shape->persons - next));
    return 0;
}

int population_ages(const char *path, const struct shape *shape, int displ, int count, uint8_t *age,
                    struct problem *problem)
{
    if (read_part(path, ages_at(shape) + displ, 1, (size_t)count, age, problem) != 0)
        return -1;
    for (int i = 0; i < count; i++)
        if (age[i] > AGE_MAX)
            return problem_set(problem, "%s: person %d is %d years old", path, displ + i, age[i]);
    return 0;
}

int population_pointers(const char *path, const struct shape *shape, int displ, int count,
                        int64_t *contact, struct problem *problem)
{
    int64_t offset = pointers_at(shape) + (int64_t)sizeof *contact * displ;
    if (read_part(path, offset, sizeof *contact, (size_t)count + 1, contact, problem) != 0)
        return -1;
    int64_t first = contact[0], before = first;
    for (int i = 0; i <= count; i++) {
        if (contact[i] < before || contact[i] < 0 || contact[i] > shape->contacts ||
            (displ + i == 0 && contact[i] != 0))
            return problem_set(problem, "%s: the contacts of person %d are out of order", path,
                               displ + i);
        before = contact[i];
        contact[i] -= first;
    }
    return 0;
}

static int check_contact(const char *path, const struct shape *shape, int person, int other,
                         int kind, struct problem *problem)
{
    if (other < 0 || other >= shape->persons || other == person)
        return problem_set(problem, "%s: person %d has a contact with %d", path, person, other);
    if (kind >= KINDS)
        return problem_set(problem, "%s: person %d has a contact of kind %d", path, person, kind);
    return 0;
}

int population_contacts(const char *path, const struct shape *shape, int displ, int count,
                        const int64_t *contact, int32_t *other, uint8_t *kind,
                        struct problem *problem)
{
    int64_t first;
    size_t contacts = (size_t)contact[count];
    int64_t offset = pointers_at(shape) + (int64_t)sizeof first * displ;
    if (read_part(path, offset, sizeof first, 1, &first, problem) != 0)
        return -1;
    if (first < 0 || first > shape->contacts - contact[count])
        return problem_set(problem, "%s: changed while it was read", path);
    if (read_part(path, others_at(shape) + (int64_t)sizeof *other * first, sizeof *other, contacts,
                  other, problem) != 0 ||
        read_part(path, kinds_at(shape) + first, 1, contacts, kind, problem) != 0)
        return -1;
    for (int i = 0; i < count; i++)
        for (int64_t k = contact[i]; k < contact[i + 1]; k++)
            if (check_contact(path, shape, displ + i, other[k], kind[k], problem) != 0)
                return -1;
    return 0;
}
