/* SPDX-License-Identifier: BSD-3-Clause
 * What happens to one person. */
#include "draw.h"
#include "model.h"

const char *const state_name[STATES] = {"susceptible", "latent",       "presymptomatic",
                                        "symptomatic", "asymptomatic", "hospitalised",
                                        "recovered",   "dead"};

enum { MINUTES = 1440, ADULT = 18, ELDER = 65 };

/* --- the day ---------------------------------------------------------------------------------- */

/* From BEGIN to END people are in touch, hours of the day. */
struct schedule {
    enum kind kind;
    int begin, end;
};

static const struct schedule weekday[] = {
    {AT_HOME, 0, 8}, {AT_WORK, 8, 17}, {AT_LEISURE, 17, 21}, {AT_HOME, 21, 24}};
static const struct schedule weekend[] = {
    {AT_HOME, 0, 11}, {AT_LEISURE, 11, 21}, {AT_HOME, 21, 24}};

static void add_hours(const struct schedule *schedule, int n, int begin, int end,
                      double hours[KINDS])
{
    for (int i = 0; i < n; i++) {
        int from = 60 * schedule[i].begin, to = 60 * schedule[i].end;
        from = from > begin ? from : begin;
        to = to < end ? to : end;
        if (from < to)
            hours[schedule[i].kind] += (to - from) / 60.0;
    }
}

void model_hours(const struct model *model, int step, double hours[KINDS])
{
    int day = step / model->steps, length = MINUTES / model->steps;
    int begin = step % model->steps * length, end = begin + length;
    for (int k = 0; k < KINDS; k++)
        hours[k] = 0;
    if (day % 7 < 5)
        add_hours(weekday, sizeof weekday / sizeof *weekday, begin, end, hours);
    else
        add_hours(weekend, sizeof weekend / sizeof *weekend, begin, end, hours);
}

/* --- the course of an infection --------------------------------------------------------------- */

struct person model_newborn(uint8_t age)
{
    return (struct person){
        .until = NEVER, .infected = -1, .immune = NEVER, .state = SUSCEPTIBLE, .age = age};
}

double model_infectivity(const struct model *model, const struct person *person)
{
    const struct parameters *parameters = &model->parameters;
    switch (person->state) {
    case PRESYMPTOMATIC:
        return parameters->presymptomatic;
    case SYMPTOMATIC:
        return parameters->symptomatic;
    case ASYMPTOMATIC:
        return parameters->asymptomatic;
    default:
        return 0;
    }
}

static double by_age(const struct person *person, double child, double adult, double elder)
{
    return person->age < ADULT ? child : person->age < ELDER ? adult : elder;
}

static enum state next_state(const struct parameters *p, const struct person *person, double chance)
{
    switch (person->state) {
    case LATENT:
        return chance < p->symptomatic_share ? PRESYMPTOMATIC : ASYMPTOMATIC;
    case PRESYMPTOMATIC:
        return SYMPTOMATIC;
    case SYMPTOMATIC:
        return chance < by_age(person, p->child_hospital, p->adult_hospital, p->elder_hospital)
                   ? HOSPITALISED
                   : RECOVERED;
    case HOSPITALISED:
        return chance < by_age(person, p->child_fatality, p->adult_fatality, p->elder_fatality)
                   ? DEAD
                   : RECOVERED;
    case ASYMPTOMATIC:
        return RECOVERED;
    default:
        return SUSCEPTIBLE;
    }
}

/* Mean days of a state, 0 for one that does not end by itself. */
static double mean_days(const struct parameters *parameters, enum state state)
{
    switch (state) {
    case LATENT:
        return parameters->latent_days;
    case PRESYMPTOMATIC:
        return parameters->presymptomatic_days;
    case SYMPTOMATIC:
        return parameters->symptomatic_days;
    case ASYMPTOMATIC:
        return parameters->asymptomatic_days;
    case HOSPITALISED:
        return parameters->hospital_days;
    case RECOVERED:
        return parameters->immunity_days;
    default:
        return 0;
    }
}

static int ends_by_itself(const struct parameters *parameters, enum state state)
{
    return state != SUSCEPTIBLE && state != DEAD &&
           (state != RECOVERED || parameters->immunity_days > 0);
}

/* The time in a state is the sum of two uniform ones: from 0 to twice the mean, mostly near it. */
static void enter(const struct model *model, int step, enum state state, struct words words,
                  struct person *person)
{
    double days =
        mean_days(&model->parameters, state) * (unit(words.word[0]) + unit(words.word[1]));
    double end = step + 1.0 + (int)(days * model->steps);
    person->state = (uint8_t)state;
    person->until = ends_by_itself(&model->parameters, state) && end < NEVER ? (int32_t)end : NEVER;
}

void model_update(const struct model *model, int step, int who, struct person *person)
{
    if (step < person->until)
        return;
    struct words words =
        draw(model->seed, DRAW_STATUS, (uint32_t)who, person->state, (uint32_t)step);
    enum state next = next_state(&model->parameters, person, unit(words.word[2]));
    enter(model, step, next, words, person);
}

int model_expose(const struct model *model, int step, int who, int source, struct person *person)
{
    if (person->state != SUSCEPTIBLE)
        return 0;
    struct words words =
        draw(model->seed, DRAW_EXPOSURE, (uint32_t)who, (uint32_t)source, (uint32_t)step);
    if (step >= person->immune && unit(words.word[0]) < model->parameters.vaccine_efficacy)
        return 0;
    words = draw(model->seed, DRAW_STATUS, (uint32_t)who, SUSCEPTIBLE, (uint32_t)step);
    enter(model, step, LATENT, words, person);
    person->infected = step;
    return 1;
}

uint64_t model_fingerprint(int who, const struct person *person)
{
    uint64_t key = (uint64_t)person->state << 8 | person->age;
    struct words words = draw(key << 32 | (uint32_t)who, DRAW_FINGERPRINT, (uint32_t)person->until,
                              (uint32_t)person->infected, (uint32_t)person->immune);
    return (uint64_t)words.word[1] << 32 | words.word[0];
}
