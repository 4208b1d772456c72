/* SPDX-License-Identifier: BSD-3-Clause
 * Usage: run_programs [fuzz | print | judge | plain | shrink | silent] [SEED | FILE]
 * [NAME=ANSWER,...]
 *
 *   fuzz    generate programs from SEED on (1), FUZZ_PROGRAMS of them or for FUZZ_SECONDS (600),
 *           count what happens, and keep in build/fuzz/programs those that are silently wrong,
 *           crash or hang, made smaller (the default)
 *   print   the program of a seed
 *   judge   what happens to the program of a seed, or to a file
 *   plain   whether programs from SEED on print the same for 1 to 4 processes: tests the generator
 *   shrink  the plainest answers with which the program of a seed still does what it does
 *   silent  exit status 0 when a file is silently wrong: an interestingness test for creduce
 *
 * FUZZ_CHECKS are the values of XMPI_CHECK that each program is run with (off,first). FUZZ_WRONG=0
 * makes right programs only, 1 those with a wrong turn only. FUZZ_SHRINK=0 keeps programs as they
 * are generated. FUZZ_FORCE gives answers for all of them ("stated=99" lets those that can name the
 * state of their loop). FUZZ_RESIZABLE=1 tries only what is not divisible, and starts over.
 * FUZZ_JOBS (2) programs are tried at the same time; several runs at a time, from other seeds on,
 * are in nobody's way. A run that is told to end (SIGINT, SIGTERM, SIGHUP) finishes the programs
 * that it is at, and counts. With silent, FUZZ_WITNESS=1 asks that XMPI_CHECK=all sees it, with
 * FUZZ_PROCESSES (2) and FUZZ_SPAWNS (0). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/generate_program.h"
#include "fuzz/judge_program.h"
#include "fuzz/reduce_program.h"
#include "fuzz/tally_programs.h"
#include "support/command.h"

enum { MAX_JOBS = 16 };

static struct {
    char *scratch;
    int wrong;
    const char *force;
    char checks_text[100];
    const char *checks[MAX_CHECKS];
} settings;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double number_of(const char *variable, double otherwise)
{
    const char *text = getenv(variable);
    return text != NULL && *text != '\0' ? atof(text) : otherwise;
}

static judgement_t how_for(uint64_t seed)
{
    judgement_t how = {.processes = 2 + (int)(seed % 2),
                       .runs = 3,
                       .spawns = seed % 4 == 0,
                       .quickly = true,
                       .resizable = number_of("FUZZ_RESIZABLE", 0) > 0};
    memcpy(how.checks, settings.checks, sizeof how.checks);
    return how;
}

/* Writes the program to the scratch folder; its path. */
static const char *put_program(program_t *program)
{
    static char path[400];
    snprintf(path, sizeof path, "%s/program.c", settings.scratch);
    char *text = program_text(program);
    write_file(path, text);
    free(text);
    return path;
}

/* -- one program after another, in several processes */

/* What a process tells of a program that it has tried. */
typedef struct {
    uint64_t seed;
    bool right;
    char turn[EXPRESSION];
    verdict_t verdicts[MAX_CHECKS];
} record_t;

typedef struct {
    _Atomic uint64_t seed;
    uint64_t last;
    double end;
    atomic_bool stopped;
} queue_t;

static queue_t *to_stop;

/* In whichever process it arrives, all of them take no further programs. */
static void stop(int number)
{
    (void)number;
    to_stop->stopped = true;
}

/* Commands that are started go by the default again. */
static void stop_on_signals(queue_t *queue)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = stop, .sa_flags = SA_RESTART};
    to_stop = queue;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

/* The queue is shared by all jobs. */
static queue_t *open_queue(uint64_t seed)
{
    queue_t *queue =
        mmap(NULL, sizeof *queue, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (queue == MAP_FAILED) {
        perror("run_programs: mmap");
        exit(2);
    }
    double programs = number_of("FUZZ_PROGRAMS", 0);
    queue->seed = seed;
    queue->last = programs > 0 ? seed + (uint64_t)programs : UINT64_MAX;
    queue->end = now() + number_of("FUZZ_SECONDS", programs > 0 ? 1e9 : 600);
    return queue;
}

static bool take_seed(queue_t *queue, uint64_t *seed)
{
    if (queue->stopped || now() >= queue->end)
        return false;
    *seed = atomic_fetch_add(&queue->seed, 1);
    return *seed < queue->last;
}

/* Keeps the program in build/fuzz/programs, as small as it gets. */
static void keep(const program_t *program, const verdict_t verdicts[MAX_CHECKS])
{
    char path[700], *force = calloc(1, ANSWERS);
    const char *wanted = getenv("FUZZ_SHRINK");
    snprintf(force, ANSWERS, "%s", settings.force != NULL ? settings.force : "");
    bool smaller = wanted == NULL || strcmp(wanted, "0") != 0;
    judgement_t how = how_for(program->seed);
    if (smaller)
        shrink(settings.scratch, program->seed, settings.wrong, &how, &verdicts[0], force);
    program_t *kept = program_make(program->seed, force, settings.wrong);
    char *text = program_text(kept);
    snprintf(path, sizeof path, "%s/seed%llu.c", kept_dir(), (unsigned long long)program->seed);
    write_file(path, text);
    if (smaller && verdicts[0].outcome == SILENT && strcmp(settings.checks[0], "off") == 0 &&
        !reduce(settings.scratch, path, &how, true) && !reduce(settings.scratch, path, &how, false))
        fprintf(stderr, "seed %llu is kept as it is\n", (unsigned long long)program->seed);
    free(text);
    free(force);
    program_free(kept);
}

static bool is_bad(const verdict_t *verdict, bool right)
{
    return verdict->outcome >= SILENT || (right && verdict->outcome >= REPORTED);
}

static void judge_seeds(queue_t *queue, int to)
{
    uint64_t seed;
    while (take_seed(queue, &seed)) {
        record_t record = {.seed = seed};
        judgement_t how = how_for(seed);
        program_t *program = program_make(seed, settings.force, settings.wrong);
        judge_program(settings.scratch, put_program(program), &how, record.verdicts);
        record.right = program->wrong[0] == '\0';
        snprintf(record.turn, sizeof record.turn, "%s", program->wrong);
        if (write(to, &record, sizeof record) != sizeof record)
            exit(2);
        bool bad = false;
        for (int i = 0; i < MAX_CHECKS && how.checks[i] != NULL; i++)
            bad = bad || is_bad(&record.verdicts[i], record.right);
        if (bad)
            keep(program, record.verdicts);
        program_free(program);
    }
}

static void see_plainly(queue_t *queue, int to)
{
    uint64_t seed;
    while (take_seed(queue, &seed)) {
        record_t record = {.seed = seed, .right = true};
        program_t *program = program_make(seed, settings.force, 0);
        prints_the_same_plainly(settings.scratch, put_program(program), &record.verdicts[0]);
        if (write(to, &record, sizeof record) != sizeof record)
            exit(2);
        program_free(program);
    }
}

/* Starts a process that works off the queue, in a folder of its own; whether it could. */
static bool start_job(queue_t *queue, void (*work)(queue_t *, int), const int ends[2], int job)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid != 0)
        return pid > 0;
    close(ends[0]);
    char *folder = NULL;
    if (asprintf(&folder, "%s/job%d", settings.scratch, job) < 0 || mkdir(folder, 0700) != 0)
        exit(2);
    settings.scratch = folder;
    work(queue, ends[1]);
    exit(0);
}

static void take_record(const record_t *record, tally_t *tally)
{
    tally_add(tally, record->seed, record->right, record->verdicts);
    for (int i = 0; i < MAX_CHECKS && tally->checks[i] != NULL; i++)
        if (is_bad(&record->verdicts[i], record->right))
            printf("seed %llu, XMPI_CHECK=%s: %s: %s; %s\n", (unsigned long long)record->seed,
                   tally->checks[i], outcome_names[record->verdicts[i].outcome],
                   record->verdicts[i].why, record->right ? "right" : record->turn);
}

/* Lets some processes work, and adds up what they tell (in records that are shorter than what a
 * pipe takes at once). */
static void work_off(uint64_t seed, void (*work)(queue_t *, int), tally_t *tally)
{
    _Static_assert(sizeof(record_t) <= 4096, "a record is written at once");
    int ends[2], jobs = (int)number_of("FUZZ_JOBS", 2);
    queue_t *queue = open_queue(seed);
    if (pipe2(ends, O_CLOEXEC) != 0) { /* what a program leaves behind must not hold it open */
        perror("run_programs: pipe");
        exit(2);
    }
    stop_on_signals(queue);
    for (int i = 0; i < jobs && i < MAX_JOBS; i++)
        if (!start_job(queue, work, ends, i))
            perror("run_programs: fork");
    close(ends[1]);
    record_t record;
    while (read(ends[0], &record, sizeof record) == sizeof record)
        take_record(&record, tally);
    for (int status; wait(&status) > 0;)
        if (status != 0)
            printf("a job ended early (%s %d)\n", WIFSIGNALED(status) ? "signal" : "status",
                   WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    close(ends[0]);
    munmap(queue, sizeof *queue);
}

static int fuzz(uint64_t seed)
{
    static tally_t tally;
    tally.checks = settings.checks;
    double start = now();
    work_off(seed, judge_seeds, &tally);
    tally_print(&tally);
    printf("figure\tcheck.generated\t%ld\n", tally.programs[0] + tally.programs[1]);
    printf("%.0f seconds\n", now() - start);
    return tally_silent(&tally) > 0;
}

static int plain(uint64_t seed)
{
    static const char *const checks[MAX_CHECKS] = {"plain"};
    static tally_t tally;
    tally.checks = checks;
    work_off(seed, see_plainly, &tally);
    long good = tally.of[0][0][SAME], bad = tally.programs[0] - good;
    printf("%ld right programs print the same for 1 to 4 processes, %ld do not\n", good, bad);
    return bad > 0;
}

/* -- one program */

static int judge(const char *what, const char *force)
{
    char *end;
    uint64_t seed = strtoull(what, &end, 10);
    judgement_t how = how_for(*end == '\0' ? seed : 4);
    verdict_t verdicts[MAX_CHECKS];
    if (*end == '\0') {
        program_t *program = program_make(seed, force, settings.wrong);
        judge_program(settings.scratch, put_program(program), &how, verdicts);
        program_free(program);
    } else {
        char *path = realpath(what, NULL);
        if (path == NULL) {
            perror(what);
            return 2;
        }
        judge_program(settings.scratch, path, &how, verdicts);
        free(path);
    }
    int silent = 0;
    for (int i = 0; i < MAX_CHECKS && how.checks[i] != NULL; i++) {
        printf("XMPI_CHECK=%s: %s: %s\n", how.checks[i], outcome_names[verdicts[i].outcome],
               verdicts[i].why);
        silent |= verdicts[i].outcome == SILENT;
    }
    return silent;
}

static void print(uint64_t seed, const char *force)
{
    program_t *program = program_make(seed, force, settings.wrong);
    char *text = program_text(program);
    fputs(text, stdout);
    free(text);
    program_free(program);
}

static void shrink_and_print(uint64_t seed)
{
    char *force = calloc(1, ANSWERS);
    verdict_t verdicts[MAX_CHECKS];
    judgement_t how = how_for(seed);
    program_t *program = program_make(seed, NULL, settings.wrong);
    judge_program(settings.scratch, put_program(program), &how, verdicts);
    program_free(program);
    shrink(settings.scratch, seed, settings.wrong, &how, &verdicts[0], force);
    print(seed, force);
    printf("/* %s: %s\n   %s */\n", outcome_names[verdicts[0].outcome], verdicts[0].why, force);
    free(force);
}

static int silent(const char *file)
{
    judgement_t how = {.processes = (int)number_of("FUZZ_PROCESSES", 2),
                       .runs = 3,
                       .spawns = (int)number_of("FUZZ_SPAWNS", 0),
                       .quickly = true};
    char *path = realpath(file, NULL);
    bool interesting = path != NULL && is_interesting(settings.scratch, path, &how,
                                                      number_of("FUZZ_WITNESS", 0) > 0);
    free(path);
    return interesting ? 0 : 1;
}

static int run(const char *mode, const char *what, const char *force)
{
    uint64_t seed = strtoull(what, NULL, 10);
    if (strcmp(mode, "fuzz") == 0)
        return fuzz(seed);
    if (strcmp(mode, "plain") == 0)
        return plain(seed);
    if (strcmp(mode, "judge") == 0)
        return judge(what, force);
    if (strcmp(mode, "silent") == 0)
        return silent(what);
    if (strcmp(mode, "shrink") == 0)
        shrink_and_print(seed);
    else if (strcmp(mode, "print") == 0)
        print(seed, force);
    else
        fprintf(stderr,
                "run_programs: no mode %s; there are fuzz, print, judge, plain, shrink, silent\n",
                mode);
    return 0;
}

static void read_settings(void)
{
    const char *checks = getenv("FUZZ_CHECKS");
    char *rest = NULL;
    int n = 0;
    settings.wrong = (int)number_of("FUZZ_WRONG", -1);
    settings.force = getenv("FUZZ_FORCE");
    snprintf(settings.checks_text, sizeof settings.checks_text, "%s",
             checks != NULL ? checks : "off,first");
    for (char *word = strtok_r(settings.checks_text, ",", &rest); word != NULL && n < MAX_CHECKS;
         word = strtok_r(NULL, ",", &rest))
        settings.checks[n++] = word;
}

int main(int argc, char **argv)
{
    setlinebuf(stdout);
    read_settings();
    settings.scratch = scratch_make();
    machine_invent();
    int status =
        run(argc > 1 ? argv[1] : "fuzz", argc > 2 ? argv[2] : "1", argc > 3 ? argv[3] : NULL);
    scratch_remove(settings.scratch);
    return status;
}
