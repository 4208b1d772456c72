/* SPDX-License-Identifier: BSD-3-Clause
 * What happens to a program that is made adaptive. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/judge_program.h"
#include "support/command.h"

enum { SECONDS = 20, POOL = 4, LINES = 64 };

const char *const outcome_names[OUTCOMES] = {"same",   "pinned",         "refused", "reported",
                                             "spoilt", "SILENTLY WRONG", "crash",   "hang",
                                             "broken", "unbuilt"};

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

/* -- building and running */

static verdict_t judged(outcome_t outcome, const char *why)
{
    verdict_t verdict = {.outcome = outcome};
    size_t length = strcspn(why, "\n");
    snprintf(verdict.why, sizeof verdict.why, "%.*s", (int)(length < 390 ? length : 390), why);
    return verdict;
}

/* The first line of TEXT with WORD in it, or TEXT. */
static const char *line_with(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    while (at != NULL && at > text && at[-1] != '\n')
        at--;
    return at != NULL ? at : text;
}

static verdict_t build_plain(const char *dir, const char *path)
{
    command_t command =
        command_shell(dir, 60, "'%s/bin/mpicc' -O0 -w '%s' -o plain -lm", build_dir(), path);
    verdict_t verdict =
        judged(command.status == 0 ? SAME : BROKEN, line_with(command.err, "error"));
    command_free(&command);
    return verdict;
}

static verdict_t build_adaptive(const char *dir, const char *path)
{
    command_t command =
        command_shell(dir, 60, "'%s/bin/xmpicc' -O0 -w '%s' -o adaptive -lm", build_dir(), path);
    const char *refusal = strstr(command.err, "[xmpi-");
    verdict_t verdict = judged(SAME, "");
    if (command.status != 0 && refusal != NULL)
        verdict = judged(REFUSED, line_with(command.err, ": error:"));
    else if (command.status != 0)
        verdict = judged(UNBUILT, line_with(command.err, "error"));
    else if (refusal != NULL)
        verdict = judged(PINNED, line_with(command.err, "[xmpi-"));
    command_free(&command);
    return verdict;
}

static command_t run_plain(const char *dir, int processes)
{
    return command_shell(dir, SECONDS, "'%s/bin/mpiexec' -n %d ./plain", build_dir(), processes);
}

static command_t run_adaptive(const char *dir, const judgement_t *how, int run)
{
    bool spawn = run >= how->runs;
    const char *settings = spawn ? "XMPI_BACKEND=spawn XMPI_MAX=4" : "XMPI_BACKEND=pool";
    return command_shell(
        dir, SECONDS,
        "%s XMPI_ACTIVE=%d XMPI_POLICY=random XMPI_SEED=%d XMPI_INTERVAL=%d XMPI_CHECK=%s "
        "'%s/bin/mpiexec' -n %d ./adaptive",
        settings, spawn ? 0 : how->processes, run + 1, 1 + run % 3, how->check, build_dir(),
        spawn ? how->processes : POOL);
}

static verdict_t judge_run(const command_t *command, const char *wanted)
{
    bool pinned = strstr(command->err, "keeps its processes") != NULL;
    bool reported = strstr(command->err, ": iteration ") != NULL && pinned;
    bool same = same_output(command->out, wanted);
    if (command->status == 124)
        return judged(HANG, "");
    if (reported) /* (what went wrong before the check is another question) */
        return judged(same ? REPORTED : SPOILT, line_with(command->err, ": iteration "));
    if (command->status != 0)
        return judged(CRASH, line_with(command->err, "xmpi"));
    if (!same)
        return judged(SILENT, "");
    return pinned ? judged(PINNED, line_with(command->err, "keeps its processes"))
                  : judged(SAME, "");
}

static verdict_t judge_runs(const char *dir, const char *wanted, const judgement_t *how)
{
    verdict_t verdict = judged(SAME, "");
    for (int run = 0; run < how->runs + how->spawns; run++) {
        command_t command = run_adaptive(dir, how, run);
        verdict_t of_run = judge_run(&command, wanted);
        command_free(&command);
        if (of_run.outcome == SAME)
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

verdict_t judge_program(const char *dir, const char *path, const judgement_t *how)
{
    verdict_t verdict = build_adaptive(dir, path);
    if (verdict.outcome != SAME && verdict.outcome != UNBUILT)
        return verdict;
    verdict_t plain = build_plain(dir, path);
    if (plain.outcome != SAME || verdict.outcome != SAME)
        return plain.outcome != SAME ? plain : verdict;
    command_t wanted = run_plain(dir, how->processes);
    if (wanted.status != 0 || wanted.out[0] == '\0')
        verdict = judged(BROKEN, wanted.status == 124 ? "it hangs" : line_with(wanted.err, "rror"));
    else
        verdict = judge_runs(dir, wanted.out, how);
    command_free(&wanted);
    return verdict;
}

bool prints_the_same_plainly(const char *dir, const char *path, verdict_t *verdict)
{
    *verdict = build_plain(dir, path);
    char *wanted = NULL;
    for (int processes = 1; processes <= POOL && verdict->outcome == SAME; processes++) {
        command_t command = run_plain(dir, processes);
        if (command.status != 0)
            *verdict = judged(BROKEN, line_with(command.err, "rror"));
        else if (wanted != NULL && !same_output(wanted, command.out))
            *verdict = judged(SILENT, "the plain program depends on the number of processes");
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
