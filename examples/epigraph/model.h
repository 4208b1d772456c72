/* SPDX-License-Identifier: BSD-3-Clause
 * The epidemic model: what an infection does to a person, and what is done against it. The SIR
 * model with more states, in the manner of EpiGraph (G. Martin Cruz, PhD thesis, UC3M 2015,
 * section 6.1.1.3); the values that it begins with are those of an influenza.
 *
 * No function of libm is used: every machine gets the same, to the last bit. */
#ifndef MODEL_H
#define MODEL_H

#include <stdint.h>
#include <stdio.h>

#include "population.h"

enum state {
    SUSCEPTIBLE,
    LATENT,         /* infected, infects nobody yet */
    PRESYMPTOMATIC, /* infects others, does not know */
    SYMPTOMATIC,
    ASYMPTOMATIC, /* infects others, never knows */
    HOSPITALISED, /* infects nobody */
    RECOVERED,
    DEAD,
    STATES
};

extern const char *const state_name[STATES];

enum { NEVER = INT32_MAX };

/* What is known of a person; times are steps. */
struct person {
    int32_t until;    /* when the present state ends; NEVER for one that does not end by itself */
    int32_t infected; /* when the latest infection took place; -1: never */
    int32_t immune;   /* when the vaccination takes effect; NEVER without one */
    uint8_t state, age;
};

/* All that can be set. Rates and shares are probabilities. */
struct parameters {
    double transmission; /* probability that an hour of contact infects */
    double presymptomatic, symptomatic, asymptomatic; /* infectivity: factors of it */
    double latent_days, presymptomatic_days, symptomatic_days, asymptomatic_days, hospital_days;
    double immunity_days; /* after recovery; 0: for ever */
    double symptomatic_share;
    double child_hospital, adult_hospital, elder_hospital;    /* shares of the symptomatic */
    double child_fatality, adult_fatality, elder_fatality;    /* shares of the hospitalised */
    double isolation;                                         /* contacts symptomatic people shun */
    double travel_rate, travel_contacts, travel_hours;        /* each day and person; each trip */
    double vaccination_day, vaccination_rate, elder_priority; /* each day; factor of the rate */
    double vaccination_delay, vaccine_efficacy;               /* days; share of infections */
    double distancing_threshold, distancing_reduction, distancing_days;
};

/* Sets one of them from NAME=VALUE. 0, or -1 with PROBLEM. */
int parameters_set(struct parameters *parameters, const char *text, struct problem *problem);
void parameters_default(struct parameters *parameters);
/* A line for each: its name, its value and what it is. */
void parameters_print(const struct parameters *parameters, FILE *file);

/* A day has STEPS steps; 1440, the minutes of a day, is a multiple of it. */
enum { STEPS_MAX = 1440 };

/* What is the same for all persons and the whole simulation. */
struct model {
    struct parameters parameters;
    uint64_t seed;
    int steps; /* in a day */
};

/* Hours of contact of each kind in STEP. Days 5 and 6 of a week are its end. */
void model_hours(const struct model *model, int step, double hours[KINDS]);

/* A person of AGE whom nothing has happened to. */
struct person model_newborn(uint8_t age);

/* How infectious a person is: a factor, 0 for one who is not. */
double model_infectivity(const struct model *model, const struct person *person);

/* The person's state goes on where its time is over. */
void model_update(const struct model *model, int step, int who, struct person *person);

/* The person meets an infection that SOURCE brings in STEP, to be infected from the next one on,
 * unless immune. 1: infected. */
int model_expose(const struct model *model, int step, int who, int source, struct person *person);

/* A number that any difference between two persons changes; sums tell whether populations differ.
 */
uint64_t model_fingerprint(int who, const struct person *person);

#endif
