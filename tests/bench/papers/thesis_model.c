/* SPDX-License-Identifier: BSD-3-Clause
 * Measures how good the predictions are (thesis §6.3.2): the examples on an emulated cluster with a
 * network, from 2 members to 16 and back, predicted against measured for the interval after every
 * change. Prints the thesis's Table 6.8 for each program, and the data of Figs 6.9 to 6.12:
 * point-to-point, broadcast, gather and allreduce, estimated and measured, over sizes and members.
 *
 * Arguments choose parts: jacobi, cg, epigraph, figures; without any, all are measured. */
#define _GNU_SOURCE
#include "bench/measure.h"

#include "decide/communication/mpi_cost.h"
#include "files/calibration_file.h"

enum { LIMIT = 280, NODES = 18, INTERVAL = 6, PHASES = 5, FIGURE_ROUNDS = 3 };

/* A message takes 20 ms: much longer than it takes a busy machine to give a core to a process that
 * wakes up. Table 6.7 has 0.1 ms; all times are that much longer here, those of computation too.
 * As in the thesis the program stands still while data move. */
static const char network[] = "EMU_ALPHA=0.02 EMU_BETA=2e-8 EMU_LAUNCH=0.5 XMPI_MOVE=p2p "
                              "XMPI_MOVE_BACKGROUND=0";
static const char speeds[] = "C1=1.90,C7=2.25,C6=2.90,C8=4.62";
static const char given[] = "-s C1=1.90 -s C7=2.25 -s C6=2.90 -s C8=4.62";

/* An example. Its kernel is wrapped by the file PACING of tests/cluster/emulation. */
typedef struct {
    const char *name, *kernel, *pacing;
    const char *generate, *file; /* the problem, and what the generator is told */
    const char *arguments;
    double kappa; /* seconds of a unit of work at speed 1 */
    const char *settings;
    int interval; /* iterations */
} program_t;

static const program_t programs[] = {
    {"jacobi", "sweep", "pace.c", "-n 2000", "system", "-i 44 -t 0", 8e-7, "", INTERVAL},
    {"cg", "multiply", "pace_cg.c", "-n 20000 -z 15 -d 1.0001", "matrix.mtx", "-i 44 -t 0", 1.2e-5,
     "", INTERVAL},
};

/* --- the emulated cluster ---------------------------------------------------------------------
 */

static void write_machines(const char *dir)
{
    static const char *const classes[] = {"C1", "C7", "C6", "C8"};
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    for (int i = 0; i < NODES; i++)
        fprintf(file, "n%d:%s:1\n", i + 1, classes[i % 4]);
    fclose(file);
    measure_write(dir, "machines", text);
    free(text);
}

/* 2, 4, 8, 16, 12, 4 and 2 members, an interval each. */
static void write_schedule(const char *dir, const char *name, int interval)
{
    static const int steps[] = {2, 4, 8, -4, -8, -2};
    char text[512] = "";
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        sprintf(text + strlen(text), "%s %d any %d\n", steps[i] > 0 ? "spawn" : "remove",
                abs(steps[i]), (int)(i + 1) * interval);
    measure_write(dir, name, text);
}

/* The settings of the cluster. */
static char *cluster(void)
{
    return measure_text("%s env EMU_PRELOAD=\"$PWD/network.so\" "
                        "EMU_NETWORK=\"$PWD/network.$$\" EMU_SPEEDS=%s %s",
                        measure_priority(), speeds, network);
}

static void build_cluster(const char *dir)
{
    write_machines(dir);
    free(measure_run(
        dir, LIMIT,
        measure_text("cc -O2 -shared -fPIC '%s/tests/cluster/emulation/network.c' -o network.so "
                     "-lm",
                     source_dir())));
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/bin/mpicc' -O2 '%s/tests/bench/programs/operations.c' "
                                  "-o operations",
                                  build_dir(), source_dir())));
}

static void calibrate(const char *dir)
{
    char *settings = cluster();
    free(measure_run(dir, LIMIT,
                     measure_text("%s '%s/bin/xmpi-calibrate' -q -t group -o calibration.json %s "
                                  "-m \"'%s/tests/cluster/run' -m '$PWD/machines' -n %%n --\"",
                                  settings, build_dir(), given, source_dir())));
    free(settings);
}

/* --- errors of a run --------------------------------------------------------------------------
 */

static const char *const phase_names[PHASES] = {"computation", "communication", "process",
                                                "redistribution", "interval"};

typedef struct {
    series_t error[PHASES]; /* percent */
} errors_t;

static void compare(errors_t *errors, int phase, double predicted, double measured)
{
    if (measured > 0)
        series_add(&errors->error[phase], 100 * fabs(predicted - measured) / measured);
}

/* As the thesis has it: the slowest member computes, the one that waits least communicates. */
static void compare_interval(errors_t *errors, const cJSON *event, const cJSON *predicted)
{
    const cJSON *member;
    double computation = 0, communication = INFINITY;
    cJSON_ArrayForEach(member, cJSON_GetObjectItemCaseSensitive(event, "members"))
    {
        computation = fmax(computation, trace_number(member, "computation"));
        communication = fmin(communication, trace_number(member, "communication"));
    }
    compare(errors, 0, trace_number(predicted, "computation"), computation);
    compare(errors, 1, trace_number(predicted, "communication"), communication);
    compare(errors, 4, trace_number(predicted, "total"), computation + communication);
}

/* Where no process comes or goes, what all agree on counts as redistribution. */
static void compare_change(errors_t *errors, const cJSON *event, const cJSON *predicted)
{
    double processes = trace_number(event, "processes");
    double move = trace_number(event, "redistribution");
    bool same = (int)trace_number(event, "from") == (int)trace_number(event, "to");
    if (!same)
        compare(errors, 2, trace_number(predicted, "processes"), processes);
    compare(errors, 3, trace_number(predicted, "redistribution"), same ? move + processes : move);
}

static void compare_events(const char *dir, const char *trace, errors_t *errors)
{
    const cJSON *event;
    cJSON *events = trace_events(dir, trace);
    cJSON_ArrayForEach(event, events)
    {
        const cJSON *predicted = cJSON_GetObjectItemCaseSensitive(event, "predicted");
        if (predicted == NULL)
            continue;
        if (trace_is(event, "event", "interval"))
            compare_interval(errors, event, predicted);
        if (!trace_is_done(event))
            continue;
        compare_change(errors, event, predicted);
    }
    cJSON_Delete(events);
}

static double mean(const series_t *series)
{
    double sum = 0;
    for (int i = 0; i < series->n; i++)
        sum += series->value[i];
    return series->n > 0 ? sum / series->n : NAN;
}

static double deviation(const series_t *series)
{
    double m = mean(series), sum = 0;
    for (int i = 0; i < series->n; i++)
        sum += (series->value[i] - m) * (series->value[i] - m);
    return series->n > 1 ? sqrt(sum / (series->n - 1)) : 0;
}

static void report(const char *name, const errors_t *errors)
{
    printf("Table 6.8, %-10s  relative error %%  standard deviation %%  of\n", name);
    for (int i = 0; i < PHASES; i++) {
        char figure[128];
        const series_t *error = &errors->error[i];
        if (error->n == 0)
            continue;
        printf("  %-20s %15.2f  %20.2f  %d\n", phase_names[i], mean(error), deviation(error),
               error->n);
        snprintf(figure, sizeof figure, "model.%s.%s_percent", name, phase_names[i]);
        measure_figure(figure, mean(error), "%");
    }
    fflush(stdout);
}

/* --- programs ---------------------------------------------------------------------------------
 */

static void build(const char *dir, const program_t *program)
{
    free(measure_run(
        dir, LIMIT,
        measure_text("mkdir -p %s && cd %s && '%s/tests/cluster/build_pace' %s && "
                     "XMPICC_FLAGS=--xmpi-replaced=%s make -s -C '%s/examples/%s' "
                     "CC=\"'%s/bin/xmpicc'\" BUILD=\"$PWD\" "
                     "LDFLAGS=-Wl,--wrap=%s LDLIBS=\"$PWD/pace.o\" \"$PWD/%s\" && "
                     "make -s -C '%s/examples/%s' CC=\"'%s/bin/mpicc'\" BUILD=\"$PWD/tools\" "
                     "\"$PWD/tools/generate\" && tools/generate %s %s",
                     program->name, program->name, source_dir(), program->pacing, program->kernel,
                     source_dir(), program->name, build_dir(), program->kernel, program->name,
                     source_dir(), program->name, build_dir(), program->generate, program->file)));
}

static void run(const char *dir, const program_t *program, errors_t *errors)
{
    char *settings = cluster(), *trace = measure_text("%s.trace", program->name);
    write_schedule(dir, "schedule", program->interval);
    free(measure_run(
        dir, LIMIT,
        measure_text(
            "%s EMU_KAPPA=%g XMPI_CALIBRATION=calibration.json XMPI_POLICY=schedule "
            "XMPI_SCHEDULE=schedule XMPI_STRATEGY=group XMPI_INTERVAL=%d "
            "XMPI_COUNTER=work XMPI_TRACE=%s %s '%s/tests/cluster/run' -m machines -n 2 -- "
            "%s/%s %s %s/%s",
            settings, program->kappa, program->interval, trace, program->settings, source_dir(),
            program->name, program->name, program->arguments, program->name, program->file)));
    compare_events(dir, trace, errors);
    free(trace);
    free(settings);
}

/* --- an irregular program, by the profile of an earlier run -------------------------------------
 */

static const program_t irregular = {"epigraph",
                                    "spread",
                                    "pace_epigraph.c",
                                    "-n 40000 -r 4",
                                    "population",
                                    "-d 45 -t 4 -i 40 -p transmission=0.006",
                                    8e-6,
                                    "",
                                    12};

static void run_irregular(const char *dir, errors_t *errors)
{
    char *machines = measure_text("EMU_SPEEDS=%s XMPI_COUNTER=work XMPI_INTERVAL=%d %s", speeds,
                                  irregular.interval, measure_priority());
    char *command = measure_text("'%s/tests/cluster/run' -m machines -n 4 -- epigraph/epigraph %s "
                                 "epigraph/population",
                                 source_dir(), irregular.arguments);
    build(dir, &irregular);
    free(measure_run(dir, LIMIT,
                     measure_text("EMU_KAPPA=1e-9 XMPI_RECORD=profile %s %s", machines, command)));
    free(measure_run(dir, LIMIT,
                     measure_text("EMU_KAPPA=%g XMPI_PROFILE=profile XMPI_TRACE=epigraph.trace %s "
                                  "%s",
                                  irregular.kappa, machines, command)));
    compare_events(dir, "epigraph.trace", errors);
    free(machines);
    free(command);
}

/* --- Figures 6.9 to 6.12 ----------------------------------------------------------------------
 */

typedef struct {
    const char *figure, *name;
    xmpi_kind_t kind;
} operation_t;

static const operation_t operations[] = {{"6.9", "send", XMPI_KIND_SEND},
                                         {"6.10", "bcast", XMPI_KIND_BCAST},
                                         {"6.11", "gather", XMPI_KIND_GATHER},
                                         {"6.12", "allreduce", XMPI_KIND_ALLREDUCE}};

static double estimated(const xmpi_calibration_t *calibration, xmpi_kind_t kind, int members,
                        double bytes)
{
    xmpi_mpi_call_t call = {.kind = kind, .members = members, .bytes = bytes};
    return xmpi_mpi_seconds(&call, &calibration->link[XMPI_LINK_NETWORK], calibration->gamma);
}

/* Lines of "NAME BYTES SECONDS" that the program prints for MEMBERS processes. */
static void compare_operations(const char *dir, int members, const xmpi_calibration_t *calibration,
                               series_t *errors)
{
    char *settings = cluster(), name[32];
    double bytes, seconds;
    char *output =
        measure_run(dir, LIMIT,
                    measure_text("%s '%s/tests/cluster/run' -m machines -n %d -- ./operations %d",
                                 settings, source_dir(), members, FIGURE_ROUNDS));
    for (char *line = strtok(output, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (sscanf(line, "%31s %lf %lf", name, &bytes, &seconds) != 3)
            continue;
        for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
            double model = estimated(calibration, operations[i].kind, members, bytes);
            if (strcmp(name, operations[i].name) != 0)
                continue;
            printf("Fig. %-5s %-10s p %2d  bytes %8.0f  estimated %8.2f ms  measured %8.2f ms\n",
                   operations[i].figure, name, members, bytes, 1e3 * model, 1e3 * seconds);
            series_add(&errors[i], 100 * fabs(model - seconds) / seconds);
        }
    }
    free(output);
    free(settings);
}

static void figures(const char *dir)
{
    static const int members[] = {4, 8, 16};
    series_t errors[sizeof operations / sizeof *operations] = {0};
    xmpi_calibration_t calibration;
    xmpi_error_t error;
    char *path = measure_text("%s/calibration.json", dir);
    if (xmpi_calibration_read(path, NULL, &calibration, &error) != XMPI_OK)
        measure_fail("%s", error.text);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        compare_operations(dir, members[i], &calibration, errors);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        char figure[128];
        snprintf(figure, sizeof figure, "model.operation.%s_percent", operations[i].name);
        measure_figure(figure, mean(&errors[i]), "%");
        series_free(&errors[i]);
    }
    free(path);
}

/* Whether PART was asked for. */
static int wanted(int argc, char **argv, const char *part)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], part) == 0)
            return 1;
    return argc < 2;
}

static void measure_program(const char *dir, const program_t *program)
{
    errors_t errors = {0};
    build(dir, program);
    run(dir, program, &errors);
    report(program->name, &errors);
}

static void measure_irregular(const char *dir)
{
    errors_t errors = {0};
    run_irregular(dir, &errors);
    report("epigraph", &errors);
}

int main(int argc, char **argv)
{
    char *dir = measure_begin("model");
    build_cluster(dir);
    calibrate(dir);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (wanted(argc, argv, programs[i].name))
            measure_program(dir, &programs[i]);
    if (wanted(argc, argv, "epigraph"))
        measure_irregular(dir);
    if (wanted(argc, argv, "figures"))
        figures(dir);
    free(dir);
    return 0;
}
