/* SPDX-License-Identifier: BSD-3-Clause
 * Travel between regions. */
#include <math.h>

#include "day.h"
#include "draw.h"

/* After Viboud et al.: exponents of the populations of origin and destination, and of the distance
 * up to where long journeys begin (km), and from there on. */
static const double ORIGIN = 0.30, DESTINATION = 0.64, NEAR = 3.05, FAR = 0.29, LONG = 119;
/* Regions in one place would exchange everybody. */
static const double LEAST_DISTANCE = 1;

static double attraction(const struct region *from, const struct region *to)
{
    double distance = hypot(from->x - to->x, from->y - to->y);
    distance = distance > LEAST_DISTANCE ? distance : LEAST_DISTANCE;
    double fall =
        distance < LONG ? pow(distance, -NEAR) : pow(LONG, -NEAR) * pow(distance / LONG, -FAR);
    return pow((double)from->persons, ORIGIN) * pow((double)to->persons, DESTINATION) * fall;
}

void day_gravity(const struct parameters *parameters, const struct region *region, int regions,
                 double *flow)
{
    double persons = 0, journeys = 0;
    for (int m = 0; m < regions; m++) {
        persons += (double)region[m].persons;
        for (int n = 0; n < regions; n++) {
            flow[m * regions + n] = m == n ? 0 : attraction(&region[m], &region[n]);
            journeys += flow[m * regions + n];
        }
    }
    double scale = journeys > 0 ? parameters->travel_rate * persons / journeys : 0;
    for (int m = 0; m < regions; m++)
        for (int n = 0; n < regions; n++)
            flow[m * regions + n] *= scale / (double)region[m].persons;
}

/* Where a person of region FROM travels to with this CHANCE, -1 for nowhere. */
static int destination(const double *flow, int regions, int from, double chance)
{
    for (int n = 0; n < regions; n++) {
        chance -= flow[from * regions + n];
        if (chance < 0)
            return n;
    }
    return -1;
}

/* The share of infectious people, weighted by how infectious they are. */
static double infectious_share(const struct parameters *parameters, const struct region *region,
                               const int64_t *count)
{
    double infectious = parameters->presymptomatic * (double)count[PRESYMPTOMATIC] +
                        parameters->asymptomatic * (double)count[ASYMPTOMATIC];
    return infectious / (double)region->persons;
}

/* Exposes people of region TO whom the traveller meets, or the traveller to them. Who has symptoms
 * does not travel. */
static void visit(const struct model *model, int step, const struct region *to,
                  const int64_t *count, int who, const struct person *person,
                  struct exposures *exposures)
{
    const struct parameters *parameters = &model->parameters;
    double hours = parameters->transmission * parameters->travel_hours;
    double infectivity = model_infectivity(model, person);
    double share = infectious_share(parameters, to, count);
    for (int k = 0; k < (int)parameters->travel_contacts; k++) {
        struct words words =
            draw(model->seed, DRAW_VISIT, (uint32_t)who, (uint32_t)k, (uint32_t)step);
        int met = (int)to->first + (int)below(words.word[0], (uint64_t)to->persons);
        if (infectivity > 0 && unit(words.word[1]) < hours * infectivity)
            exposures_add(exposures, met, who);
        if (person->state == SUSCEPTIBLE && unit(words.word[2]) < hours * share)
            exposures_add(exposures, who, met);
    }
}

static int may_travel(const struct person *person)
{
    return person->state != SYMPTOMATIC && person->state != HOSPITALISED && person->state != DEAD;
}

void day_travel(const struct model *model, int step, const struct region *region, int regions,
                const double *flow, const int64_t *counts, const double *distancing,
                const struct block *block, struct exposures *exposures)
{
    int from = region_of(region, regions, block->displ);
    for (int i = 0; i < block->count; i++) {
        const struct person *person = &block->person[i];
        int who = block->displ + i;
        while (from < regions - 1 && region[from + 1].first <= who)
            from++;
        if (!may_travel(person))
            continue;
        double chance =
            unit(draw(model->seed, DRAW_TRAVEL, (uint32_t)who, 0, (uint32_t)step).word[0]);
        int to = destination(flow, regions, from, chance / (1 - distancing[from]));
        if (to >= 0)
            visit(model, step, &region[to], &counts[to * COLUMNS], who, person, exposures);
    }
}
