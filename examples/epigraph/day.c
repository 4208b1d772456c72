/* SPDX-License-Identifier: BSD-3-Clause
 * Counting and interventions. */
#include <inttypes.h>

#include "day.h"
#include "draw.h"

enum { ELDER = 65 };

void day_count(const struct block *block, const struct region *region, int regions, int since,
               int64_t *counts)
{
    int here = region_of(region, regions, block->displ);
    for (int i = 0; i < block->count; i++) {
        const struct person *person = &block->person[i];
        while (here < regions - 1 && region[here + 1].first <= block->displ + i)
            here++;
        int64_t *count = &counts[here * COLUMNS];
        count[person->state]++;
        count[VACCINATED] += person->immune != NEVER;
        count[NEW_INFECTIONS] += person->infected >= since && person->infected >= 0;
    }
}

static int can_be_vaccinated(const struct person *person)
{
    return person->immune == NEVER && person->state != DEAD && person->state != HOSPITALISED &&
           person->state != SYMPTOMATIC;
}

void day_vaccinate(const struct model *model, int day, const struct block *block)
{
    const struct parameters *parameters = &model->parameters;
    double delay = parameters->vaccination_delay * model->steps;
    if (day < parameters->vaccination_day || parameters->vaccination_rate <= 0)
        return;
    for (int i = 0; i < block->count; i++) {
        struct person *person = &block->person[i];
        double rate = parameters->vaccination_rate;
        rate *= person->age >= ELDER ? parameters->elder_priority : 1;
        if (!can_be_vaccinated(person))
            continue;
        struct words words =
            draw(model->seed, DRAW_VACCINE, (uint32_t)(block->displ + i), 0, (uint32_t)day);
        if (unit(words.word[0]) < rate)
            person->immune = day * model->steps + (int)delay;
    }
}

void day_distance(const struct model *model, int day, const struct region *region, int regions,
                  const int64_t *counts, int *until, double *distancing)
{
    const struct parameters *parameters = &model->parameters;
    for (int r = 0; r < regions; r++) {
        const int64_t *count = &counts[r * COLUMNS];
        double ill = (double)(count[SYMPTOMATIC] + count[HOSPITALISED]);
        if (ill > parameters->distancing_threshold * (double)region[r].persons)
            until[r] = day + (int)parameters->distancing_days;
        distancing[r] = day < until[r] ? parameters->distancing_reduction : 0;
    }
}

static void write_row(FILE *file, int day, const char *name, const int64_t *count)
{
    fprintf(file, "%d,%s", day, name);
    for (int c = 0; c < COLUMNS; c++)
        fprintf(file, ",%" PRId64, count[c]);
    fputc('\n', file);
}

void day_write(FILE *file, const int64_t *counts, int days, int regions)
{
    fprintf(file, "day,region");
    for (int s = 0; s < STATES; s++)
        fprintf(file, ",%s", state_name[s]);
    fprintf(file, ",vaccinated,new_infections\n");
    for (int day = 0; day < days && !ferror(file); day++) {
        int64_t all[COLUMNS] = {0};
        for (int r = 0; r < regions; r++) {
            const int64_t *count = &counts[((int64_t)day * regions + r) * COLUMNS];
            char name[16];
            snprintf(name, sizeof name, "%d", r);
            write_row(file, day, name, count);
            for (int c = 0; c < COLUMNS; c++)
                all[c] += count[c];
        }
        write_row(file, day, "all", all);
    }
}
