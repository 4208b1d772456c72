/* SPDX-License-Identifier: BSD-3-Clause
 * Measures the malleability policies after thesis §6.4, on an emulated cluster of the thesis's
 * classes with its costs (Table 6.4). Not part of `make bench`, as it takes half an hour:
 * make bench-policies. Arguments choose parts: smp, hpmp, amp, or the name of one of amp's cases.
 *
 * amp: the test cases of Table 6.9, to save 25, 30 and 35 % of the static time, which is measured,
 * under both constraints (Figs 6.22-6.24). smp: PEs that come and go (Fig. 6.14), and a schedule
 * for an irregular program (Figs 6.15 and 6.16). hpmp: against a sweep of fixed numbers of members
 * (Figs 6.17-6.19). */
#define _GNU_SOURCE
#include "bench/papers/policies.h"

static const case_t cases[] = {
    {"J.A.8", &jacobi, "-n 500", "-t 0", 2, 8, 50, 500. * 500, 0.4},
    {"J.B.8", &jacobi, "-n 1000", "-t 0", 2, 8, 50, 1000. * 1000, 0.4},
    {"J.C.8", &jacobi, "-n 1500", "-t 0", 2, 8, 50, 1500. * 1500, 0.4},
    {"J.C.24", &jacobi, "-n 1500", "-t 0", 6, 10, 50, 1500. * 1500, 0.8},
    {"CG.A.4", &cg, "-n 10000 -z 15 -d 1.0001", "-t 0", 1, 4, 50, 150e3, 0.4},
    {"CG.B.4", &cg, "-n 20000 -z 15 -d 1.0001", "-t 0", 1, 4, 50, 300e3, 0.4},
    {"CG.C.4", &cg, "-n 40000 -z 15 -d 1.0001", "-t 0", 1, 4, 50, 600e3, 0.4},
    {"CG.C.8", &cg, "-n 40000 -z 15 -d 1.0001", "-t 0", 2, 8, 50, 600e3, 0.4},
    {"E.A.8", &epigraph, "-n 20000 -r 4", "-d 25 -t 4 -i 40 -p transmission=0.008", 2, 8, 100, 0,
     0.2},
    {"E.B.8", &epigraph, "-n 40000 -r 4", "-d 25 -t 4 -i 80 -p transmission=0.008", 2, 8, 100, 0,
     0.2},
    {"E.C.8", &epigraph, "-n 60000 -r 4", "-d 25 -t 4 -i 120 -p transmission=0.008", 2, 8, 100, 0,
     0.2},
};

/* --- amp -----------------------------------------------------------------------------------------
 */

/* Of all test cases. */
typedef struct {
    double worst, sum;
    int n;
    int unreachable;      /* goals that the program itself said could not be reached */
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

static result_t run_with(const case_t *c, const char *settings, const char *more)
{
    char *all = measure_text("%s %s", settings, more);
    result_t result = run_case(c, 4 * c->start, all);
    free(all);
    return result;
}

static result_t run_amp(const case_t *c, int percent, const char *constraint, const char *more,
                        double goal, totals_t *totals)
{
    char *settings =
        measure_text("XMPI_POLICY=amp XMPI_GOAL=%d%% XMPI_CONSTRAINT=%s", percent, constraint);
    result_t result = run_with(c, settings, more);
    double error = error_percent(&result, goal);
    char *name = measure_text("amp.%s.%d.%s", c->name, percent, constraint);
    char *line = measure_text("%s.error_percent", name);
    measure_figure(line, error, "%");
    printf("# %s: %.2f s, %d members at most, %d changes, cost %.5f\n", name, result.seconds,
           result.most, result.changes, result.cost);
    if (result.unreachable)
        printf("# %s: said to be out of reach\n", name);
    totals->unreachable += result.unreachable;
    if (!result.unreachable)
        add_error(totals, error);
    free(line);
    free(name);
    free(settings);
    return result;
}

static void measure_amp_case(case_t c, totals_t *totals)
{
    char *profile = measure_text(" ");
    prepare(&c);
    write_machines(&c);
    if (c.units <= 0) {
        free(profile);
        c.units = recorded_units(&c);
        profile = measure_text("XMPI_PROFILE=%s.profile", c.name);
    }
    result_t fixed = run_with(&c, "XMPI_POLICY=balance", profile);
    printf("# %s: %.2f s with %d members, cost %.5f\n", c.name, fixed.seconds, 4 * c.start,
           fixed.cost);
    for (int percent = 25; percent <= 35; percent += 5) {
        double goal = fixed.seconds * (1 - percent / 100.);
        result_t few = run_amp(&c, percent, "efficiency", profile, goal, totals);
        result_t cheap = run_amp(&c, percent, "cost", profile, goal, totals);
        totals->cost_ratio = fmax(totals->cost_ratio, cheap.cost / few.cost);
        totals->members_ratio = fmin(totals->members_ratio, (double)cheap.most / few.most);
    }
    free(profile);
}

static void report_amp(const totals_t *totals)
{
    if (totals->n + totals->unreachable == 0)
        return;
    measure_figure("amp.unreachable", totals->unreachable, "goals");
    if (totals->n == 0)
        return;
    measure_figure("amp.worst_percent", totals->worst, "%");
    measure_figure("amp.mean_percent", totals->sum / totals->n, "%");
    measure_figure("amp.cost_to_efficiency.cost_most", totals->cost_ratio, "ratio");
    measure_figure("amp.cost_to_efficiency.members_least", totals->members_ratio, "ratio");
}

/* --- smp -----------------------------------------------------------------------------------------
 */

/* Fig. 6.14: from 8 PEs to 12, and to 20 of which 18 are allowed; then a node is taken away. */
static void measure_smp(void)
{
    const case_t c = {"smp", &jacobi, "-n 1000", "-t 0", 2, 0, 250, 1000. * 1000, 0.05};
    static const char first[] = "a1:C1:2\na7:C7:2\na6:C6:2\na8:C8:2\n";
    char *all = measure_text("%sb1:C1:4\nb8:C8:8\n", first);
    prepare(&c);
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

/* Figs 6.15 and 6.16: an epidemic on a fixed number of processes, and with more of them while there
 * is most to do, by a schedule. */
static void measure_schedule(void)
{
    case_t c = {
        "epidemic", &epigraph, "-n 40000 -r 4", "-d 45 -t 4 -i 40 -p transmission=0.006", 1, 4, 180,
        0,          0.15};
    prepare(&c);
    write_machines(&c);
    c.units = recorded_units(&c);
    result_t fixed = run_case(&c, 4, "XMPI_POLICY=balance");
    show_members("smp.static (Fig. 6.15)");
    measure_write(dir, "schedule",
                  "spawn 4 any 56\nspawn 4 any 70\nremove 4 any 112\n"
                  "remove 4 any 133\n");
    result_t scheduled = run_case(&c, 4, "XMPI_POLICY=schedule XMPI_MAX=12 XMPI_SCHEDULE=schedule");
    show_members("smp.schedule (Fig. 6.16)");
    measure_figure("smp.static.seconds", fixed.seconds, "s");
    measure_figure("smp.schedule.seconds", scheduled.seconds, "s");
    measure_figure("smp.schedule.members.most", scheduled.most, "members");
}

/* --- hpmp ----------------------------------------------------------------------------------------
 */

/* A message takes 4 ms: much longer than it takes this machine to give a core to a process. */
static const char network[] = "EMU_PRELOAD=\"$PWD/network.so\" EMU_NETWORK=\"$PWD/network.$$\" "
                              "EMU_ALPHA=4e-3 EMU_BETA=1e-8";

static double sweep_seconds(case_t c, int members)
{
    char *settings = measure_text("%s XMPI_POLICY=balance", network);
    c.iterations = 125;
    run_case(&c, members, settings);
    free(settings);
    return steady_seconds();
}

/* Figs 6.17-6.19: homogeneous PEs, one on each node, and a problem so small that communication
 * stops the growth. */
static void measure_hpmp(void)
{
    const case_t c = {"hpmp", &jacobi, "-n 500", "-t 0", 1, 0, 1000, 500. * 500, 0.0163};
    static const int numbers[] = {4, 5, 6, 7, 8, 9, 10, 12, 14, 16};
    char nodes[512] = "";
    double seconds, least = INFINITY;
    int best = 0;
    prepare(&c);
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/bin/mpicc' -O2 -shared -fPIC '%s/tests/cluster/emulation/network.c' "
                                  "-o network.so -lm",
                                  build_dir(), source_dir())));
    for (int i = 1; i <= 16; i++)
        sprintf(nodes + strlen(nodes), "n%d:C1:1\n", i);
    measure_write(dir, "machines", nodes);
    measure_write(dir, "all", nodes);
    calibrate(network, nodes, 8, "calibration");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        seconds = sweep_seconds(c, numbers[i]);
        printf("# hpmp sweep: %d members %.3f ms for an iteration\n", numbers[i], 1e3 * seconds);
        fflush(stdout);
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

/* --- all of it -----------------------------------------------------------------------------------
 */

/* Whether PART, or a whole that it belongs to, was asked for. */
static int wanted(int argc, char **argv, const char *part, const char *whole)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], part) == 0 || strcmp(argv[i], whole) == 0)
            return 1;
    return argc < 2;
}

int main(int argc, char **argv)
{
    totals_t totals = {.members_ratio = INFINITY};
    dir = measure_begin("policies");
    if (wanted(argc, argv, "hpmp", "hpmp"))
        measure_hpmp();
    calibrate("", "n1:C1:2\nn2:C1:34\n", 32, "calibration");
    if (wanted(argc, argv, "smp", "smp"))
        measure_smp();
    if (wanted(argc, argv, "schedule", "smp"))
        measure_schedule();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (wanted(argc, argv, cases[i].name, "amp"))
            measure_amp_case(cases[i], &totals);
    report_amp(&totals);
    free(dir);
    return 0;
}
