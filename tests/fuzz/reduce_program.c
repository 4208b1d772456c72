/* SPDX-License-Identifier: BSD-3-Clause
 * Making a program smaller: by forcing the plainest answers of its generator, one after another,
 * and by C-Reduce. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/generate_program.h"
#include "fuzz/reduce_program.h"
#include "fuzz/tally_programs.h"
#include "support/command.h"

enum { REDUCE_SECONDS = 900 };

/* -- answers */

static bool alike(const verdict_t *a, const verdict_t *b)
{
    char of_a[DIAGNOSTIC], of_b[DIAGNOSTIC];
    diagnostic_of(a, of_a);
    diagnostic_of(b, of_b);
    return a->outcome == b->outcome && strcmp(of_a, of_b) == 0;
}

static verdict_t judge_answers(const char *dir, uint64_t seed, int wrong, const judgement_t *how,
                               const char *force)
{
    char path[400];
    verdict_t verdicts[MAX_CHECKS];
    program_t *program = program_make(seed, force, wrong);
    char *text = program_text(program);
    snprintf(path, sizeof path, "%s/program.c", dir);
    write_file(path, text);
    judge_program(dir, path, how, verdicts);
    free(text);
    program_free(program);
    return verdicts[0];
}

void shrink(const char *dir, uint64_t seed, int wrong, const judgement_t *how,
            const verdict_t *wanted, char force[ANSWERS])
{
    program_t *program = program_make(seed, force, wrong);
    char *tried = malloc(ANSWERS);
    for (size_t i = 0; i < program->choices; i++) {
        const choice_t *choice = &program->choice[i];
        if (choice->answer == 0 || choice->forced || choice->options == 0 ||
            strncmp(choice->name, "wrong", 5) == 0) /* (the turn itself stays) */
            continue;
        snprintf(tried, ANSWERS, "%s%s%s=0", force, force[0] != '\0' ? "," : "", choice->name);
        verdict_t verdict = judge_answers(dir, seed, wrong, how, tried);
        if (alike(&verdict, wanted))
            strcpy(force, tried);
    }
    free(tried);
    program_free(program);
}

/* -- C-Reduce */

static bool ends_well(const char *path)
{
    char *text = read_file(path, NULL);
    bool well = text != NULL && strstr(text, "MPI_Finalize()") != NULL;
    free(text);
    return well;
}

bool is_interesting(const char *dir, const char *path, const judgement_t *how, bool witness)
{
    judgement_t both = *how;
    verdict_t verdicts[MAX_CHECKS] = {0};
    both.checks[0] = "off";
    both.checks[1] = witness ? "all" : NULL;
    both.checks[2] = NULL;
    judge_program(dir, path, &both, verdicts);
    return verdicts[0].outcome == SILENT && strstr(verdicts[0].why, "should be") != NULL &&
           ends_well(path) &&
           (!witness || verdicts[1].outcome == REPORTED || verdicts[1].outcome == SPOILT) &&
           is_well_defined(dir, path, how->processes);
}

bool reduce(const char *dir, const char *path, const judgement_t *how, bool witness)
{
    if (!is_interesting(dir, path, how, witness))
        return false;
    char *self = realpath("/proc/self/exe", NULL);
    command_t command =
        command_shell(dir, REDUCE_SECONDS,
                      "mkdir -p reduced && cd reduced && cp '%s' reduced.c && printf '#!/bin/sh\\n"
                      "XMPI_BUILD=%s XMPI_SOURCE=%s FUZZ_WITNESS=%d FUZZ_PROCESSES=%d "
                      "FUZZ_SPAWNS=%d exec %s silent "
                      "reduced.c >/dev/null 2>&1\\n' >interesting && chmod +x interesting && "
                      "creduce --n 1 --timeout 60 ./interesting reduced.c",
                      path, build_dir(), source_dir(), witness, how->processes, how->spawns, self);
    command_t copy = command_shell(dir, 10, "cp reduced/reduced.c '%s'", path);
    bool good = command.status == 0 || command.status == 124; /* (the best so far) */
    if (!good)
        fprintf(stderr, "creduce: %s%s\n", command.out, command.err);
    command_free(&command);
    command_free(&copy);
    free(self);
    return good;
}

const char *kept_dir(void)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/fuzz", build_dir());
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        perror(path);
    snprintf(path, sizeof path, "%s/fuzz/programs", build_dir());
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        perror(path);
    return path;
}
