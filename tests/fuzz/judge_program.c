/* SPDX-License-Identifier: BSD-3-Clause
 * What happens to a program that is made adaptive. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/build_program.h"
#include "fuzz/judge_program.h"
#include "support/command.h"

enum { SECONDS = 60, POOL = 4, LINES = 400 };

const char *const outcome_names[OUTCOMES] = {[SAME] = "same",
                                             [WARNED] = "warned",
                                             [PINNED] = "pinned",
                                             [OTHER] = "as with another number of processes",
                                             [REFUSED] = "refused",
                                             [REPORTED] = "reported",
                                             [SPOILT] = "spoilt",
                                             [UNSURE] = "wrong, and said not to be checked",
                                             [TOLD] = "wrong, and said to be so",
                                             [SILENT] = "SILENTLY WRONG",
                                             [CRASH] = "crash",
                                             [HANG] = "hang",
                                             [UNMOVED] = "nothing changed",
                                             [BROKEN] = "broken",
                                             [UNBUILT] = "unbuilt"};

/* -- outputs */

static bool same_word(const char *a, const char *b)
{
    bool loose = *a == '~' && *b == '~';
    char *end_a, *end_b;
    double x = strtod(a + loose, &end_a), y = strtod(b + loose, &end_b);
    if (*end_a != '\0' || *end_b != '\0' || end_a == a || end_b == b)
        return strcmp(a, b) == 0;
    if (x == y || (isnan(x) && isnan(y)))
        return true;
    return fabs(x - y) <= (loose ? 1e-3 : 1e-8) * fmax(fabs(x), fabs(y)) + (loose ? 1e-5 : 1e-11);
}

static bool same_line(const char *a, const char *b)
{
    char *copy_a = strdup(a), *copy_b = strdup(b), *rest_a = NULL, *rest_b = NULL;
    char *x = strtok_r(copy_a, " ", &rest_a), *y = strtok_r(copy_b, " ", &rest_b);
    while (x != NULL && y != NULL && same_word(x, y)) {
        x = strtok_r(NULL, " ", &rest_a);
        y = strtok_r(NULL, " ", &rest_b);
    }
    bool same = x == NULL && y == NULL;
    free(copy_a);
    free(copy_b);
    return same;
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Takes TEXT apart into its lines, sorted; how many. */
static int lines_of(char *text, char *lines[LINES])
{
    char *rest = NULL;
    int n = 0;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL && n < LINES;
         line = strtok_r(NULL, "\n", &rest))
        lines[n++] = line;
    qsort(lines, (size_t)n, sizeof *lines, compare_lines);
    return n;
}

/* The first difference between outputs with the same lines but for numbers, as text; "" where words
 * or the number of lines are others. */
static void describe_difference(const char *a, const char *b, char *text, size_t size)
{
    char *copy_a = strdup(a), *copy_b = strdup(b), *of_a[LINES], *of_b[LINES];
    int n = lines_of(copy_a, of_a);
    bool comparable = n == lines_of(copy_b, of_b);
    *text = '\0';
    for (int i = 0; comparable && i < n; i++) {
        size_t words = strcspn(of_a[i], "0123456789.-~");
        comparable = strncmp(of_a[i], of_b[i], words) == 0;
        if (*text == '\0' && !same_line(of_a[i], of_b[i]))
            snprintf(text, size, "%s, should be %s", of_a[i], of_b[i] + words);
    }
    if (!comparable)
        *text = '\0';
    free(copy_a);
    free(copy_b);
}

bool same_output(const char *a, const char *b)
{
    char *copy_a = strdup(a), *copy_b = strdup(b), *of_a[LINES], *of_b[LINES];
    int n = lines_of(copy_a, of_a);
    bool same = n == lines_of(copy_b, of_b);
    for (int i = 0; same && i < n; i++)
        same = same_line(of_a[i], of_b[i]);
    free(copy_a);
    free(copy_b);
    return same;
}

/* -- running */

static command_t run_plain(const char *dir, int processes)
{
    return command_shell(dir, SECONDS, "'%s/bin/mpiexec' -n %d ./plain", build_dir(), processes);
}

static command_t run_adaptive(const char *dir, const judgement_t *how, const char *check, int run)
{
    bool spawn = run >= how->runs;
    const char *settings = spawn      ? "XMPI_BACKEND=spawn XMPI_MAX=4"
                           : run == 0 ? "XMPI_BACKEND=pool XMPI_TRACE=trace"
                                      : "XMPI_BACKEND=pool";
    return command_shell(
        dir, SECONDS,
        "%s XMPI_ACTIVE=%d XMPI_POLICY=random XMPI_SEED=%d XMPI_INTERVAL=%d XMPI_CHECK=%s "
        "'%s/bin/mpiexec' -n %d ./adaptive",
        settings, spawn ? 0 : how->processes, run + 1, 1 + run % 3, check, build_dir(),
        spawn ? how->processes : POOL);
}

static verdict_t judge_run(const command_t *command, const char *wanted)
{
    bool pinned = strstr(command->err, "keeps its processes") != NULL;
    bool reported = strstr(command->err, ": iteration ") != NULL && pinned;
    bool same = same_output(command->out, wanted);
    if (command->status == 124)
        return verdict_of(HANG, "");
    if (reported) /* (what went wrong before the check is another question) */
        return verdict_of(same ? REPORTED : SPOILT, line_with(command->err, ": iteration "));
    if (command->status != 0)
        return verdict_of(CRASH, line_with(command->err, "xmpi"));
    if (!same) {
        char text[300];
        describe_difference(command->out, wanted, text, sizeof text);
        bool said = strstr(command->err, "is not checked: ") != NULL;
        return verdict_of(said ? UNSURE : SILENT,
                          said ? line_with(command->err, "is not checked: ") : text);
    }
    static const char *const stays[] = {"stays on its processing element",
                                        "cannot start over, so that the members stay"};
    for (size_t i = 0; i < sizeof stays / sizeof *stays && !pinned; i++)
        if (strstr(command->err, stays[i]) != NULL)
            return verdict_of(PINNED, line_with(command->err, stays[i]));
    return pinned ? verdict_of(PINNED, line_with(command->err, "keeps its processes"))
                  : verdict_of(SAME, "");
}

/* A program whose output follows the number of processes, as it adds up something that all have:
 * with those that are left at the end it is as right as any. */
static bool is_of_other_processes(const char *dir, const judgement_t *how, const char *out)
{
    bool found = false;
    for (int processes = 1; processes <= POOL && !found; processes++) {
        command_t command = {0};
        if (processes == how->processes)
            continue;
        command = run_plain(dir, processes);
        found = command.status == 0 && same_output(command.out, out);
        command_free(&command);
    }
    return found;
}

/* Whether something changed in the run that was traced. */
static bool has_changed(const char *dir)
{
    char path[400];
    snprintf(path, sizeof path, "%s/trace", dir);
    char *trace = read_file(path, NULL);
    bool changed = trace != NULL && strstr(trace, "\"event\":\"reconfiguration\"") != NULL;
    free(trace);
    return changed;
}

static verdict_t judge_runs(const char *dir, const char *wanted, const judgement_t *how,
                            const char *check)
{
    verdict_t verdict = verdict_of(SAME, "");
    for (int run = 0; run < how->runs + how->spawns; run++) {
        command_t command = run_adaptive(dir, how, check, run);
        verdict_t of_run = judge_run(&command, wanted);
        if (of_run.outcome == SILENT && is_of_other_processes(dir, how, command.out))
            of_run = verdict_of(OTHER, of_run.why);
        command_free(&command);
        if (run == 0 && of_run.outcome == SAME && !has_changed(dir))
            of_run = verdict_of(UNMOVED, "");
        if (of_run.outcome <= verdict.outcome)
            continue;
        verdict = of_run;
        size_t length = strlen(verdict.why);
        snprintf(verdict.why + length, sizeof verdict.why - length, " (%s, seed %d)",
                 run < how->runs ? "pool" : "spawn", run + 1);
        if (verdict.outcome >= SILENT)
            break;
    }
    return verdict;
}

/* What is known before it runs with changes; what it should print then, in WANTED. */
static verdict_t prepare(const char *dir, const char *path, const judgement_t *how,
                         command_t *wanted)
{
    verdict_t verdict = build_adaptive(dir, path, how);
    if (verdict.outcome == REFUSED)
        return verdict;
    verdict_t plain = build_plain(dir, path, how->quickly);
    if (plain.outcome != SAME || verdict.outcome == UNBUILT)
        return plain.outcome != SAME ? plain : verdict;
    *wanted = run_plain(dir, how->processes);
    if (wanted->status != 0 || wanted->out[0] == '\0')
        return verdict_of(BROKEN,
                          wanted->status == 124 ? "it hangs" : line_with(wanted->err, "rror"));
    return verdict;
}

/* The warning WHY says of a program that its result may be another one: that what follows blocks is
 * put out, or that a clause is not so. */
static bool is_told_of(const char *why)
{
    return strstr(why, "[xmpi-printed-value]") != NULL ||
           strstr(why, ": warning: state(...): ") != NULL;
}

void judge_program(const char *dir, const char *path, const judgement_t *how,
                   verdict_t verdicts[MAX_CHECKS])
{
    command_t wanted = {0};
    verdict_t before = prepare(dir, path, how, &wanted);
    for (int i = 0; i < MAX_CHECKS && how->checks[i] != NULL; i++) {
        verdicts[i] = before;
        if (before.outcome > WARNED)
            continue;
        verdict_t after = judge_runs(dir, wanted.out, how, how->checks[i]);
        if (after.outcome == SILENT && is_told_of(before.why))
            after.outcome = TOLD;
        if (after.outcome > before.outcome)
            verdicts[i] = after;
    }
    command_free(&wanted);
}

bool prints_the_same_plainly(const char *dir, const char *path, verdict_t *verdict)
{
    *verdict = build_plain(dir, path, true);
    char *wanted = NULL;
    for (int processes = 1; processes <= POOL && verdict->outcome == SAME; processes++) {
        command_t command = run_plain(dir, processes);
        if (command.status != 0)
            *verdict = verdict_of(BROKEN, line_with(command.err, "rror"));
        else if (wanted != NULL && !same_output(wanted, command.out))
            *verdict = verdict_of(SILENT, "the plain program depends on the number of processes");
        if (wanted == NULL)
            wanted = strdup(command.out);
        command_free(&command);
    }
    free(wanted);
    return verdict->outcome == SAME;
}

bool is_well_defined(const char *dir, const char *path, int processes)
{
    command_t command = command_shell(
        dir, 60,
        "'%s/bin/mpicc' -O1 -g -Wall -Werror=uninitialized -Werror=maybe-uninitialized "
        "-Werror=return-type "
        "-Werror=incompatible-pointer-types -Werror=int-conversion "
        "-Werror=implicit-function-declaration "
        "-fsanitize=address,undefined -fno-sanitize-recover=all '%s' -o checked -lm && "
        "ASAN_OPTIONS=detect_leaks=0 '%s/bin/mpiexec' -n %d ./checked",
        build_dir(), path, build_dir(), processes);
    bool good = command.status == 0;
    command_free(&command);
    return good;
}
