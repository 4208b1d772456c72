/* SPDX-License-Identifier: BSD-3-Clause
 * Measures migration after Cores et al. (2016), figure 3, on the emulated cluster, with 64
 * processes on four nodes of 16: the paper's programs (himeno, and ft, whose processes all talk to
 * all), and two small ones. Minutes, and so not part of `make bench`: make bench-migrate. Of each
 * of the five changes A to E: seconds in which it was decided on (the bar is 0.1), in which
 * processes were got, in which programs moved, and of an iteration before it; the longest of them;
 * and what moving takes over copying the same bytes in memory, once to memory that is there and
 * once to memory that is not, as that of a new process is. Moving is told by the leader's clock, to
 * when all have agreed that the programs are there (what follows, "parting", is behind members that
 * compute already: 64 share two processors). That this hides nothing is judged by what the program
 * loses: from when moving begins to the end of the first interval behind it, less the median of the
 * intervals after that one; over a copy to memory that is not there. Before each such
 * copy as much memory as it takes is used, and before each change used, and kept until the change
 * is decided on: a virtual machine gets what it has not used lately from its host, which takes
 * longer than anything here, however the bytes are moved. (Two seconds after memory is free the
 * host begins to take it back; an iteration of ft, at whose end the change is decided on, takes
 * longer.)
 *
 * Beside it the black line of figure 4, which leaves the redistribution out: a program whose rows
 * can be divided shrinks and grows with the nodes (jacobi, with a pool of processes), and all that
 * this takes counts. Arguments choose parts: himeno, ft, halo, transpose, shrink; and ft.C, which
 * only they do: the class of the paper, of which 6.4 GB move at E, so that it takes some
 * minutes and 16 GB of memory (and more iterations than changes, as memory is used in between). */
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>

#include "bench/measure.h"
#include "cluster/scenario.h"

enum { LIMIT = 3000, CHANGES = 5, COPIES = 3, RESTS = 4 };

static char *dir;
static long gibibytes = 4; /* that are used before a change */

/* Seconds in which as many bytes are copied once; FRESH: to memory that has not been used yet. */
static double copy_once(double bytes, bool fresh)
{
    size_t size = (size_t)bytes + 1;
    char *from = malloc(size);
    char *to = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (from == NULL || to == MAP_FAILED)
        measure_fail("there is not enough memory");
    memset(from, 1, size);
    if (!fresh)
        memset(to, 2, size);
    double start = measure_clock();
    memcpy(to, from, size);
    double seconds = measure_clock() - start;
    if (to[size / 2] != 1)
        measure_fail("nothing was copied");
    free(from);
    munmap(to, size);
    return seconds;
}

static double bare_copy(double bytes, bool fresh)
{
    series_t seconds = {0};
    long twice = (long)(2 * bytes / (1 << 30)) + 1;
    for (int i = 0; i < COPIES; i++) {
        measure_use_pages(twice > gibibytes ? twice : gibibytes, true);
        series_add(&seconds, copy_once(bytes, fresh));
    }
    double median = series_median(&seconds);
    series_free(&seconds);
    return median;
}

static void figure(const char *program, const char *what, double value, const char *unit)
{
    char *name = measure_text("migrate.%s.%s", program, what);
    measure_figure(name, value, unit);
    free(name);
}

/* Seconds of a change, or of the longest ones. */
typedef struct {
    double scheduling, processes, moving, parting, over, over_fresh, all;
    double lost, lost_over_fresh;
    double iteration; /* the median of those before it */
} change_t;

static void most_of(change_t *most, const change_t *one)
{
    most->scheduling = fmax(most->scheduling, one->scheduling);
    most->processes = fmax(most->processes, one->processes);
    most->moving = fmax(most->moving, one->moving);
    most->over = fmax(most->over, one->over);
    most->over_fresh = fmax(most->over_fresh, one->over_fresh);
    most->parting = fmax(most->parting, one->parting);
    most->lost = fmax(most->lost, one->lost);
    most->lost_over_fresh = fmax(most->lost_over_fresh, one->lost_over_fresh);
    most->all = fmax(most->all, one->all);
}

/* Seconds that the program lost by the change EVENT, beside getting processes. By when intervals
 * ended: what they say they took leaves out the first iteration behind a change. Where members go
 * on before the leader does, the first one, from then on, is shorter by that. */
static double lost_by(const cJSON *event)
{
    double first = 0, before = trace_number(event, "time");
    series_t later = {0};
    int intervals = 0;
    for (const cJSON *e = event->next; e != NULL && !trace_is_done(e) && intervals <= RESTS;
         e = e->next) {
        if (!trace_is(e, "event", "interval"))
            continue;
        double now = trace_number(e, "time"), seconds = now - before;
        before = now;
        if (intervals++ == 0)
            first = seconds;
        else
            series_add(&later, seconds);
    }
    if (intervals <= RESTS)
        measure_fail("there are not enough intervals behind a change");
    double stood = trace_number(event, "seconds") - trace_number(event, "processes");
    double lost = stood + first - series_median(&later);
    series_free(&later);
    return lost;
}

/* Where programs do not move there is no parting. */
static double parting_of(const cJSON *event)
{
    const cJSON *parting = cJSON_GetObjectItemCaseSensitive(event, "parting");
    return cJSON_IsNumber(parting) ? parting->valuedouble : 0;
}

static void read_change(const cJSON *event, change_t *change)
{
    double bytes = trace_number(event, "bytes"), fresh = bare_copy(bytes, true);
    change->parting = parting_of(event);
    change->moving = trace_number(event, "redistribution") - change->parting;
    change->processes = trace_number(event, "processes");
    change->over = change->moving / bare_copy(bytes, false);
    change->over_fresh = change->moving / fresh;
    change->lost = change->parting > 0 ? lost_by(event) : 0;
    change->lost_over_fresh = change->lost / fresh;
    change->all = trace_number(event, "seconds");
}

/* A line of a change, by the letters of figure 3. */
static void print(const char *program, int number, const change_t *c)
{
    printf(
        "# %s %c: iterations of %.3f s; scheduling %.4f, processes %.2f, moving %.3f (%.2f of a "
        "copy, %.2f of one to fresh memory), parting %.3f, in all %.2f s; the program lost %.3f s "
        "by moving (%.2f of such a copy)\n",
        program, 'A' + number, c->iteration, c->scheduling, c->processes, c->moving, c->over,
        c->over_fresh, c->parting, c->all, c->lost, c->lost_over_fresh);
}

/* What the changes in the trace came to; the migrations are CHANGES in all, where nodes are lost
 * and come in several steps AT_LEAST as many. */
static void measure_trace(const char *program, bool at_least)
{
    change_t most = {0}, now = {0};
    series_t iterations = {0};
    int changes = 0;
    cJSON *events = trace_events(dir, "t");
    for (const cJSON *event = events->child; event != NULL; event = event->next) {
        if (trace_is(event, "event", "interval"))
            series_add(&iterations,
                       trace_number(event, "seconds") / trace_number(event, "iterations"));
        if (trace_is(event, "event", "plan"))
            now.scheduling = trace_number(event, "scheduling");
        if (!trace_is_done(event))
            continue;
        read_change(event, &now);
        now.iteration = series_median(&iterations);
        print(program, changes++, &now);
        most_of(&most, &now);
        series_free(&iterations);
        now = (change_t){0};
    }
    series_free(&iterations);
    cJSON_Delete(events);
    if (changes < CHANGES || (changes > CHANGES && !at_least))
        measure_fail("%s: %d changes, not %d", program, changes, CHANGES);
    figure(program, "scheduling.s", most.scheduling, "s");
    figure(program, "processes.s", most.processes, "s");
    figure(program, "moving.s", most.moving, "s");
    figure(program, "moving_over_copy", most.over, "ratio");
    figure(program, "moving_over_fresh_copy", most.over_fresh, "ratio");
    if (most.parting > 0) {
        figure(program, "parting.s", most.parting, "s");
        figure(program, "lost.s", most.lost, "s");
        figure(program, "lost_over_fresh_copy", most.lost_over_fresh, "ratio");
    }
    figure(program, "change.s", most.all, "s");
}

/* A command, ahead of the processes of the program. */
static const char *hold_memory(void)
{
    static char *line;
    measure_use_pages(gibibytes, true);
    free(line);
    line = measure_text("%s '%s/tests/bench/papers/migrate' hold-memory %ld t", measure_priority(),
                        build_dir(), gibibytes);
    return line;
}

/* The lines that a program prints behind its number of steps are those of the plain one. */
static void measure(const char *program)
{
    free(measure_run(dir, LIMIT,
                     measure_text("flags=$(sed -n 's,^// flags: ,,p' '%s/tests/movable/%s.c'); "
                                  "'%s/bin/xmpicc' -O2 '%s/tests/movable/%s.c' -o %s $flags && "
                                  "'%s/bin/mpicc' -O2 -DPLAIN '%s/tests/movable/%s.c' -o %s.plain "
                                  "$flags",
                                  source_dir(), program, build_dir(), source_dir(), program,
                                  program, build_dir(), source_dir(), program, program)));
    free(measure_run(dir, LIMIT,
                     measure_text("S='%s' program=%s cores=16 rests=%d before=\"%s\"\n%s",
                                  source_dir(), program, RESTS + 1, hold_memory(), scenario)));
    free(measure_run(dir, LIMIT,
                     measure_text("steps=$(sed -n 's/^steps //p' out); '%s/bin/mpiexec' -n 64 "
                                  "./%s.plain $steps >expected; grep -v ^steps out | diff - "
                                  "expected",
                                  build_dir(), program)));
    measure_trace(program, false);
}

static void measure_halo(void)
{
    measure("halo");
}

static void measure_transpose(void)
{
    measure("transpose");
}

/* An example, and how it is run: with arguments that make it last over all changes. */
typedef struct {
    const char *program, *figures; /* figures: what these are called by */
    const char *arguments;
    const char *words; /* lines that begin with one of these are those of the plain program */
    int interval;      /* in iterations */
} example_t;

static void measure_example(const example_t *example)
{
    const char *program = example->program, *arguments = example->arguments;
    free(measure_run(dir, LIMIT,
                     measure_text("for cc in mpicc xmpicc; do make -s -C '%s/examples/%s' "
                                  "CC=\"'%s/bin/$cc'\" BUILD=\"$PWD/$cc\" || exit; done; "
                                  "cp xmpicc/%s %s",
                                  source_dir(), program, build_dir(), program, program)));
    free(measure_run(dir, LIMIT,
                     measure_text("S='%s' program=%s cores=16 interval=%d rests=%d arguments='%s' "
                                  "before=\"%s\"\n%s",
                                  source_dir(), program, example->interval, RESTS + 1, arguments,
                                  hold_memory(), scenario)));
    free(
        measure_run(dir, LIMIT,
                    measure_text("'%s/bin/mpiexec' -n 64 mpicc/%s %s | grep -E '^(%s) ' >expected "
                                 "&& grep -E '^(%s) ' out | diff - expected",
                                 build_dir(), program, arguments, example->words, example->words)));
    measure_trace(example->figures, false);
}

static void measure_himeno(void)
{
    measure_example(&(example_t){"himeno", "himeno", "-i 160 L",
                                 "grid|processes|iterations|residual", .interval = 2});
}

static void measure_ft(void)
{
    measure_example(&(example_t){"ft", "ft", "B 60", "sum|verified", .interval = 1});
}

static void measure_ft_of_the_paper(void)
{
    gibibytes = 8;
    measure_example(&(example_t){"ft", "ft.C", "C 40", "sum|verified", .interval = 1});
}

/* --- shrinking and growing ----------------------------------------------------------------------
 */

/* At each event there is a member on each core that is left, before the next one. */
static const char shrinking[] = SCENARIO_WORDS
    "nodes() { grep '\"outcome\":\"done\"' t | tail -n 1 | sed 's/.*\"layout\"//' | "
    "grep -o '\"node\":\"[a-z]\"' | cut -d'\"' -f4 | sort | uniq -c | "
    "awk '{ printf \"%s\", $1 $2 }'; }\n"
    "are_on() { await \"[ \\\"\\$(nodes)\\\" = $1 ]\"; }\n"
    "cores=16; rm -f t; there_are 'a b c d e f'\n"
    "XMPI_POLICY=smp XMPI_MAX=64 XMPI_ACTIVE=64 XMPI_INTERVAL=5 XMPI_TRACE=t XMPI_BACKEND=pool "
    "XMPI_WAIT=sleep XMPI_CONTROL=off $S/tests/cluster/run -m machines -n 96 -- ./jacobi -t 0 "
    "-i 100000000 system >out 2>&1 & job=$!\n"
    "trap 'kill $job' EXIT\n"
    "await \"grep -q '\\\"interval\\\"' t 2>/dev/null\"\n"
    "there_are 'b c d e' 'a f'; are_on 16b16c16d16e\n"
    "there_are 'c d e' 'a b f'; are_on 16c16d16e\n"
    "there_are 'd e' 'a b c f'; are_on 16d16e\n"
    "there_are e 'a b c d f'; are_on 16e\n"
    "there_are 'a b c f' 'd e'; are_on 16a16b16c16f\n";

static void measure_shrink(void)
{
    free(measure_run(dir, LIMIT,
                     measure_text("for cc in mpicc xmpicc; do make -s -C '%s/examples/jacobi' "
                                  "CC=\"'%s/bin/$cc'\" BUILD=\"$PWD/$cc\"; done; "
                                  "cp xmpicc/jacobi . && mpicc/generate -n 2000 system",
                                  source_dir(), build_dir())));
    free(measure_run(dir, LIMIT, measure_text("S='%s'\n%s", source_dir(), shrinking)));
    measure_trace("shrink", true);
}

static const struct {
    const char *name;
    void (*measure)(void);
    bool named; /* it is measured where it is named */
} parts[] = {{"himeno", measure_himeno, false}, {"ft", measure_ft, false},
             {"halo", measure_halo, false},     {"transpose", measure_transpose, false},
             {"shrink", measure_shrink, false}, {"ft.C", measure_ft_of_the_paper, true}};

/* --- memory that there is when a change begins --------------------------------------------------
 */

/* Reads whole lines that have come to TRACE; whether one is a plan, or the end. */
static bool is_decided(FILE *trace)
{
    char *line = NULL;
    size_t room = 0;
    bool decided = false;
    ssize_t n;
    clearerr(trace);
    while ((n = getline(&line, &room, trace)) > 0 && line[n - 1] == '\n')
        decided = decided || strstr(line, "{\"event\":\"plan\"") != NULL ||
                  strstr(line, "{\"event\":\"end\"") != NULL;
    if (n > 0)
        fseek(trace, -n, SEEK_CUR);
    free(line);
    return decided;
}

/* Uses GIB of memory and returns; a process keeps it until the next plan is in the trace at NAME,
 * or the shell that called has ended. */
static int hold(long gib, const char *name)
{
    const pid_t shell = getppid();
    size_t bytes;
    FILE *trace = fopen(name, "r");
    if (trace == NULL)
        return 1;
    measure_get_pages(gib, true, &bytes);
    is_decided(trace); /* what there was before */
    pid_t keeper = fork();
    if (keeper != 0)
        return keeper < 0;
    while (kill(shell, 0) == 0 && !is_decided(trace))
        usleep(10000);
    return 0;
}

/* "hold-memory GIBIBYTES TRACE": what a scenario runs before each change. */
int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "hold-memory") == 0)
        return hold(atol(argv[2]), argv[3]);
    dir = measure_begin("migrate");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        bool wanted = argc < 2 && !parts[i].named;
        for (int k = 1; k < argc; k++)
            wanted = wanted || strcmp(argv[k], parts[i].name) == 0;
        if (wanted)
            parts[i].measure();
    }
    free(dir);
    return 0;
}
