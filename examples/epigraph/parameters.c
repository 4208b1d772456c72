/* SPDX-License-Identifier: BSD-3-Clause
 * The parameters of the model: one table for reading, checking and printing them. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

struct entry {
    const char *name;
    size_t offset;
    double value, least, most;
    const char *help;
};

#define ENTRY(name) #name, offsetof(struct parameters, name)

static const struct entry table[] = {
    {ENTRY(transmission), 0.004, 0, 1, "probability that an hour of contact infects"},
    {ENTRY(presymptomatic), 0.7, 0, 100, "infectivity before the symptoms, a factor"},
    {ENTRY(symptomatic), 1, 0, 100, "infectivity with symptoms, a factor"},
    {ENTRY(asymptomatic), 0.5, 0, 100, "infectivity of those who never get symptoms, a factor"},
    {ENTRY(latent_days), 1.2, 0, 1000, "mean time from infection to infecting others"},
    {ENTRY(presymptomatic_days), 0.7, 0, 1000, "mean time from then to the symptoms"},
    {ENTRY(symptomatic_days), 4.5, 0, 1000, "mean time of symptoms"},
    {ENTRY(asymptomatic_days), 4, 0, 1000, "mean time of infecting without symptoms"},
    {ENTRY(hospital_days), 7, 0, 1000, "mean time in hospital"},
    {ENTRY(immunity_days), 0, 0, 100000, "mean time of immunity after recovery; 0: for ever"},
    {ENTRY(symptomatic_share), 0.67, 0, 1, "share of the infected who get symptoms"},
    {ENTRY(child_hospital), 0.003, 0, 1, "share of the symptomatic below 18 who need a hospital"},
    {ENTRY(adult_hospital), 0.01, 0, 1, "the same from 18 on"},
    {ENTRY(elder_hospital), 0.08, 0, 1, "the same from 65 on"},
    {ENTRY(child_fatality), 0.01, 0, 1, "share of the hospitalised below 18 who die"},
    {ENTRY(adult_fatality), 0.04, 0, 1, "the same from 18 on"},
    {ENTRY(elder_fatality), 0.15, 0, 1, "the same from 65 on"},
    {ENTRY(isolation), 0.5, 0, 1, "share of contacts outside home that people with symptoms avoid"},
    {ENTRY(travel_rate), 0.01, 0, 1, "share of the people who travel to another region each day"},
    {ENTRY(travel_contacts), 3, 0, 1000, "persons met on a journey"},
    {ENTRY(travel_hours), 2, 0, 24, "hours of contact with each of them"},
    {ENTRY(vaccination_day), 30, 0, 1e6, "first day of vaccinations"},
    {ENTRY(vaccination_rate), 0, 0, 1, "share of those not vaccinated who are, each day"},
    {ENTRY(elder_priority), 3, 0, 1000, "factor of the rate from 65 on"},
    {ENTRY(vaccination_delay), 10, 0, 1000, "days until a vaccination takes effect"},
    {ENTRY(vaccine_efficacy), 0.7, 0, 1, "share of infections that it prevents"},
    {ENTRY(distancing_threshold), 1, 0, 1, "share of people with symptoms that begins distancing"},
    {ENTRY(distancing_reduction), 0.6, 0, 1, "share of contacts outside home that it avoids"},
    {ENTRY(distancing_days), 14, 1, 1e6, "days for which it lasts at least"},
};

enum { ENTRIES = sizeof table / sizeof *table };

static double *field(struct parameters *parameters, const struct entry *entry)
{
    return (double *)(void *)((char *)parameters + entry->offset);
}

void parameters_default(struct parameters *parameters)
{
    for (int i = 0; i < ENTRIES; i++)
        *field(parameters, &table[i]) = table[i].value;
}

int parameters_set(struct parameters *parameters, const char *text, struct problem *problem)
{
    size_t length = strcspn(text, "=");
    for (int i = 0; i < ENTRIES; i++) {
        if (strlen(table[i].name) != length || memcmp(table[i].name, text, length) != 0)
            continue;
        char *end = NULL;
        double value = text[length] == '=' ? strtod(text + length + 1, &end) : NAN;
        if (end == NULL || end == text + length + 1 || *end != '\0' || !(value >= table[i].least) ||
            !(value <= table[i].most))
            return problem_set(problem, "-p %s: expected %s=VALUE from %g to %g", text,
                               table[i].name, table[i].least, table[i].most);
        *field(parameters, &table[i]) = value;
        return 0;
    }
    return problem_set(problem, "-p %s: there is no such parameter; -p help lists them", text);
}

void parameters_print(const struct parameters *parameters, FILE *file)
{
    struct parameters copy = *parameters;
    for (int i = 0; i < ENTRIES; i++)
        fprintf(file, "%s=%g  %s\n", table[i].name, *field(&copy, &table[i]), table[i].help);
}
