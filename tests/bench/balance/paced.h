/* SPDX-License-Identifier: BSD-3-Clause
 * The examples in measurements: built by their own makefiles with mpicc and with xmpicc, and run on
 * an emulated cluster, each kernel slowed down to the speed of its node
 * (tests/cluster/emulation/pace_*.c).
 */
#ifndef XMPI_BENCH_PACED_H
#define XMPI_BENCH_PACED_H

#include <glob.h>

#include "bench/measure.h"

enum { PACED_BUILD_LIMIT = 120, PACED_RUN_LIMIT = 240 };

/* An example. */
typedef struct {
    const char *name, *kernel, *pacing; /* of the program, its function, the file that wraps it */
    int before;                         /* calls of the kernel before the loop */
    const char *done;                   /* what it prints when it has made all iterations */
} paced_program_t;

static const paced_program_t paced_jacobi = {"jacobi", "sweep", "pace.c", 0, "converged no"};
static const paced_program_t paced_cg = {"cg", "multiply", "pace_cg.c", 2, "converged no"};
static const paced_program_t paced_epigraph = {"epigraph", "spread", "pace_epigraph.c", 0, "days"};

/* A problem for it: what the program and its generator are told. */
typedef struct {
    const char *generate, *arguments; /* before the name of the file */
    const char *file;
    int iterations;
    double kappa; /* seconds of a unit of work at speed 1 */
} paced_problem_t;

/* Where it runs. */
typedef struct paced_cluster paced_cluster_t;
struct paced_cluster {
    const char *speeds;   /* CLASS=SPEED,... */
    const char *machines; /* the machine file */
    int members;
    double total;       /* speed of all members */
    const char *script; /* of the load, NULL for none */
    /* The speed of all members in an iteration, where there is a script. */
    double (*total_at)(const paced_cluster_t *cluster, int iteration);
};

/* What a run came to. */
typedef struct {
    double seconds;            /* of the loop */
    double ideal;              /* seconds of all work divided by all speed, without communication */
    int moves;                 /* rebalances */
    double after, ideal_after; /* seconds from the first rebalance on, and of the work done there */
} paced_result_t;

/* The programs plain/NAME and adaptive/NAME in folder DIR/NAME. */
static inline void paced_build(const char *dir, const paced_program_t *program)
{
    static const char *const ways[][2] = {{"mpicc", "plain"}, {"xmpicc", "adaptive"}};
    free(measure_run(dir, PACED_BUILD_LIMIT,
                     measure_text("mkdir -p %s && cd %s && '%s/tests/cluster/build_pace' %s",
                                  program->name, program->name, source_dir(), program->pacing)));
    for (int i = 0; i < 2; i++)
        free(measure_run(
            dir, PACED_BUILD_LIMIT,
            measure_text("cd %s && XMPICC_FLAGS=--xmpi-replaced=%s make -s -C '%s/examples/%s' "
                         "CC=\"'%s/bin/%s'\" BUILD=\"$PWD/%s\" "
                         "LDFLAGS=-Wl,--wrap=%s LDLIBS=\"$PWD/pace.o\" \"$PWD/%s/%s\"",
                         program->name, program->kernel, source_dir(), program->name, build_dir(),
                         ways[i][0], ways[i][1], program->kernel, ways[i][1], program->name)));
    free(measure_run(dir, PACED_BUILD_LIMIT,
                     measure_text("cd %s && make -s -C '%s/examples/%s' CC=\"'%s/bin/mpicc'\" "
                                  "BUILD=\"$PWD/tools\" \"$PWD/tools/generate\"",
                                  program->name, source_dir(), program->name, build_dir())));
}

static inline void paced_generate(const char *dir, const paced_program_t *program,
                                  const paced_problem_t *problem)
{
    free(measure_run(dir, PACED_BUILD_LIMIT,
                     measure_text("cd %s && test -e %s || tools/generate %s %s", program->name,
                                  problem->file, problem->generate, problem->file)));
}

/* Units of work of each iteration, all processes together; malloc. */
static inline double *paced_units(const char *dir, const paced_program_t *program, int iterations)
{
    double *units = calloc((size_t)iterations, sizeof *units);
    char *pattern = measure_text("%s/%s/units.*", dir, program->name);
    glob_t found;
    if (units == NULL || glob(pattern, 0, NULL, &found) != 0)
        measure_fail("%s: the run has not told its work", pattern);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *text = read_file(found.gl_pathv[i], NULL), *at = text, *end;
        for (int k = -program->before; at != NULL && k < iterations; k++, at = end) {
            double value = strtod(at, &end);
            if (end == at)
                measure_fail("%s: ends after %d kernels", found.gl_pathv[i], k);
            if (k >= 0)
                units[k] += value;
        }
        free(text);
    }
    globfree(&found);
    free(pattern);
    return units;
}

/* Moves, and what came after the first of them. */
static inline void paced_read_trace(const char *dir, const paced_program_t *program,
                                    const double *ideal, int iterations, paced_result_t *result)
{
    char *folder = measure_text("%s/%s", dir, program->name);
    const cJSON *event, *first = NULL, *end = NULL;
    cJSON *events = trace_events(folder, "trace");
    cJSON_ArrayForEach(event, events)
    {
        if (trace_is_done(event) && trace_is(event, "kind", "rebalance")) {
            first = first != NULL ? first : event;
            result->moves++;
        }
        if (trace_is(event, "event", "end"))
            end = event;
    }
    if (end == NULL)
        measure_fail("no end in %s/trace", folder);
    if (first != NULL) {
        result->after = trace_number(end, "time") - trace_number(first, "time");
        for (int i = (int)trace_number(first, "iteration"); i < iterations; i++)
            result->ideal_after += ideal[i];
    }
    cJSON_Delete(events);
    free(folder);
}

static inline double paced_line(const char *output, const char *name)
{
    series_t found = {0};
    if (series_add_lines(&found, output, name) != 1)
        measure_fail("there is no line \"%s\" in:\n%s", name, output);
    double value = found.value[0];
    series_free(&found);
    return value;
}

/* Runs BUILD ("plain" or "adaptive") of PROGRAM with further settings. */
static inline paced_result_t paced_run(const char *dir, const paced_program_t *program,
                                       const paced_problem_t *problem,
                                       const paced_cluster_t *cluster, const char *build,
                                       const char *settings)
{
    paced_result_t result = {0};
    char *machines = measure_text("%s/machines", program->name);
    measure_write(dir, machines, cluster->machines);
    if (cluster->script != NULL) {
        char *script = measure_text("%s/script", program->name);
        measure_write(dir, script, cluster->script);
        free(script);
    }
    char *output = measure_run(
        dir, PACED_RUN_LIMIT,
        measure_text("cd %s && rm -f units.* trace && %s XMPI_TRACE=trace EMU_UNITS=units "
                     "EMU_SPEEDS=%s EMU_KAPPA=%g %s exec '%s/tests/cluster/run' -m machines -n %d "
                     "-- %s/%s %s %s",
                     program->name, cluster->script ? "EMU_SCRIPT=script" : "", cluster->speeds,
                     problem->kappa, settings, source_dir(), cluster->members, build, program->name,
                     problem->arguments, problem->file));
    result.seconds = paced_line(output, "seconds ");
    if (paced_line(output, "iterations ") != problem->iterations ||
        strstr(output, program->done) == NULL)
        measure_fail("%s has not made %d iterations:\n%s", program->name, problem->iterations,
                     output);
    double *ideal = paced_units(dir, program, problem->iterations);
    for (int i = 0; i < problem->iterations; i++) {
        double total = cluster->total_at ? cluster->total_at(cluster, i) : cluster->total;
        ideal[i] *= problem->kappa / total;
        result.ideal += ideal[i];
    }
    if (strcmp(build, "adaptive") == 0)
        paced_read_trace(dir, program, ideal, problem->iterations, &result);
    free(ideal);
    free(output);
    free(machines);
    return result;
}

#endif
