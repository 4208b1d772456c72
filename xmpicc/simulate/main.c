/* SPDX-License-Identifier: BSD-3-Clause
 * xmpi-simulate: what techniques would make of a program on a platform, by the decisions that
 * programs are run with. */
#define _GNU_SOURCE
#include <argp.h>
#include <errno.h>
#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/lines.h"
#include "simulate/plot.h"
#include "simulate/program/run.h"
#include "simulate/scenario/scenario.h"
#include "simulate/sweep.h"
#include "simulate/table.h"
#include "simulate/workload/workload.h"
#include "tool/tool.h"

enum {
    SETS_MAX = 32,
    OPTION_SET = 256,
    OPTION_RUNS,
    OPTION_TRACE,
    OPTION_KEYS,
    OPTION_CLAIMS,
    OPTION_SCHEDULE
};

typedef struct {
    const char *scenario, *output, *runs, *plot, *trace, *schedule, *technique, *from;
    int seeds, jobs, sets;
    long long seed;
    char *set[SETS_MAX]; /* KEY=VALUE */
    bool keys, quiet, claims;
} request_t;

static const struct argp_option options[] = {
    {"seeds", 'n', "N", 0,
     "Simulate each run with N seeds (default 10), and tell how sure means are", 0},
    {"seed", 's', "SEED", 0, "The first of the seeds (default 1)", 0},
    {"jobs", 'j', "N", 0, "So many runs at a time; default: as many as there are processors", 0},
    {"set", OPTION_SET, "KEY=VALUE", 0, "In place of what the scenario says", 0},
    {"from", 'f', "TRACE", 0,
     "Simulate the program that TRACE was recorded of (XMPI_TRACE) in place of the scenario's", 0},
    {"output", 'o', "FILE", 0, "Write the table to FILE instead of to standard output", 0},
    {"plot", 'p', "FILE", 0, "Draw the table into the SVG file FILE, too (needs node)", 0},
    {"runs", OPTION_RUNS, "FILE", 0, "Write a line for each run to FILE, too", 0},
    {"claims", OPTION_CLAIMS, NULL, 0,
     "Write in how many of the seeds each claim of the scenario holds, instead of the table", 0},
    {"technique", 't', "NAME", 0, "Simulate this one alone", 0},
    {"trace", OPTION_TRACE, "FILE", 0,
     "Simulate the first point and seed of --technique (default: the last) alone, and write its "
     "trace, which xmpi-report shows, to FILE",
     0},
    {"schedule", OPTION_SCHEDULE, "FILE", 0,
     "Simulate the first point and seed of --technique (default: the last) alone, and write the "
     "jobs of the workload as they ran to FILE, in the Standard Workload Format",
     0},
    {"quiet", 'q', NULL, 0, "No progress bar", 0},
    {"keys", OPTION_KEYS, NULL, 0, "List the keys of scenarios, and end", 0},
    {0},
};

static int whole(const char *option, const char *text, int least, int most)
{
    long long number;
    if (!xmpi_parse_whole(text, least, most, &number))
        tool_misuse("%s %s: expected a whole number from %d to %d", option, text, least, most);
    return (int)number;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    request_t *request = state->input;
    switch (key) {
    case 'n':
        request->seeds = whole("--seeds", value, 1, 100000);
        return 0;
    case 's':
        if (!xmpi_parse_whole(value, 0, 1000000000000, &request->seed))
            tool_misuse("--seed %s: expected a whole number", value);
        return 0;
    case 'j':
        request->jobs = whole("--jobs", value, 1, 1024);
        return 0;
    case 'f':
        request->from = value;
        return 0;
    case 'o':
        request->output = value;
        return 0;
    case 't':
        request->technique = value;
        return 0;
    case 'q':
        request->quiet = true;
        return 0;
    case OPTION_SET:
        if (request->sets == SETS_MAX || strchr(value, '=') == NULL)
            tool_misuse("--set %s: expected KEY=VALUE, at most %d times", value, SETS_MAX);
        request->set[request->sets++] = value;
        return 0;
    case 'p':
        request->plot = value;
        return 0;
    case OPTION_RUNS:
        request->runs = value;
        return 0;
    case OPTION_TRACE:
        request->trace = value;
        return 0;
    case OPTION_SCHEDULE:
        request->schedule = value;
        return 0;
    case OPTION_CLAIMS:
        request->claims = true;
        return 0;
    case OPTION_KEYS:
        request->keys = true;
        return 0;
    case ARGP_KEY_ARG:
        if (request->scenario != NULL)
            tool_misuse("one scenario at a time, and \"%s\" is a second one", value);
        request->scenario = value;
        return 0;
    case ARGP_KEY_END:
        if (request->scenario == NULL && !request->keys)
            tool_misuse("no scenario: examples are in share/xmpi/scenarios of the installation");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* --- the scenario as it is asked for -----------------------------------------------------------
 */

static xmpi_status_t apply_sets(const request_t *request, sim_scenario_t *scenario,
                                xmpi_error_t *error)
{
    xmpi_status_t status =
        request->from != NULL ? sim_scenario_take(scenario, request->from, error) : XMPI_OK;
    for (int i = 0; i < request->sets && status == XMPI_OK; i++) {
        char key[SIM_NAME_MAX];
        size_t length = strcspn(request->set[i], "=");
        snprintf(key, sizeof key, "%.*s", (int)length, request->set[i]);
        status = sim_scenario_set(scenario, key, request->set[i] + length + 1, error);
    }
    for (int i = 0; i < scenario->points && status == XMPI_OK; i++) {
        sim_values_t values;
        status = sim_scenario_at(scenario, i, &values, error);
    }
    return status;
}

static xmpi_status_t choose_technique(const request_t *request, sim_scenario_t *scenario,
                                      xmpi_error_t *error)
{
    for (int i = 0; i < scenario->techniques && request->technique != NULL; i++)
        if (strcmp(scenario->technique[i].name, request->technique) == 0) {
            scenario->technique[0] = scenario->technique[i];
            scenario->techniques = 1;
            scenario->claims = 0;
            return XMPI_OK;
        }
    return request->technique == NULL
               ? XMPI_OK
               : xmpi_error_set(error, XMPI_ERR_INPUT, "there is no technique %.64s",
                                request->technique);
}

static xmpi_status_t read_scenario(const request_t *request, sim_scenario_t *scenario,
                                   xmpi_error_t *error)
{
    xmpi_status_t status = sim_scenario_read(request->scenario, scenario, error);
    if (status == XMPI_OK)
        status = apply_sets(request, scenario, error);
    return status == XMPI_OK ? choose_technique(request, scenario, error) : status;
}

/* --- what comes of it --------------------------------------------------------------------------
 */

typedef void write_t(const sim_sweep_t *sweep, FILE *file);

static int write_to(const char *path, const sim_sweep_t *sweep, write_t *write_form)
{
    FILE *file = path != NULL && strcmp(path, "-") != 0 ? fopen(path, "we") : stdout;
    if (file == NULL)
        return tool_complain("%s: %s", path, strerror(errno));
    write_form(sweep, file);
    bool failed = fflush(file) != 0 || ferror(file);
    if (file != stdout)
        failed |= fclose(file) != 0;
    return failed
               ? tool_complain("%s: %s", path != NULL ? path : "standard output", strerror(errno))
               : TOOL_OK;
}

static int sweep(const request_t *request, const sim_scenario_t *scenario)
{
    xmpi_error_t error = {""};
    sim_sweep_t all = {.scenario = scenario,
                       .seeds = request->seeds,
                       .first_seed = (uint64_t)request->seed,
                       .jobs = request->jobs,
                       .progress = !request->quiet && isatty(STDERR_FILENO)};
    int status = TOOL_OK;
    if (sim_sweep(&all, &error) != XMPI_OK)
        status = tool_complain("%s", error.text);
    if (status == TOOL_OK)
        status = write_to(request->output, &all,
                          request->claims ? sim_table_write_claims : sim_table_write);
    if (status == TOOL_OK && request->runs != NULL)
        status = write_to(request->runs, &all, sim_table_write_runs);
    if (status == TOOL_OK && request->plot != NULL)
        status = sim_plot(&all, request->plot);
    free(all.result);
    return status;
}

static void write_trace_figures(const sim_technique_t *technique, const sim_result_t *result)
{
    printf("technique %s\nseconds %.6g\nintervals %lld\nchanges %lld\ndeciding_cpu_seconds %.3g\n",
           technique->name, result->seconds, (long long)result->intervals,
           (long long)result->changes, result->deciding);
}

static int write_trace(const request_t *request, const sim_values_t *values,
                       const sim_technique_t *technique)
{
    xmpi_error_t error = {""};
    sim_result_t result;
    if (sim_values_have_jobs(values) || sim_values_have_gangs(values))
        return tool_complain("there is a trace of one program only: see --schedule, --runs");
    if (sim_run(values, technique, (uint64_t)request->seed, request->trace, &result, &error) !=
        XMPI_OK)
        return tool_complain("%s", error.text);
    write_trace_figures(technique, &result);
    return TOOL_OK;
}

static int write_schedule(const request_t *request, const sim_values_t *values,
                          const sim_technique_t *technique)
{
    xmpi_error_t error = {""};
    sim_result_t result;
    if (!sim_values_have_jobs(values))
        return tool_complain("a program has no schedule of jobs: see --trace");
    FILE *file = fopen(request->schedule, "we");
    if (file == NULL)
        return tool_complain("%s: %s", request->schedule, strerror(errno));
    xmpi_status_t status =
        sim_workload_run(values, technique, (uint64_t)request->seed, file, &result, &error);
    bool failed = ferror(file);
    failed |= fclose(file) != 0;
    if (status != XMPI_OK)
        return tool_complain("%s", error.text);
    return failed ? tool_complain("%s: %s", request->schedule, strerror(errno)) : TOOL_OK;
}

/* The first point and seed of one technique. */
static int one_run(const request_t *request, const sim_scenario_t *scenario)
{
    xmpi_error_t error = {""};
    sim_values_t values;
    const sim_technique_t *technique = &scenario->technique[scenario->techniques - 1];
    if (sim_scenario_at(scenario, 0, &values, &error) != XMPI_OK)
        return tool_complain("%s", error.text);
    return request->trace != NULL ? write_trace(request, &values, technique)
                                  : write_schedule(request, &values, technique);
}

/* Before a simulation that may take long: what can be seen to be in the way of writing PATH (NULL:
 * nothing is). */
static int can_be_written(const char *path)
{
    struct stat file;
    char folder[TOOL_PATH_MAX];
    if (path == NULL || strcmp(path, "-") == 0)
        return TOOL_OK;
    snprintf(folder, sizeof folder, "%s", path);
    bool there = stat(path, &file) == 0;
    if (there && S_ISDIR(file.st_mode))
        return tool_complain("%s: %s", path, strerror(EISDIR));
    return access(there ? path : dirname(folder), W_OK) != 0
               ? tool_complain("%s: %s", path, strerror(errno))
               : TOOL_OK;
}

static int simulate(const request_t *request)
{
    static sim_scenario_t scenario;
    xmpi_error_t error = {""};
    const char *const written[] = {request->output, request->runs, request->plot, request->trace,
                                   request->schedule};
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        if (can_be_written(written[i]) != TOOL_OK)
            return TOOL_MISUSED;
    if (sim_network_missing() != NULL)
        return tool_complain("%s", sim_network_missing());
    if (read_scenario(request, &scenario, &error) != XMPI_OK)
        return tool_complain("%s", error.text);
    if (request->claims && scenario.claims == 0)
        return tool_complain("%s: nothing is claimed of what is to be simulated; claims are of all "
                             "points and techniques of a scenario",
                             request->scenario);
    return request->trace != NULL || request->schedule != NULL ? one_run(request, &scenario)
                                                               : sweep(request, &scenario);
}

int main(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse_option,
        "SCENARIO",
        "Simulates a program on a platform with loads, once with each of some techniques of "
        "adapting, by the decisions that XMPI makes in programs that run, and prints how long it "
        "took as comma-separated values.",
        NULL,
        NULL,
        NULL};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    request_t request = {.seeds = 10, .seed = 1, .jobs = processors > 0 ? (int)processors : 1};
    tool_parse(&argp, argc, argv, 0, &request);
    if (!request.keys)
        return simulate(&request);
    sim_values_page(stdout);
    return TOOL_OK;
}
