/* SPDX-License-Identifier: BSD-3-Clause
 * The examples under a malleability policy on an emulated cluster of the thesis's classes with its
 * costs (Table 6.4): how they are built, run, and what the trace then says. For policies.c. */
#ifndef XMPI_BENCH_POLICIES_H
#define XMPI_BENCH_POLICIES_H

#include "bench/measure.h"

enum { LIMIT = 290, INTERVALS = 25 };

static const char speeds[] = "C1=1.90,C7=2.25,C6=2.90,C8=4.62";
static const double class_speed[] = {1.90, 2.25, 2.90, 4.62};

/* An example; its kernel is wrapped by the file PACE of tests/cluster/emulation. */
typedef struct {
    const char *name, *kernel, *pace;
    const char *iterations; /* before their number; NULL: the arguments say it */
} example_t;

static const example_t jacobi = {"jacobi", "sweep", "pace.c", "-i"};
static const example_t cg = {"cg", "multiply", "pace_cg.c", "-i"};
static const example_t epigraph = {"epigraph", "spread", "pace_epigraph.c", NULL};

/* A test case: what is run, how large, on how many PEs of each class at first. */
typedef struct {
    const char *name;
    const example_t *example;
    const char *generate;  /* the problem, for the example's generator */
    const char *arguments; /* of the example, without its iterations */
    int start, more;       /* PEs of each class: at first, and to grow by */
    int iterations;
    double units;   /* of work in an iteration; 0: as an earlier run has recorded */
    double seconds; /* of an iteration, all members balanced */
} case_t;

static char *dir;

/* --- programs and runs ---------------------------------------------------------------------------
 */

/* NAME/NAME in DIR; once. */
static void build_example(const example_t *example)
{
    free(measure_run(
        dir, LIMIT,
        measure_text("mkdir -p %s && cd %s && test -e %s || { '%s/tests/cluster/build_pace' %s && "
                     "XMPICC_FLAGS=--xmpi-replaced=%s make -s -C '%s/examples/%s' "
                     "CC=\"'%s/bin/xmpicc'\" BUILD=\"$PWD\" "
                     "LDFLAGS=-Wl,--wrap=%s LDLIBS=\"$PWD/pace.o\" \"$PWD/%s\" && "
                     "make -s -C '%s/examples/%s' CC=\"'%s/bin/mpicc'\" BUILD=\"$PWD/tools\" "
                     "\"$PWD/tools/generate\"; }",
                     example->name, example->name, example->name, source_dir(), example->pace,
                     example->kernel, source_dir(), example->name, build_dir(), example->kernel,
                     example->name, source_dir(), example->name, build_dir())));
}

static void prepare(const case_t *c)
{
    build_example(c->example);
    free(measure_run(dir, LIMIT,
                     measure_text("cd %s && test -e %s || tools/generate %s %s", c->example->name,
                                  c->name, c->generate, c->name)));
}

/* A calibration of these MACHINES, with up to JOINERS processes at once, in FILE. */
static void calibrate(const char *settings, const char *machines, int joiners, const char *file)
{
    measure_write(dir, "calibrated", machines);
    free(measure_run(
        dir, LIMIT,
        measure_text("%s env %s '%s/bin/xmpi-calibrate' -q -o %s -t concurrent -j %d -s C1=1.90 "
                     "-s C7=2.25 -s C6=2.90 -s C8=4.62 "
                     "-m '\"%s/tests/cluster/run\" -m calibrated -n %%n --'",
                     measure_priority(), settings, build_dir(), file, joiners, source_dir())));
}

/* The first nodes have the members at first; one node of each class has what there is to grow by.
 */
static void write_machines(const case_t *c)
{
    char *text = measure_text("a1:C1:%d:0.095\na7:C7:%d:0.115\na6:C6:%d:0.204\na8:C8:%d:0.462\n"
                              "b1:C1:%d:0.095\nb7:C7:%d:0.115\nb6:C6:%d:0.204\nb8:C8:%d:0.462\n",
                              c->start, c->start, c->start, c->start, 2 * c->more, c->more, c->more,
                              c->more);
    measure_write(dir, "machines", text);
    measure_write(dir, "all", text);
    free(text);
}

static double power_at_first(const case_t *c)
{
    double power = 0;
    for (int i = 0; i < 4; i++)
        power += c->start * class_speed[i];
    return power;
}

/* Units of work in an iteration, in the mean, from the profile that a quick run records. */
static double recorded_units(const case_t *c)
{
    double iteration = 0, work = 0;
    char *last;
    free(measure_run(dir, LIMIT,
                     measure_text("EMU_SPEEDS=%s EMU_KAPPA=1e-9 XMPI_COUNTER=work XMPI_INTERVAL=1 "
                                  "XMPI_RECORD=%s.profile '%s/tests/cluster/run' -m machines -n 4 "
                                  "-- %s/%s %s %s/%s",
                                  speeds, c->name, source_dir(), c->example->name, c->example->name,
                                  c->arguments, c->example->name, c->name)));
    last = measure_run(dir, LIMIT, measure_text("tail -n 1 %s.profile", c->name));
    if (sscanf(last, "%lf %lf", &iteration, &work) != 2 || !(work > 0))
        measure_fail("%s.profile has no last point", c->name);
    free(last);
    return work / iteration;
}

typedef struct {
    double seconds, cost;
    int most, last; /* members */
    int changes;
    int unreachable; /* the program said that its goal cannot be reached */
} result_t;

/* What the trace says of the run. */
static result_t result_of_trace(void)
{
    result_t result = {0};
    const cJSON *event;
    cJSON *events = trace_events(dir, "trace");
    cJSON_ArrayForEach(event, events)
    {
        if (trace_is(event, "event", "start"))
            result.most = (int)trace_number(event, "members");
        if (trace_is_done(event) && trace_number(event, "to") > result.most)
            result.most = (int)trace_number(event, "to");
        if (trace_is_done(event))
            result.changes += trace_number(event, "to") != trace_number(event, "from");
        if (trace_is(event, "event", "end")) {
            result.seconds = trace_number(event, "seconds");
            result.cost = trace_number(event, "cost");
            result.last = (int)trace_number(event, "members");
        }
    }
    cJSON_Delete(events);
    if (result.seconds <= 0)
        measure_fail("the trace has no end");
    char *path = measure_text("%s/messages", dir), *messages = read_file(path, NULL);
    result.unreachable = messages != NULL && strstr(messages, "cannot be reached") != NULL;
    free(messages);
    free(path);
    return result;
}

/* Runs the case with SETTINGS on MEMBERS processes of the file "machines", after the shell commands
 * BEFORE, of which some may go on beside it. */
static result_t run_after(const char *before, const case_t *c, int members, const char *settings)
{
    double kappa = c->seconds * power_at_first(c) / c->units;
    char *iterations = c->example->iterations != NULL
                           ? measure_text("%s %d", c->example->iterations, c->iterations)
                           : measure_text(" ");
    free(measure_run(
        dir, LIMIT,
        measure_text("rm -f trace messages; %s export EMU_SPEEDS=%s EMU_KAPPA=%g XMPI_COUNTER=work "
                     "XMPI_WINDOW=1 XMPI_CALIBRATION=calibration XMPI_TRACE=trace XMPI_INTERVAL=%d "
                     "XMPI_ITERATIONS=%d EMU_MACHINES=\"$PWD/all\" %s; exec %s "
                     "'%s/tests/cluster/run' -m machines -n %d -- %s/%s %s %s %s/%s 2>>messages",
                     before, speeds, kappa, c->iterations / INTERVALS, c->iterations, settings,
                     measure_priority(), source_dir(), members, c->example->name, c->example->name,
                     iterations, c->arguments, c->example->name, c->name)));
    free(iterations);
    return result_of_trace();
}

static result_t run_case(const case_t *c, int members, const char *settings)
{
    return run_after("", c, members, settings);
}

/* --- series over the run -------------------------------------------------------------------------
 */

/* Members by iteration, in a line that begins with #. */
static void show_members(const char *name)
{
    const cJSON *event;
    cJSON *events = trace_events(dir, "trace");
    printf("# %s, iteration:members seconds of an iteration:", name);
    cJSON_ArrayForEach(event, events)
    {
        if (trace_is(event, "event", "interval"))
            printf(" %g:%d %.4f", trace_number(event, "iteration"),
                   cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(event, "members")),
                   trace_number(event, "seconds") / trace_number(event, "iterations"));
    }
    printf("\n");
    cJSON_Delete(events);
}

/* Seconds of an iteration in the second half of the run. */
static double steady_seconds(void)
{
    series_t series = {0};
    const cJSON *event;
    cJSON *events = trace_events(dir, "trace");
    double last = 0;
    cJSON_ArrayForEach(event, events)
    {
        if (trace_is(event, "event", "interval"))
            last = trace_number(event, "iteration");
    }
    cJSON_ArrayForEach(event, events)
    {
        if (trace_is(event, "event", "interval") && trace_number(event, "iteration") > last / 2)
            series_add(&series, trace_number(event, "seconds") / trace_number(event, "iterations"));
    }
    double median = series_median(&series);
    series_free(&series);
    cJSON_Delete(events);
    return median;
}

#endif
