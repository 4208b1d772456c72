/* SPDX-License-Identifier: BSD-3-Clause
 * Load balancing in the experiments of the thesis (§6.2, Figs 6.2 to 6.7) and of the Euro-Par paper
 * (Tables 3 to 5), scaled to emulated clusters on one machine: three programs, two sizes each, on
 * 4 to 16 processes of one class, of four classes, and on nodes that others use too.
 *
 * A row for each run: what was run, then seconds of the plain program with equal blocks, of the
 * adaptive one, and of all work divided by all speed; the share of time saved, the share of what
 * could be saved, and the number of moves. Then the same as figures, "thesis.case." and what was
 * run, and figures of all: the least of those shares with the weight that fits the program (the
 * last one of its list) and, where nodes are shared, that is believed soonest; and what is lost at
 * most where equal blocks are the ideal. A unit of work takes the longer the more processes there
 * are, so that an iteration does not become too short for the emulation.
 *
 * Arguments: the begins of the tests that are wanted, "J.A" or "homogeneous.E"; none: all. */
#define _GNU_SOURCE
#include <stdbool.h>

#include "bench/balance/paced.h"

enum {
    MEMBERS_MAX = 16,
    SHARED = 8,
    TURNS = 7,
    APART = 2 /* iterations: loads begin and end at multiples of these */
};

typedef struct {
    const paced_program_t *program;
    const char *letter;
    paced_problem_t size[2]; /* KAPPA for 4 processes */
    const char *interval;    /* XMPI_INTERVAL */
    const char *policies[3]; /* values of XMPI_LB, NULL after the last one */
} experiment_t;

/* The papers' intervals are a hundredth of the run for jacobi and cg (100 of 10,000 iterations),
 * where one of ours would be no iteration, and a thirtieth for epigraph. */
static const experiment_t experiments[] = {
    {&paced_jacobi,
     "J",
     {{"-n 400", "-i 60 -t 0", "A", 60, 4.0e-6}, {"-n 600", "-i 60 -t 0", "B", 60, 2.0e-6}},
     "auto",
     {"rows", NULL}},
    {&paced_cg,
     "CG",
     {{"-n 4000 -d 1.0001", "-i 60 -t 0", "A.mtx", 60, 8.0e-6},
      {"-n 8000 -d 1.0001", "-i 60 -t 0", "B.mtx", 60, 6.0e-6}},
     "auto",
     {"rows", "nnz", NULL}},
    {&paced_epigraph,
     "E",
     {{"-n 20000", "-d 20 -t 4 -i 40 -p transmission=0.008", "A", 80, 6.0e-6},
      {"-n 40000", "-d 20 -t 4 -i 80 -p transmission=0.008", "B", 80, 3.0e-6}},
     "2",
     {"nnz", "weight", NULL}},
};

enum { EXPERIMENTS = sizeof experiments / sizeof *experiments };

static const char speeds[] = "C1=1.90,C7=2.25,C6=2.90,C8=4.62";

/* Of the rows so far. */
typedef struct {
    double least, shared, lost;
} summary_t;

static summary_t summary = {.least = INFINITY, .shared = INFINITY, .lost = -INFINITY};

/* Where the rows are kept as figures until all are there. */
static FILE *figures;
static char *figures_text;
static size_t figures_size;

/* What is asked for. */
static char **wanted;

static double share_of_possible(const paced_result_t *plain, const paced_result_t *adaptive)
{
    return (plain->seconds - adaptive->seconds) / (plain->seconds - adaptive->ideal);
}

static void row(const char *table, const char *test, const char *how, const paced_result_t *plain,
                const paced_result_t *adaptive)
{
    double saved = plain->seconds - adaptive->seconds;
    const struct {
        const char *name, *unit;
        double value;
    } column[] = {{"static", "s", plain->seconds},
                  {"adaptive", "s", adaptive->seconds},
                  {"ideal", "s", adaptive->ideal},
                  {"share_of_possible", "ratio", share_of_possible(plain, adaptive)},
                  {"moves", "1", adaptive->moves}};
    for (size_t i = 0; i < sizeof column / sizeof *column; i++)
        fprintf(figures, "figure\tthesis.case.%s.%s.%s.%s\t%.4g\t%s\n", table, test, how,
                column[i].name, column[i].value, column[i].unit);
    printf("%s\t%s\t%s\t%.2f\t%.2f\t%.2f\t%.1f\t%.2f\t%d\n", table, test, how, plain->seconds,
           adaptive->seconds, adaptive->ideal, 100 * saved / plain->seconds,
           share_of_possible(plain, adaptive), adaptive->moves);
    fflush(stdout);
}

static bool is_wanted(const char *table, const char *test)
{
    char *whole = measure_text("%s.%s", table, test);
    bool found = wanted[0] == NULL;
    for (int i = 0; wanted[i] != NULL; i++)
        found = found || strncmp(test, wanted[i], strlen(wanted[i])) == 0 ||
                strncmp(whole, wanted[i], strlen(wanted[i])) == 0;
    free(whole);
    return found;
}

/* A run with POLICY, where processors are EQUAL or not. Rows of jacobi are equal then, too. */
static void sum_up(const experiment_t *experiment, int policy, bool equal,
                   const paced_result_t *plain, const paced_result_t *adaptive)
{
    if (experiment->policies[policy + 1] != NULL)
        return;
    if (equal && experiment->program == &paced_jacobi)
        summary.lost = fmax(summary.lost, 100 * (adaptive->seconds / plain->seconds - 1));
    else
        summary.least = fmin(summary.least, share_of_possible(plain, adaptive));
}

/* One size of a program on one cluster, with all its policies. */
static void dedicated_test(const char *dir, const char *table, const experiment_t *experiment,
                           int size, const paced_cluster_t *cluster, const char *test)
{
    bool equal = strcmp(table, "homogeneous") == 0;
    paced_problem_t problem = experiment->size[size];
    problem.kappa *= cluster->members / 4.0;
    paced_generate(dir, experiment->program, &problem);
    paced_result_t plain = paced_run(dir, experiment->program, &problem, cluster, "plain", "");
    for (int i = 0; experiment->policies[i] != NULL; i++) {
        char *settings = measure_text("XMPI_POLICY=balance XMPI_COUNTER=work XMPI_INTERVAL=%s "
                                      "XMPI_INTERFERENCE=0.5 XMPI_LB=%s",
                                      experiment->interval, experiment->policies[i]);
        paced_result_t adaptive =
            paced_run(dir, experiment->program, &problem, cluster, "adaptive", settings);
        row(table, test, experiment->policies[i], &plain, &adaptive);
        sum_up(experiment, i, equal, &plain, &adaptive);
        free(settings);
    }
}

static void dedicated(const char *dir, const char *table, const experiment_t *experiment, int size,
                      const paced_cluster_t *cluster)
{
    char *test = measure_text("%s.%c.%d", experiment->letter, "AB"[size], cluster -> members);
    if (is_wanted(table, test))
        dedicated_test(dir, table, experiment, size, cluster, test);
    free(test);
}

/* --- nodes that others use (thesis §6.2.3) ------------------------------------------------------
 */

/* The load of the first node begins and ends at these times APART iterations: bursts that become
 * longer, then one that lasts. */
static const int turns[TURNS] = {2, 3, 5, 7, 10, 14, 18};

static double shared_total(const paced_cluster_t *cluster, int iteration)
{
    int loaded = 0;
    for (int i = 0; i < TURNS; i++)
        loaded = iteration >= APART * turns[i] ? i % 2 == 0 : loaded;
    return cluster->members / 2 * (1.90 / (loaded ? 2 : 1) + 2.90);
}

static char *shared_script(const paced_program_t *program)
{
    char *text = measure_text("# load\n");
    for (int i = 0; i < TURNS; i++) {
        char *longer = measure_text("%s%di n1 load=%d\n", text, program->before + APART * turns[i],
                                    i % 2 == 0);
        free(text);
        text = longer;
    }
    return text;
}

static void shared_test(const char *dir, const experiment_t *experiment, const char *test)
{
    char *script = shared_script(experiment->program);
    paced_cluster_t cluster = {speeds, "n1:C1:4\nn2:C6:4\n", SHARED, 0, script, shared_total};
    paced_problem_t problem = experiment->size[1];
    problem.kappa *= SHARED / 4.0;
    paced_generate(dir, experiment->program, &problem);
    paced_result_t plain = paced_run(dir, experiment->program, &problem, &cluster, "plain", "");
    for (int k = 1; k <= 5; k += 2) {
        char *settings = measure_text("XMPI_POLICY=balance XMPI_COUNTER=work XMPI_INTERVAL=%s "
                                      "XMPI_INTERFERENCE=0.3 XMPI_WINDOW=%d",
                                      experiment->interval, k);
        char *how = measure_text("k=%d", k);
        paced_result_t adaptive =
            paced_run(dir, experiment->program, &problem, &cluster, "adaptive", settings);
        row("shared", test, how, &plain, &adaptive);
        if (k == 1)
            summary.shared = fmin(summary.shared, share_of_possible(&plain, &adaptive));
        free(how);
        free(settings);
    }
    free(script);
}

static void shared(const char *dir, const experiment_t *experiment)
{
    char *test = measure_text("%s.B.%d", experiment->letter, SHARED);
    if (is_wanted("shared", test))
        shared_test(dir, experiment, test);
    free(test);
}

/* --- all of it ---------------------------------------------------------------------------------
 */

static void homogeneous(const char *dir, const experiment_t *experiment, int size, int members)
{
    char *machines = measure_text("n1:C1:%d\n", members);
    paced_cluster_t cluster = {speeds, machines, members, members * 1.90, NULL, NULL};
    dedicated(dir, "homogeneous", experiment, size, &cluster);
    free(machines);
}

/* As many processes on each of the four classes (Table 6.5). */
static void heterogeneous(const char *dir, const experiment_t *experiment, int size, int members)
{
    int pes = members / 4;
    char *machines = measure_text("n1:C1:%d\nn2:C7:%d\nn3:C6:%d\nn4:C8:%d\n", pes, pes, pes, pes);
    paced_cluster_t cluster = {speeds, machines, members, pes * (1.90 + 2.25 + 2.90 + 4.62),
                               NULL,   NULL};
    dedicated(dir, "heterogeneous", experiment, size, &cluster);
    free(machines);
}

/* Those of all tests, as far as there were such. */
static void tell_summary(void)
{
    const struct {
        const char *name, *unit;
        double value;
    } figure[] = {{"thesis.share_of_possible.least", "ratio", summary.least},
                  {"thesis.shared.share_of_possible.least", "ratio", summary.shared},
                  {"thesis.homogeneous.lost_percent", "%", summary.lost}};
    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++)
        if (isfinite(figure[i].value))
            measure_figure(figure[i].name, figure[i].value, figure[i].unit);
}

int main(int argc, char **argv)
{
    (void)argc;
    wanted = argv + 1;
    figures = open_memstream(&figures_text, &figures_size);
    if (figures == NULL)
        measure_fail("there is not enough memory");
    char *dir = measure_begin("thesis");
    for (int e = 0; e < EXPERIMENTS; e++)
        paced_build(dir, experiments[e].program);
    printf("system\ttest\thow\tstatic s\tadaptive s\tideal s\tsaved %%\tof possible\tmoves\n");
    for (int e = 0; e < EXPERIMENTS; e++) {
        for (int size = 0; size < 2; size++)
            for (int members = 4; members <= MEMBERS_MAX; members *= 2) {
                homogeneous(dir, &experiments[e], size, members);
                heterogeneous(dir, &experiments[e], size, members);
            }
        shared(dir, &experiments[e]);
    }
    fclose(figures);
    fputs(figures_text, stdout);
    free(figures_text);
    tell_summary();
    free(dir);
    return 0;
}
