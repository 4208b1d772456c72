/* SPDX-License-Identifier: BSD-3-Clause
 * What came of the runs of a scenario. */
#include "simulate/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

/* The value that Student's t with FREEDOM degrees is below of with a probability of 0.975. From 11
 * on by the expansion in 1 / FREEDOM (Abramowitz and Stegun 1964, 26.7.5). */
static double student(int freedom)
{
    static const double few[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706,
                                 2.4469,  2.3646, 2.3060, 2.2622, 2.2281};
    const double x = 1.959964, n = freedom;
    if (freedom <= 10)
        return few[freedom - 1];
    return x + (pow(x, 3) + x) / (4 * n) + (5 * pow(x, 5) + 16 * pow(x, 3) + 3 * x) / (96 * n * n);
}

/* What a seed says of a technique at a point. */
typedef double value_t(const sim_sweep_t *sweep, int point, int technique, int seed);

static double seconds_of(const sim_sweep_t *sweep, int point, int technique, int seed)
{
    return sim_sweep_result(sweep, point, technique, seed)->seconds;
}

static double gain_of(const sim_sweep_t *sweep, int point, int technique, int seed)
{
    return 100 *
           (1 - seconds_of(sweep, point, technique, seed) / seconds_of(sweep, point, 0, seed));
}

/* In two passes: what is the same for all seeds has no variance. */
static sim_mean_t mean_of(const sim_sweep_t *sweep, int point, int technique, value_t *value)
{
    int n = sweep->seeds;
    sim_mean_t mean = {.mean = 0};
    double first = value(sweep, point, technique, 0), squares = 0;
    for (int i = 0; i < n; i++)
        mean.mean += (value(sweep, point, technique, i) - first) / n;
    mean.mean += first;
    for (int i = 0; i < n; i++)
        squares += pow(value(sweep, point, technique, i) - mean.mean, 2);
    if (n > 1)
        mean.half = student(n - 1) * sqrt(squares / (n - 1) / n);
    return mean;
}

sim_mean_t sim_mean(const sim_sweep_t *sweep, int point, int technique)
{
    return mean_of(sweep, point, technique, seconds_of);
}

sim_mean_t sim_gain(const sim_sweep_t *sweep, int point, int technique)
{
    return mean_of(sweep, point, technique, gain_of);
}

static const char *point_of(const sim_scenario_t *scenario, int point)
{
    return scenario->varied[0] != '\0' ? scenario->point[point] : "-";
}

/* What is simulated, as sets. */
enum { OF_PROGRAM = 1, OF_JOBS = 2, OF_GANGS = 4 };

/* Figures of the results that a table has means of, and of what they are. */
typedef struct {
    const char *name;
    int whose;
    double (*of)(const sim_result_t *result);
} figure_t;

static double changes(const sim_result_t *result)
{
    return (double)result->changes;
}

static double slowdown(const sim_result_t *result)
{
    return result->slowdown;
}

static double utilisation(const sim_result_t *result)
{
    return 100 * result->utilisation;
}

static double useful(const sim_result_t *result)
{
    return 100 * result->useful;
}

static double makespan(const sim_result_t *result)
{
    return result->makespan;
}

static double kilowatt_hours(const sim_result_t *result)
{
    return result->joules / 3.6e6;
}

static double late(const sim_result_t *result)
{
    return (double)result->late;
}

static const figure_t figures[] = {{"changes", OF_PROGRAM | OF_JOBS, changes},
                                   {"slowdown", OF_JOBS, slowdown},
                                   {"utilisation_percent", OF_JOBS, utilisation},
                                   {"useful_percent", OF_JOBS, useful},
                                   {"makespan", OF_JOBS | OF_GANGS, makespan},
                                   {"kwh", OF_JOBS, kilowatt_hours},
                                   {"late", OF_JOBS, late}};
enum { FIGURES = sizeof figures / sizeof *figures };

static double mean_figure(const sim_sweep_t *sweep, int point, int technique, int figure)
{
    double sum = 0;
    for (int i = 0; i < sweep->seeds; i++)
        sum += figures[figure].of(sim_sweep_result(sweep, point, technique, i));
    return sum / sweep->seeds;
}

/* What is simulated at the points. */
static int simulated(const sim_scenario_t *scenario)
{
    sim_values_t values;
    xmpi_error_t error;
    int what = 0;
    for (int p = 0; p < scenario->points; p++)
        if (sim_scenario_at(scenario, p, &values, &error) == XMPI_OK)
            what |= sim_values_have_gangs(&values)  ? OF_GANGS
                    : sim_values_have_jobs(&values) ? OF_JOBS
                                                    : OF_PROGRAM;
    return what;
}

void sim_table_write(const sim_sweep_t *sweep, FILE *file)
{
    const sim_scenario_t *scenario = sweep->scenario;
    int what = simulated(scenario);
    fprintf(file, "%s,technique,seconds,plus_minus,gain_percent,gain_plus_minus",
            scenario->varied[0] != '\0' ? scenario->varied : "point");
    for (int i = 0; i < FIGURES; i++)
        if ((figures[i].whose & what) != 0)
            fprintf(file, ",%s", figures[i].name);
    fprintf(file, "\n");
    for (int p = 0; p < scenario->points; p++)
        for (int t = 0; t < scenario->techniques; t++) {
            sim_mean_t mean = sim_mean(sweep, p, t), gain = sim_gain(sweep, p, t);
            fprintf(file, "%s,%s,%.6g,%.3g,%.4g,%.3g", point_of(scenario, p),
                    scenario->technique[t].name, mean.mean, mean.half, gain.mean, gain.half);
            for (int i = 0; i < FIGURES; i++)
                if ((figures[i].whose & what) != 0)
                    fprintf(file, ",%.4g", mean_figure(sweep, p, t, i));
            fprintf(file, "\n");
        }
}

void sim_table_write_runs(const sim_sweep_t *sweep, FILE *file)
{
    const sim_scenario_t *scenario = sweep->scenario;
    bool jobs = (simulated(scenario) & (OF_JOBS | OF_GANGS)) != 0;
    fprintf(file, "%s,technique,seed,seconds,still,changes,swaps,intervals,members,bytes,cost%s\n",
            scenario->varied[0] != '\0' ? scenario->varied : "point",
            jobs ? ",slowdown,utilisation,useful,makespan,joules,late" : "");
    for (int p = 0; p < scenario->points; p++)
        for (int t = 0; t < scenario->techniques; t++)
            for (int s = 0; s < sweep->seeds; s++) {
                const sim_result_t *r = sim_sweep_result(sweep, p, t, s);
                fprintf(file,
                        "%s,%s,%" PRIu64 ",%.17g,%.17g,%" PRId64 ",%" PRId64 ",%" PRId64
                        ",%d,%.17g,%.17g",
                        point_of(scenario, p), scenario->technique[t].name,
                        sweep->first_seed + (uint64_t)s, r->seconds, r->still, r->changes, r->swaps,
                        r->intervals, r->members, r->bytes, r->cost);
                if (jobs)
                    fprintf(file, ",%.17g,%.17g,%.17g,%.17g,%.17g,%" PRId64, r->slowdown,
                            r->utilisation, r->useful, r->makespan, r->joules, r->late);
                fprintf(file, "\n");
            }
}

static bool holds(const sim_sweep_t *sweep, const sim_claim_t *claim, int seed)
{
    double seconds = sim_sweep_result(sweep, claim->point, claim->technique, seed)->seconds;
    double other = sim_sweep_result(sweep, claim->point, claim->other, seed)->seconds;
    return claim->below ? seconds < claim->factor * other : seconds > claim->factor * other;
}

void sim_table_write_claims(const sim_sweep_t *sweep, FILE *file)
{
    const sim_scenario_t *scenario = sweep->scenario;
    fprintf(file, "%s,claim,percent_of_seeds\n",
            scenario->varied[0] != '\0' ? scenario->varied : "point");
    for (int i = 0; i < scenario->claims; i++) {
        const sim_claim_t *claim = &scenario->claim[i];
        int seeds = 0;
        for (int s = 0; s < sweep->seeds; s++)
            seeds += holds(sweep, claim, s);
        fprintf(file, "%s,%s %s %g %s,%.4g\n", point_of(scenario, claim->point),
                scenario->technique[claim->technique].name, claim->below ? "below" : "above",
                claim->factor, scenario->technique[claim->other].name,
                100.0 * seeds / sweep->seeds);
    }
}
