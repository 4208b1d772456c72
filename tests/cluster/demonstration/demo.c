/* SPDX-License-Identifier: BSD-3-Clause
 * The demonstration: the example jacobi on an emulated heterogeneous cluster, first as a plain MPI
 * program, then the same source compiled with xmpicc: balancing its load, and growing and
 * shrinking. All of them compute for real and are slowed down to the speed of their node by pace.c.
 * Everything that it makes is in the folder demo of the build folder, the traces too. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster/demonstration/demo_cluster.h"
#include "cluster/demonstration/demo_trace.h"
#include "support/command.h"

/* Large enough for 80 ms an iteration on the slowest node, of which the real computation is a
 * fortieth; dominance near enough to 1 for some 200 iterations. KAPPA: seconds per unit of work at
 * speed 1. */
enum { ORDER = 2000, INTERVAL = 5, GROW_AT = 60, SHRINK_AT = 130, SETTINGS = 4 };
static const double KAPPA = 1.5e-7;

enum { BUILD_LIMIT = 60, RUN_LIMIT = 60 }; /* seconds */

typedef struct {
    const char *name;    /* also of the files of the run */
    const char *about;   /* for people */
    const char *program; /* plain or adaptive */
    int processes;
    const char *settings[SETTINGS];
    int grows; /* to all PEs, and shrinks back */
} scene_t;

static const scene_t scenes[] = {
    {"static", "plain MPI, equal blocks", "plain", CLUSTER_START, {NULL}, 0},
    {"balanced", "adaptive", "adaptive", CLUSTER_START, {"XMPI_POLICY=balance"}, 0},
    {"spawned",
     "adaptive, grows to 6 and shrinks to 4, new processes",
     "adaptive",
     CLUSTER_START,
     {"XMPI_POLICY=schedule", "XMPI_SCHEDULE=schedule", "XMPI_BACKEND=spawn"},
     1},
    {"pooled",
     "adaptive, grows to 6 and shrinks to 4, spare processes",
     "adaptive",
     CLUSTER_PES,
     {"XMPI_POLICY=schedule", "XMPI_SCHEDULE=schedule", "XMPI_BACKEND=pool", "XMPI_ACTIVE=4"},
     1},
};

enum { SCENES = sizeof scenes / sizeof *scenes };

typedef struct {
    int iterations;
    double seconds; /* of the loop */
    trace_t trace;  /* that of a plain run is made up from the run itself */
} outcome_t;

static void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

static void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("demo: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static char *folder(void)
{
    return formatted("%s/demo", build_dir());
}

/* Runs LINE (freed) in the folder of the demonstration; its standard output. What a command that
 * failed has said follows our own line. */
static char *shell(const char *what, int seconds, char *line)
{
    char *dir = folder();
    command_t command = command_shell(dir, seconds, "%s", line);
    if (command.status == 124)
        fail("%s: not done in %d seconds\n%s%s", what, seconds, command.out, command.err);
    if (command.status != 0)
        fail("%s: exit status %d\n%s%s", what, command.status, command.out, command.err);
    free(dir);
    free(line);
    free(command.err);
    return command.out;
}

static char *read_result(const char *name, const char *suffix)
{
    char *path = formatted("%s/demo/%s.%s", build_dir(), name, suffix);
    char *content = read_file(path, NULL);
    if (content == NULL)
        fail("%s: the run has not written this file", path);
    free(path);
    return content;
}

static void write_input(const char *name, char *content)
{
    char *path = formatted("%s/demo/%s", build_dir(), name);
    write_file(path, content);
    free(path);
    free(content);
}

/* Settings of the user's would make it another demonstration. */
static void forget_settings(void)
{
    for (char **entry = environ; *entry != NULL;) {
        size_t length = strcspn(*entry, "=");
        char *name = formatted("%.*s", (int)length, *entry);
        int ours = strncmp(name, "XMPI_", 5) == 0 && strcmp(name, "XMPI_BUILD") != 0 &&
                   strcmp(name, "XMPI_SOURCE") != 0;
        if (ours)
            unsetenv(name);
        entry = ours ? environ : entry + 1;
        free(name);
    }
}

static void make_folder(void)
{
    char *dir = folder();
    command_t command = command_shell(NULL, BUILD_LIMIT, "rm -rf '%s' && mkdir -p '%s'", dir, dir);
    if (command.status != 0)
        fail("%s: cannot be made\n%s", dir, command.err);
    command_free(&command);
    free(dir);
}

/* The example's own makefile builds it with either compiler; only the linker hears of the pacing.
 */
static void build_program(const char *compiler, const char *name)
{
    char *what = formatted("building the example with %s", compiler);
    free(shell(what, BUILD_LIMIT,
               formatted("XMPICC_FLAGS=--xmpi-replaced=sweep make -s -C '%s/examples/jacobi' "
                         "CC=\"'%s/bin/%s'\" BUILD=\"$PWD/%s\" "
                         "LDFLAGS=-Wl,--wrap=sweep LDLIBS=\"$PWD/pace.o\" "
                         "\"$PWD/%s/jacobi\"",
                         source_dir(), build_dir(), compiler, name, name)));
    free(what);
}

static void build(void)
{
    printf("building the example with mpicc and with xmpicc\n");
    fflush(stdout);
    free(shell("building the pacing", BUILD_LIMIT,
               formatted("'%s/tests/cluster/build_pace' pace.c", source_dir())));
    build_program("mpicc", "plain");
    build_program("xmpicc", "adaptive");
    free(shell(
        "building the generator", BUILD_LIMIT,
        formatted("make -s -C '%s/examples/jacobi' CC=\"'%s/bin/mpicc'\" BUILD=\"$PWD/tools\" "
                  "\"$PWD/tools/generate\"",
                  source_dir(), build_dir())));
}

static void make_inputs(void)
{
    free(shell("generating the system", BUILD_LIMIT,
               formatted("tools/generate -n %d -d 1.1 system", ORDER)));
    write_input("machines", cluster_machines());
    write_input("schedule",
                formatted("spawn %d any %d\nremove %d any %d\n", CLUSTER_PES - CLUSTER_START,
                          GROW_AT, CLUSTER_PES - CLUSTER_START, SHRINK_AT));
}

static char *command_line(const scene_t *scene)
{
    char *speeds = cluster_speeds();
    char *line = formatted("EMU_SPEEDS=%s EMU_KAPPA=%g XMPI_TRACE=%s.trace XMPI_COUNTER=work "
                           "XMPI_INTERVAL=%d",
                           speeds, KAPPA, scene->name, INTERVAL);
    free(speeds);
    for (int i = 0; i < SETTINGS && scene->settings[i] != NULL; i++) {
        char *longer = formatted("%s %s", line, scene->settings[i]);
        free(line);
        line = longer;
    }
    char *whole = formatted("%s exec '%s/tests/cluster/run' -m machines -n %d -- %s/jacobi "
                            "-o %s.solution system",
                            line, source_dir(), scene->processes, scene->program, scene->name);
    free(line);
    return whole;
}

static double figure(const scene_t *scene, const char *output, const char *name)
{
    double value;
    const char *at = strstr(output, name);
    if (at == NULL || sscanf(at + strlen(name), " %lf", &value) != 1)
        fail("%s: the program has not printed \"%s\" but\n%s", scene->name, name, output);
    return value;
}

static int is_static(const scene_t *scene)
{
    return scene == scenes;
}

/* A plain run is one interval in which nothing changes. */
static void trace_static(outcome_t *outcome)
{
    trace_t *trace = &outcome->trace;
    trace->iterations = outcome->iterations;
    trace->before = trace->after = outcome->seconds / outcome->iterations;
    trace->work = outcome->iterations / cluster_total_speed(CLUSTER_START);
    trace->members = CLUSTER_START;
}

/* What the run is there to show must have happened. */
static void check_trace(const scene_t *scene, const outcome_t *outcome)
{
    const trace_t *trace = &outcome->trace;
    if (trace->iterations != outcome->iterations)
        fail("%s: %d iterations, but %d in the trace", scene->name, outcome->iterations,
             trace->iterations);
    if (trace->steps == 0)
        fail("%s: no reconfiguration has taken place", scene->name);
    if (scene->grows && !trace_has(trace, "grow", CLUSTER_PES))
        fail("%s: has not grown to %d processes", scene->name, CLUSTER_PES);
    if (scene->grows && !trace_has(trace, "shrink", CLUSTER_START))
        fail("%s: has not shrunk to %d processes", scene->name, CLUSTER_START);
}

static void read_trace(const scene_t *scene, outcome_t *outcome)
{
    char why[TRACE_WHY];
    char *content = read_result(scene->name, "trace");
    if (trace_read(content, cluster_speed, &outcome->trace, why) != 0)
        fail("%s: %s", scene->name, why);
    free(content);
    check_trace(scene, outcome);
}

static outcome_t play(const scene_t *scene)
{
    outcome_t outcome = {0};
    printf("running %s: %s\n", scene->name, scene->about);
    fflush(stdout);
    char *output = shell(scene->name, RUN_LIMIT, command_line(scene));
    outcome.seconds = figure(scene, output, "seconds");
    outcome.iterations = (int)figure(scene, output, "iterations");
    if (strstr(output, "converged yes") == NULL || outcome.iterations < 1)
        fail("%s: has not converged\n%s", scene->name, output);
    if (is_static(scene))
        trace_static(&outcome);
    else
        read_trace(scene, &outcome);
    free(output);
    return outcome;
}

static void compare_solutions(void)
{
    char *expected = read_result(scenes[0].name, "solution");
    for (int i = 1; i < SCENES; i++) {
        char *solution = read_result(scenes[i].name, "solution");
        if (strcmp(solution, expected) != 0)
            fail("solution identical: no; that of the run \"%s\" differs, see %s/demo",
                 scenes[i].name, build_dir());
        free(solution);
    }
    free(expected);
}

/* In total work / total speed of the PEs that were there, without any communication. */
static double ideal_seconds(const outcome_t *outcome)
{
    return outcome->trace.work * ORDER * ORDER * KAPPA;
}

static void print_row(const char *name, const outcome_t *outcome, const outcome_t *plain)
{
    const trace_t *trace = &outcome->trace;
    double saved = plain->seconds - outcome->seconds, ideal = ideal_seconds(outcome);
    printf("%-10s%7.2f%10.1f%9.1f%8.2f%7.1f%8.2f%10.1f%10d%9.3f\n", name, outcome->seconds,
           1e3 * trace->before, 1e3 * trace->after, saved, 100 * saved / plain->seconds, ideal,
           100 * ideal / outcome->seconds, trace->steps, trace->step_seconds);
}

static void print_table(const outcome_t *outcomes)
{
    printf("\n             time   ms per iteration     time saved   ideal  achieved"
           "   reconfigurations\n"
           "run             s    before    after       s      %%       s         %%"
           "    number   cost s\n");
    for (int i = 0; i < SCENES; i++)
        print_row(scenes[i].name, &outcomes[i], &outcomes[0]);
    printf("\nsolution identical: yes\n");
}

int main(void)
{
    outcome_t outcomes[SCENES];
    forget_settings();
    make_folder();
    build();
    make_inputs();
    for (int i = 0; i < SCENES; i++)
        outcomes[i] = play(&scenes[i]);
    compare_solutions();
    print_table(outcomes);
    return 0;
}
