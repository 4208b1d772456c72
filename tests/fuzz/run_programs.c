/* SPDX-License-Identifier: BSD-3-Clause
 * Usage: run_programs [fuzz | print | judge | plain | shrink | silent] [SEED | FILE]
 * [NAME=ANSWER,...]
 *
 *   fuzz    generate programs from SEED on (1) for FUZZ_SECONDS (600), count what happens, and keep
 * in build/fuzz/programs those that are silently wrong, crash or hang, made smaller (the default)
 *   print   the program of a seed
 *   judge   what happens to the program of a seed, or to a file
 *   plain   whether programs from SEED on print the same for 1 to 4 processes, for FUZZ_SECONDS:
 * tests the generator shrink  the plainest answers with which the program of a seed still does what
 * it does silent  exit status 0 when a file is silently wrong: an interestingness test for creduce
 *
 * FUZZ_SHRINK=0 keeps programs as they are generated. FUZZ_CHECK is the XMPI_CHECK of the runs
 * (off). FUZZ_WRONG=0 makes right programs only, 1 those with a wrong turn only. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/generate_program.h"
#include "fuzz/judge_program.h"
#include "support/command.h"

enum { MAX_REASONS = 256, FORCE = 1 << 14, REDUCE_SECONDS = 600 };

static char *scratch;
static int wrong = -1;
static const char *check = "off";

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds_wanted(void)
{
    const char *text = getenv("FUZZ_SECONDS");
    return text != NULL ? atof(text) : 600;
}

static judgement_t how_for(uint64_t seed)
{
    return (judgement_t){
        .check = check, .processes = 2 + (int)(seed % 2), .runs = 3, .spawns = seed % 4 == 0};
}

/* Writes the program to the scratch folder; its path. */
static const char *put_program(program_t *program)
{
    static char path[400];
    snprintf(path, sizeof path, "%s/program.c", scratch);
    char *text = program_text(program);
    write_file(path, text);
    free(text);
    return path;
}

static verdict_t judge_seed(uint64_t seed, const char *force, program_t **program)
{
    *program = program_make(seed, force, wrong);
    judgement_t how = how_for(seed);
    return judge_program(scratch, put_program(*program), &how);
}

/* -- smaller programs */

static void add_answer(char *force, size_t size, const char *name)
{
    size_t length = strlen(force);
    snprintf(force + length, size - length, "%s%s=0", length > 0 ? "," : "", name);
}

/* The name of the diagnostic in a verdict, or "". */
static const char *diagnostic_of(const verdict_t *verdict, char name[NAME])
{
    const char *at = strstr(verdict->why, "[xmpi-");
    snprintf(name, NAME, "%.*s", at != NULL ? (int)strcspn(at, "]") + 1 : 0, at != NULL ? at : "");
    return name;
}

static bool alike(const verdict_t *a, const verdict_t *b)
{
    char of_a[NAME], of_b[NAME];
    return a->outcome == b->outcome && strcmp(diagnostic_of(a, of_a), diagnostic_of(b, of_b)) == 0;
}

/* Forces one answer after another to 0, as long as the verdict stays. FORCE (of SIZE) has the
 * answers. */
static void shrink(uint64_t seed, const verdict_t *wanted, char *force, size_t size)
{
    program_t *program = program_make(seed, force, wrong);
    for (size_t i = 0; i < program->choices; i++) {
        const choice_t *choice = &program->choice[i];
        if (choice->answer == 0 || choice->forced || choice->options == 0 ||
            strcmp(choice->name, "wrong") == 0)
            continue;
        char *tried = malloc(size);
        snprintf(tried, size, "%s", force);
        add_answer(tried, size, choice->name);
        program_t *smaller;
        verdict_t verdict = judge_seed(seed, tried, &smaller);
        program_free(smaller);
        if (alike(&verdict, wanted))
            snprintf(force, size, "%s", tried);
        free(tried);
    }
    program_free(program);
}

/* -- counting */

static struct {
    char text[160];
    long times;
} reasons[MAX_REASONS];

static void count_reason(const char *text)
{
    int i = 0;
    while (i < MAX_REASONS - 1 && reasons[i].times > 0 && strcmp(reasons[i].text, text) != 0)
        i++;
    snprintf(reasons[i].text, sizeof reasons[i].text, "%s", text);
    reasons[i].times++;
}

/* A diagnostic without what is special of the program: its name. */
static void count_verdict(const verdict_t *verdict, bool right)
{
    char text[160], name[NAME];
    if (verdict->outcome == SAME)
        return;
    snprintf(text, sizeof text, "%s %s %s", right ? "right" : "wrong",
             outcome_names[verdict->outcome], diagnostic_of(verdict, name));
    count_reason(text);
}

static void print_reasons(void)
{
    for (int i = 0; i < MAX_REASONS && reasons[i].times > 0; i++)
        printf("%7ld  %s\n", reasons[i].times, reasons[i].text);
}

static void print_figures(long of[2][OUTCOMES])
{
    long generated = 0, silent = of[0][SILENT] + of[1][SILENT];
    for (int i = 0; i < OUTCOMES; i++) {
        generated += of[0][i] + of[1][i];
        printf("%-16s %7ld right %7ld with a wrong turn\n", outcome_names[i], of[0][i], of[1][i]);
    }
    print_reasons();
    printf("figure\tcheck.generated\t%ld\n", generated);
    if (strcmp(check, "off") == 0)
        printf("figure\tcheck.silent_unchecked_percent\t%.4g\n",
               generated > 0 ? 100.0 * (double)silent / (double)generated : 0);
    else
        printf("figure\tcheck.silent\t%ld\n", silent);
    printf("figure\tcheck.false_alarms\t%ld\n", of[0][REPORTED] + of[0][SPOILT]);
}

/* -- the modes */

/* C-Reduce makes the program at PATH smaller, as long as it is silently wrong. */
static void reduce(const char *path)
{
    char *self = realpath("/proc/self/exe", NULL);
    command_t command = command_shell(
        scratch, REDUCE_SECONDS,
        "cp '%s' reduced.c && printf '#!/bin/sh\\nXMPI_BUILD=%s XMPI_SOURCE=%s FUZZ_CHECK=%s "
        "exec %s silent reduced.c >/dev/null 2>&1\\n' >interesting && chmod +x interesting && "
        "creduce --n 1 --timeout 60 ./interesting reduced.c >/dev/null 2>&1",
        path, build_dir(), source_dir(), check, self);
    command_t copy = command_shell(scratch, 10, "cp reduced.c '%s'", path);
    command_free(&command);
    command_free(&copy);
    free(self);
}

/* Keeps the program in build/fuzz/programs, as small as it gets. */
static void keep(const program_t *program, const verdict_t *verdict)
{
    char path[600], *force = calloc(1, FORCE);
    const char *wanted = getenv("FUZZ_SHRINK");
    bool smaller = wanted == NULL || strcmp(wanted, "0") != 0;
    if (smaller)
        shrink(program->seed, verdict, force, FORCE);
    program_t *kept = program_make(program->seed, force, wrong);
    char *text = program_text(kept);
    snprintf(path, sizeof path, "%s/fuzz/programs/seed%llu.c", build_dir(),
             (unsigned long long)program->seed);
    write_file(path, text);
    if (smaller && verdict->outcome == SILENT)
        reduce(path);
    free(text);
    free(force);
    program_free(kept);
}

static int fuzz(uint64_t seed)
{
    static long of[2][OUTCOMES];
    double end = now() + seconds_wanted();
    for (; now() < end; seed++) {
        program_t *program;
        verdict_t verdict = judge_seed(seed, NULL, &program);
        bool right = program->wrong[0] == '\0';
        of[!right][verdict.outcome]++;
        count_verdict(&verdict, right);
        bool bad = verdict.outcome >= SILENT || (right && verdict.outcome == REPORTED) ||
                   verdict.outcome == SPOILT;
        if (bad) {
            printf("seed %llu: %s: %s; %s\n", (unsigned long long)seed,
                   outcome_names[verdict.outcome], verdict.why, right ? "right" : program->wrong);
            fflush(stdout);
            keep(program, &verdict);
        }
        program_free(program);
    }
    printf("the next seed is %llu\n", (unsigned long long)seed);
    print_figures(of);
    return of[0][SILENT] + of[1][SILENT] > 0;
}

static int plain(uint64_t seed)
{
    long good = 0, bad = 0;
    for (double end = now() + seconds_wanted(); now() < end; seed++) {
        program_t *program = program_make(seed, NULL, 0);
        verdict_t verdict;
        if (prints_the_same_plainly(scratch, put_program(program), &verdict))
            good++;
        else
            printf("seed %llu: %s: %s\n", (unsigned long long)seed, outcome_names[verdict.outcome],
                   verdict.why),
                bad++;
        program_free(program);
    }
    printf("%ld right programs print the same for 1 to 4 processes, %ld do not\n", good, bad);
    return bad > 0;
}

static int judge(const char *what, const char *force)
{
    char *end;
    program_t *program = NULL;
    uint64_t seed = strtoull(what, &end, 10);
    char *path = *end == '\0' ? NULL : realpath(what, NULL);
    judgement_t how = how_for(4);
    verdict_t verdict =
        *end == '\0' ? judge_seed(seed, force, &program) : judge_program(scratch, path, &how);
    printf("%s: %s\n", outcome_names[verdict.outcome], verdict.why);
    if (program != NULL)
        program_free(program);
    free(path);
    return verdict.outcome == SILENT ? 0 : 1;
}

static void print(uint64_t seed, const char *force)
{
    program_t *program = program_make(seed, force, wrong);
    char *text = program_text(program);
    fputs(text, stdout);
    free(text);
    program_free(program);
}

static int shrink_and_print(uint64_t seed)
{
    char *force = calloc(1, FORCE);
    program_t *program;
    verdict_t verdict = judge_seed(seed, NULL, &program);
    program_free(program);
    shrink(seed, &verdict, force, FORCE);
    print(seed, force);
    printf("/* %s: %s\n   %s */\n", outcome_names[verdict.outcome], verdict.why, force);
    free(force);
    return 0;
}

static int run(const char *mode, const char *what, const char *force)
{
    uint64_t seed = strtoull(what, NULL, 10);
    if (strcmp(mode, "fuzz") == 0)
        return fuzz(seed);
    if (strcmp(mode, "plain") == 0)
        return plain(seed);
    if (strcmp(mode, "shrink") == 0)
        return shrink_and_print(seed);
    if (strcmp(mode, "print") != 0)
        return judge(what, force);
    print(seed, force);
    return 0;
}

int main(int argc, char **argv)
{
    setpriority(PRIO_PROCESS, 0, 10);
    setlinebuf(stdout);
    if (getenv("FUZZ_WRONG") != NULL)
        wrong = atoi(getenv("FUZZ_WRONG"));
    if (getenv("FUZZ_CHECK") != NULL)
        check = getenv("FUZZ_CHECK");
    scratch = scratch_make();
    int status =
        run(argc > 1 ? argv[1] : "fuzz", argc > 2 ? argv[2] : "1", argc > 3 ? argv[3] : NULL);
    scratch_remove(scratch);
    return status;
}
