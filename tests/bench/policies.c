/* SPDX-License-Identifier: BSD-3-Clause
 * Measures the malleability policies after thesis §6.4, on an emulated cluster of the thesis's
 * classes with its costs (Table 6.4). Not part of `make bench`, as it takes a quarter of an hour:
 * make bench-policies. An argument, smp, hpmp or amp, measures that alone.
 *
 * amp: the test cases of Table 6.9, to save 25, 30 and 35 % of the static time, which is measured,
 * under both constraints (Figs 6.22-6.24). smp and hpmp: Figs 6.14-6.19, PEs that come while the
 * program runs; hpmp against a sweep of fixed numbers of members. */
#define _GNU_SOURCE
#include "bench/measure.h"

enum { LIMIT = 290, INTERVALS = 25 };

static const char speeds[] = "C1=1.90,C7=2.25,C6=2.90,C8=4.62";
static const double class_speed[] = {1.90, 2.25, 2.90, 4.62};

/* A test case: what is run, how large, on how many PEs of each class at first. */
typedef struct {
    const char *name, *example, *arguments; /* of the example, without its iterations */
    int start, more;                        /* PEs of each class: at first, and to grow by */
    int iterations;
    double units;   /* of work in an iteration */
    double seconds; /* of an iteration, all members balanced */
} case_t;

static const case_t cases[] = {
    {"J.A.8", "jacobi", "-t 0 system.A", 2, 8, 50, 500. * 500, 0.4},
    {"J.B.8", "jacobi", "-t 0 system.B", 2, 8, 50, 1000. * 1000, 0.4},
    {"J.C.8", "jacobi", "-t 0 system.C", 2, 8, 50, 1500. * 1500, 0.4},
    {"J.C.24", "jacobi", "-t 0 system.C", 6, 10, 50, 1500. * 1500, 0.4},
};

static char *dir;

/* --- programs and runs ---------------------------------------------------------------------------
 */

static void build_example(const char *example, const char *kernel, const char *pace)
{
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/tests/cluster/build_pace' %s && mv pace.o pace_%s.o && "
                                  "make -s -C '%s/examples/%s' CC='%s/bin/xmpicc' "
                                  "BUILD=\"$PWD/adaptive\" LDFLAGS=-Wl,--wrap=%s "
                                  "LDLIBS=\"$PWD/pace_%s.o\" \"$PWD/adaptive/%s\"",
                                  source_dir(), pace, example, source_dir(), example, build_dir(),
                                  kernel, example, example)));
}

static void build_jacobi(void)
{
    build_example("jacobi", "sweep", "pace.c");
    free(measure_run(dir, LIMIT,
                     measure_text("make -s -C '%s/examples/jacobi' CC='%s/bin/mpicc' "
                                  "BUILD=\"$PWD/tools\" \"$PWD/tools/generate\" && "
                                  "tools/generate -n 500 system.A && "
                                  "tools/generate -n 1000 system.B && "
                                  "tools/generate -n 1500 system.C",
                                  source_dir(), build_dir())));
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
    free(text);
}

static double power_at_first(const case_t *c)
{
    double power = 0;
    for (int i = 0; i < 4; i++)
        power += c->start * class_speed[i];
    return power;
}

typedef struct {
    double seconds, cost;
    int most, last; /* members */
    int changes;
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
    return result;
}

/* Runs the case with SETTINGS on MEMBERS processes of the file "machines", after the shell commands
 * BEFORE, of which some may go on beside it. */
static result_t run_after(const char *before, const case_t *c, int members, const char *settings)
{
    double kappa = c->seconds * power_at_first(c) / c->units;
    free(measure_run(
        dir, LIMIT,
        measure_text("rm -f trace; %s EMU_SPEEDS=%s EMU_KAPPA=%g XMPI_COUNTER=work "
                     "XMPI_WINDOW=1 XMPI_CALIBRATION=calibration XMPI_TRACE=trace XMPI_INTERVAL=%d "
                     "XMPI_ITERATIONS=%d EMU_MACHINES=\"$PWD/all\" %s exec %s "
                     "'%s/tests/cluster/run' -m machines -n %d -- adaptive/%s -i %d "
                     "%s 2>>messages",
                     before, speeds, kappa, c->iterations / INTERVALS, c->iterations, settings,
                     measure_priority(), source_dir(), members, c->example, c->iterations,
                     c->arguments)));
    return result_of_trace();
}

static result_t run_case(const case_t *c, int members, const char *settings)
{
    return run_after("", c, members, settings);
}

static void use_all_machines(const case_t *c)
{
    write_machines(c);
    free(measure_run(dir, LIMIT, measure_text("cp machines all")));
}

/* --- amp -----------------------------------------------------------------------------------------
 */

/* Of all test cases. */
typedef struct {
    double worst, sum;
    int n;
    double cost_ratio;    /* cost under the cost constraint / under efficiency: the greatest */
    double members_ratio; /* members, likewise: the least */
} totals_t;

static double error_percent(const result_t *result, double goal)
{
    return 100 * (result->seconds - goal) / goal;
}

static void add_error(totals_t *totals, double percent)
{
    totals->worst = fmax(totals->worst, fabs(percent));
    totals->sum += fabs(percent);
    totals->n++;
}

static result_t run_amp(const case_t *c, int percent, const char *constraint, double goal,
                        totals_t *totals)
{
    char *settings =
        measure_text("XMPI_POLICY=amp XMPI_GOAL=%d%% XMPI_CONSTRAINT=%s", percent, constraint);
    result_t result = run_case(c, 4 * c->start, settings);
    double error = error_percent(&result, goal);
    char *name = measure_text("amp.%s.%d.%s", c->name, percent, constraint);
    char *line = measure_text("%s.error_percent", name);
    measure_figure(line, error, "%");
    printf("# %s: %.2f s, %d members at most, %d changes, cost %.5f\n", name, result.seconds,
           result.most, result.changes, result.cost);
    add_error(totals, error);
    free(line);
    free(name);
    free(settings);
    return result;
}

static void measure_amp_case(const case_t *c, totals_t *totals)
{
    use_all_machines(c);
    result_t fixed = run_case(c, 4 * c->start, "XMPI_POLICY=balance");
    printf("# %s: %.2f s with %d members, cost %.5f\n", c->name, fixed.seconds, 4 * c->start,
           fixed.cost);
    for (int percent = 25; percent <= 35; percent += 5) {
        double goal = fixed.seconds * (1 - percent / 100.);
        result_t few = run_amp(c, percent, "efficiency", goal, totals);
        result_t cheap = run_amp(c, percent, "cost", goal, totals);
        totals->cost_ratio = fmax(totals->cost_ratio, cheap.cost / few.cost);
        totals->members_ratio = fmin(totals->members_ratio, (double)cheap.most / few.most);
    }
}

static void measure_amp(void)
{
    totals_t totals = {.members_ratio = INFINITY};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        measure_amp_case(&cases[i], &totals);
    measure_figure("amp.worst_percent", totals.worst, "%");
    measure_figure("amp.mean_percent", totals.sum / totals.n, "%");
    measure_figure("amp.cost_to_efficiency.cost_most", totals.cost_ratio, "ratio");
    measure_figure("amp.cost_to_efficiency.members_least", totals.members_ratio, "ratio");
}

/* --- smp and hpmp --------------------------------------------------------------------------------
 */

/* Members by iteration, in a line that begins with #. */
static void show_members(const char *name)
{
    const cJSON *event;
    cJSON *events = trace_events(dir, "trace");
    printf("# %s, iteration:members seconds of an iteration:", name);
    cJSON_ArrayForEach(event, events) if (trace_is(event, "event", "interval"))
        printf(" %g:%d %.4f", trace_number(event, "iteration"),
               cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(event, "members")),
               trace_number(event, "seconds") / trace_number(event, "iterations"));
    printf("\n");
    cJSON_Delete(events);
}

/* Fig. 6.14: from 8 PEs to 12, and to 20 of which 18 are allowed; then a node is taken away. */
static void measure_smp(void)
{
    const case_t c = {"smp", "jacobi", "-t 0 system.B", 2, 0, 250, 1000. * 1000, 0.05};
    static const char first[] = "a1:C1:2\na7:C7:2\na6:C6:2\na8:C8:2\n";
    char *all = measure_text("%sb1:C1:4\nb8:C8:8\n", first);
    measure_write(dir, "machines", first);
    measure_write(dir, "all", all);
    result_t result =
        run_after("{ sleep 3; echo b1:C1:4 >>machines; sleep 3; echo b8:C8:8 >>machines; sleep 2; "
                  "grep -v b1 all >new; mv new machines; } &",
                  &c, 8, "XMPI_POLICY=smp XMPI_MAX=18 XMPI_GRACE=30");
    show_members("smp");
    measure_figure("smp.members.most", result.most, "members");
    measure_figure("smp.members.last", result.last, "members");
    free(all);
}

/* Seconds of an iteration in the second half of the run. */
static double steady_seconds(void)
{
    series_t series = {0};
    const cJSON *event;
    cJSON *events = trace_events(dir, "trace");
    double last = 0;
    cJSON_ArrayForEach(event, events) if (trace_is(event, "event", "interval")) last =
        trace_number(event, "iteration");
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

static const char network[] = "EMU_PRELOAD=\"$PWD/network.so\" EMU_ALPHA=1e-3";

static double sweep_seconds(case_t c, int members)
{
    char *settings = measure_text("%s XMPI_POLICY=balance", network);
    c.iterations = 500;
    run_case(&c, members, settings);
    free(settings);
    return steady_seconds();
}

/* Figs 6.17-6.19: homogeneous PEs, a problem so small that communication, of 1 ms for a message,
 * stops the growth. */
static void measure_hpmp(void)
{
    const case_t c = {"hpmp", "jacobi", "-t 0 system.A", 1, 0, 2500, 500. * 500, 0.0066};
    static const int numbers[] = {4, 5, 6, 7, 8, 9, 10, 12, 16};
    double seconds, least = INFINITY;
    int best = 0;
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/bin/mpicc' -O2 -shared -fPIC '%s/tests/cluster/network.c' "
                                  "-o network.so -lm",
                                  build_dir(), source_dir())));
    measure_write(dir, "machines", "a1:C1:4\nb1:C1:12\n");
    measure_write(dir, "all", "a1:C1:4\nb1:C1:12\n");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        seconds = sweep_seconds(c, numbers[i]);
        printf("# hpmp sweep: %d members %.3f ms for an iteration\n", numbers[i], 1e3 * seconds);
        best = seconds < least ? numbers[i] : best;
        least = fmin(least, seconds);
    }
    char *settings = measure_text("%s XMPI_POLICY=hpmp", network);
    result_t result = run_case(&c, 4, settings);
    show_members("hpmp");
    measure_figure("hpmp.members", result.last, "members");
    measure_figure("hpmp.sweep.best_members", best, "members");
    measure_figure("hpmp.over_best_of_sweep", steady_seconds() / least, "ratio");
    free(settings);
}

int main(int argc, char **argv)
{
    dir = measure_begin("policies");
    build_jacobi();
    free(measure_run(
        dir, LIMIT,
        measure_text("printf 'n1:C1:2\\nn2:C1:10\\n' >machines && '%s/bin/xmpi-calibrate' -q "
                     "-o calibration -s C1=1.90 -s C7=2.25 -s C6=2.90 -s C8=4.62 "
                     "-m '\"%s/tests/cluster/run\" -m machines -n %%n --'",
                     build_dir(), source_dir())));
    if (argc < 2 || strcmp(argv[1], "smp") == 0)
        measure_smp();
    if (argc < 2 || strcmp(argv[1], "hpmp") == 0)
        measure_hpmp();
    if (argc < 2 || strcmp(argv[1], "amp") == 0)
        measure_amp();
    free(dir);
    return 0;
}
