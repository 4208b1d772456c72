/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel of the simulator. Every number that is drawn depends on the persons and the step only,
 * so that an epidemic does not depend on which process computes whom. */
#include "draw.h"
#include "spread.h"

enum { WORDS = 4 };

int region_of(const struct region *region, int regions, int who)
{
    int low = 0, high = regions;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (region[middle].first <= who)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The probabilities with which PERSON infects a contact of each kind in this step. */
static void chances(const struct model *model, const struct person *person, double infectivity,
                    double distancing, const double hours[KINDS], double chance[KINDS])
{
    double outside = 1 - distancing;
    if (person->state == SYMPTOMATIC)
        outside *= 1 - model->parameters.isolation;
    for (int k = 0; k < KINDS; k++) {
        chance[k] = model->parameters.transmission * infectivity * hours[k];
        if (k != AT_HOME)
            chance[k] *= outside;
    }
}

/* One call of the generator serves four contacts. */
static void expose_contacts(const struct model *model, int step, const struct block *block, int i,
                            const double chance[KINDS], struct exposures *exposures)
{
    int64_t first = block->contact[i], contacts = block->contact[i + 1] - first;
    uint32_t who = (uint32_t)(block->displ + i);
    struct words words = {{0}};
    for (int64_t k = 0; k < contacts; k++) {
        if (k % WORDS == 0)
            words = draw(model->seed, DRAW_SPREAD, who, (uint32_t)(k / WORDS), (uint32_t)step);
        if (unit(words.word[k % WORDS]) < chance[block->kind[first + k]])
            exposures_add(exposures, block->other[first + k], (int)who);
    }
}

double spread(const struct model *model, int step, const struct region *region, int regions,
              const double *distancing, const struct block *block, struct exposures *exposures)
{
    double hours[KINDS], chance[KINDS], total = 0;
    model_hours(model, step, hours);
    for (int i = 0; i < block->count; i++) {
        struct person *person = &block->person[i];
        model_update(model, step, block->displ + i, person);
        double infectivity = model_infectivity(model, person);
        block->work[i] = 1;
        if (infectivity > 0) {
            int here = region_of(region, regions, block->displ + i);
            chances(model, person, infectivity, distancing[here], hours, chance);
            expose_contacts(model, step, block, i, chance, exposures);
            block->work[i] += 2 * (double)(block->contact[i + 1] - block->contact[i]);
        }
        total += block->work[i];
    }
    return total;
}

void infect(const struct model *model, int step, const struct exposures *exposures,
            const struct block *block)
{
    for (size_t i = 0; i < exposures->n; i++) {
        int who = exposures->item[i].who;
        model_expose(model, step, who, exposures->item[i].source,
                     &block->person[who - block->displ]);
    }
}
