/* SPDX-License-Identifier: BSD-3-Clause
 * Trials: runs of the program, each compared with what the program as it is does. */
#define _GNU_SOURCE
#include "run/check/trial.h"

#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "settings/settings.h"

const char *bench_path(const bench_t *bench, const char *name, char *path)
{
    snprintf(path, TOOL_PATH_MAX, "%s/%s", bench->store, name);
    return path;
}

/* --- our folder --------------------------------------------------------------------------------
 */

/* What is piped to us goes to every run; a terminal to none. */
static void keep_input(const bench_t *bench)
{
    char path[TOOL_PATH_MAX], text[1 << 14];
    FILE *file = fopen(bench_path(bench, "in", path), "w");
    size_t got;
    if (file == NULL)
        tool_misuse("%s: %s: see TMPDIR", path, strerror(errno));
    while (!isatty(STDIN_FILENO) && (got = fread(text, 1, sizeof text, stdin)) > 0)
        fwrite(text, 1, got, file);
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        tool_misuse("%s: %s: see TMPDIR", path, strerror(errno));
}

static bool has_setting(const char *name)
{
    size_t length;
    const xmpi_setting_t *table = xmpi_settings_table(&length);
    for (size_t i = 0; i < length; i++)
        if (strcmp(table[i].name, name) == 0)
            return true;
    return false;
}

static const bench_t *opened; /* whose folder there is */

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

/* Whatever ends the program. */
static void remove_store(void)
{
    if (opened != NULL && !opened->files.stay)
        nftw(opened->store, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    opened = NULL;
}

void bench_open(bench_t *bench, const options_t *options)
{
    const char *folder = getenv("TMPDIR"), *tolerance = getenv("XMPI_CHECK_TOLERANCE");
    *bench = (bench_t){.options = options,
                       .can_check = has_setting("XMPI_CHECK"),
                       .tolerance = tolerance != NULL ? atof(tolerance) : 0};
    if (snprintf(bench->store, sizeof bench->store, "%s/xmpi-check-XXXXXX",
                 folder != NULL && folder[0] != '\0' ? folder : "/tmp") >= (int)sizeof bench->store)
        tool_misuse("the name of a temporary folder is too long: see TMPDIR");
    if (mkdtemp(bench->store) == NULL)
        tool_misuse("cannot make a temporary folder %s: %s: see TMPDIR", bench->store,
                    strerror(errno));
    opened = bench;
    atexit(remove_store);
    bench->text_tolerance = data_tolerance(&bench->reference);
    keep_input(bench);
    files_open(&bench->files, options->check_files, bench->store);
}

void bench_close(bench_t *bench)
{
    files_close(&bench->files);
    text_free(&bench->out);
    text_free(&bench->err);
    text_free(&bench->unchanged_out);
    text_free(&bench->unchanged_err);
    story_free(&bench->reference);
    varying_free(&bench->varying);
    remove_store();
}

/* --- running ------------------------------------------------------------------------------------
 */

static void set(job_run_t *run, const char *name, const char *value)
{
    run->setting[run->settings][0] = name;
    run->setting[run->settings++][1] = value;
}

/* Texts of settings that live as long as the run. */
typedef struct {
    char seed[24], interval[24], most[16], trace[TOOL_PATH_MAX], schedule[TOOL_PATH_MAX];
} texts_t;

static void set_policy(const trial_t *trial, const texts_t *texts, job_run_t *run)
{
    set(run, "XMPI_POLICY", trial->way == AT_RANDOM ? "random" : "schedule");
    if (trial->way == AT_RANDOM)
        set(run, "XMPI_SEED", texts->seed);
    else
        set(run, "XMPI_SCHEDULE", texts->schedule);
    if (trial->interval > 0)
        set(run, "XMPI_INTERVAL", texts->interval);
    if (trial->way != UNCHANGED)
        set(run, "XMPI_BACKEND", trial->backend);
    set(run, "XMPI_MAX", texts->most);
}

static void set_all(const bench_t *bench, const trial_t *trial, texts_t *texts, job_run_t *run)
{
    snprintf(texts->seed, sizeof texts->seed, "%ld", trial->seed);
    snprintf(texts->interval, sizeof texts->interval, "%lld", (long long)trial->interval);
    snprintf(texts->most, sizeof texts->most, "%d", bench->most);
    bench_path(bench, "trace", texts->trace);
    bench_path(bench, "schedule", texts->schedule);
    set(run, "XMPI_ACTIVE", NULL);
    set(run, "XMPI_CONTROL", "off");
    set(run, "XMPI_CHECKPOINT", NULL); /* which would be files that differ */
    set(run, "XMPI_CHECK_ROUNDING", trial->rounding);
    if (trial->way == AS_IT_IS) {
        set(run, "XMPI_POLICY", "off");
        set(run, "XMPI_TRACE", NULL);
        return;
    }
    set_policy(trial, texts, run);
    set(run, "XMPI_TRACE", texts->trace);
    set(run, "XMPI_FINGERPRINT", "1");
    if (bench->can_check)
        set(run, "XMPI_CHECK", trial->checked ? "all" : "off");
}

/* The command line of xmpirun for it; the words are the caller's. */
static char **command_line(const bench_t *bench, const trial_t *trial, char *processes,
                           char *spares, size_t room)
{
    const options_t *options = bench->options;
    bool pooled = trial->way >= AT_RANDOM && strcmp(trial->backend, "pool") == 0;
    int rest = 0, used = 0;
    while (options->rest[rest] != NULL)
        rest++;
    char **command = calloc((size_t)rest + 12, sizeof *command);
    if (command == NULL)
        tool_misuse("no memory for a command line");
    snprintf(processes, room, "%d", options->processes);
    snprintf(spares, room, "--spares=%d", pooled ? bench->most - options->processes : 0);
    const char *const own[] = {"xmpirun", "-q", "-n", processes, spares};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        command[used++] = (char *)(uintptr_t)own[i];
    const char *const given[][2] = {{"--mpiexec", options->mpiexec},
                                    {"--machines", options->machines}};
    for (int i = 0; i < 2; i++)
        if (given[i][1] != NULL) {
            command[used++] = (char *)(uintptr_t)given[i][0];
            command[used++] = (char *)(uintptr_t)given[i][1];
        }
    memcpy(command + used, options->rest, (size_t)rest * sizeof *command);
    return command;
}

static char *read_text(const bench_t *bench, const char *name)
{
    char path[TOOL_PATH_MAX], *text = NULL;
    size_t room = 0;
    FILE *file = fopen(bench_path(bench, name, path), "r");
    if (file == NULL || getdelim(&text, &room, '\0', file) < 0) {
        free(text);
        text = strdup("");
    }
    if (file != NULL)
        fclose(file);
    if (text == NULL)
        tool_misuse("no memory for what the program prints");
    return text;
}

/* Takes XMPI's own lines out of TEXT; the last one into TOLD. */
static void take_own_lines(char *text, char *told)
{
    static const char own[] = "xmpi: ";
    char *to = text;
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        bool whole = text[length] == '\n';
        if (strncmp(text, own, sizeof own - 1) == 0)
            snprintf(told, DIFFERENCE_MAX, "%.*s", (int)length, text);
        else
            to = (char *)memmove(to, text, length + whole) + length + whole;
        text += length + whole;
    }
    *to = '\0';
}

static comparison_t compare_text(const text_t *reference, bool varies, const char *text,
                                 double tolerance)
{
    comparison_t none = {UNCOMPARED, false, 0, ""};
    return varies ? none : text_compare(reference, text, tolerance);
}

static void compare(bench_t *bench, const trial_t *trial, const char *out, const char *err,
                    outcome_t *outcome)
{
    double tolerance = bench->text_tolerance;
    outcome->ended_otherwise = outcome->end.late || outcome->end.status != bench->status;
    outcome->no_spawn = outcome->end.status == TOOL_MISUSED && bench->status != TOOL_MISUSED &&
                        strstr(outcome->told, "XMPI_BACKEND=spawn: ") != NULL;
    outcome->output = compare_text(&bench->out, bench->out_varies, out, tolerance);
    outcome->errors =
        compare_text(&bench->err, bench->err_varies || outcome->ended_otherwise, err, tolerance);
    const cJSON *name; /* where nothing has changed they still have one */
    if (trial->way == UNCHANGED)
        cJSON_ArrayForEach(name, outcome->story.files)
            files_note_rows(&bench->files, name->valuestring);
    outcome->files = files_compare(&bench->files, tolerance);
    if (trial->way != AS_IT_IS)
        outcome->data =
            data_compare(&bench->reference, &outcome->story, &bench->varying, bench->tolerance);
    else
        outcome->data.sameness = UNCOMPARED;
}

/* What the program prints goes into our folder: it may have been cut off. */
static void need_room(const bench_t *bench)
{
    struct statvfs disk;
    if (statvfs(bench->store, &disk) == 0 && disk.f_bavail == 0)
        tool_misuse("%s: %s: see TMPDIR", bench->store, strerror(ENOSPC));
}

outcome_t trial_run(bench_t *bench, const trial_t *trial)
{
    char in[TOOL_PATH_MAX], out[TOOL_PATH_MAX], err[TOOL_PATH_MAX], processes[16], spares[24];
    texts_t texts;
    outcome_t outcome = {.told = ""};
    job_run_t run = {.command = command_line(bench, trial, processes, spares, sizeof processes),
                     .in = bench_path(bench, "in", in),
                     .out = bench_path(bench, "out", out),
                     .err = bench_path(bench, "err", err),
                     .limit = trial->limit,
                     .held = trial->held,
                     .held_within = bench->plain,
                     .who = trial->who};
    set_all(bench, trial, &texts, &run);
    unlink(texts.trace);
    files_restore(&bench->files);
    outcome.end = job_run(&run);
    need_room(bench);
    free((void *)(uintptr_t)run.command);
    outcome.story = story_read(texts.trace);
    char *printed = read_text(bench, "out"), *complained = read_text(bench, "err");
    take_own_lines(complained, outcome.told);
    if (bench->plain > 0)
        compare(bench, trial, printed, complained, &outcome);
    free(printed);
    free(complained);
    return outcome;
}

/* Seconds that the program takes as it is, in at most LIMIT. */
static double time_again(bench_t *bench, double limit)
{
    trial_t plain = {.way = AS_IT_IS, .limit = limit};
    outcome_t outcome = trial_run(bench, &plain);
    double seconds = outcome.end.seconds;
    outcome_free(&outcome);
    return seconds;
}

static void give_up(outcome_t *outcome)
{
    static const comparison_t none = {UNCOMPARED, false, 0, ""};
    outcome->ended_otherwise = false;
    outcome->untold = true;
    outcome->output = outcome->errors = outcome->files = outcome->data = none;
}

/* Who else is on the machine may come and go: only where the program as it is is quick right behind
 * it a run hangs, and that twice. */
outcome_t trial_judge(bench_t *bench, trial_t *trial)
{
    enum { TIMES = 3 };
    static const double little = 1.25; /* more time is not worth another run */
    outcome_t outcome = trial_run(bench, trial);
    for (int i = 1; outcome.end.late && job_signal() == 0; i++) {
        double seconds = time_again(bench, trial->limit);
        double limit = trial->limit + LIMIT_TIMES * fmax(0, seconds - bench->plain);
        outcome.as_it_is = seconds;
        if (i > 1 && limit <= little * outcome.end.seconds)
            break;
        if (seconds >= trial->limit || i == TIMES) {
            give_up(&outcome);
            break;
        }
        bench->plain = fmax(bench->plain, seconds);
        trial->limit = limit;
        outcome_free(&outcome);
        outcome = trial_run(bench, trial);
    }
    return outcome;
}

void outcome_free(outcome_t *outcome)
{
    story_free(&outcome->story);
}

sameness_t outcome_effect(const outcome_t *outcome)
{
    const comparison_t *const all[] = {&outcome->output, &outcome->errors, &outcome->files,
                                       &outcome->data};
    sameness_t worst = SAME;
    if (outcome->ended_otherwise)
        return DIFFERENT;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bool counts = all[i]->sameness != UNCOMPARED;
        worst = counts && all[i]->sameness > worst ? all[i]->sameness : worst;
    }
    return worst;
}

sameness_t outcome_worst(const outcome_t *outcome)
{
    return outcome->story.different > 0 ? DIFFERENT : outcome_effect(outcome);
}

enum { WAYS_TO_DIFFER = 6 };

/* In which ways it differs, the plainest first. */
static void find_ways(const outcome_t *outcome, bool *way)
{
    way[0] = outcome->ended_otherwise;
    way[1] = outcome->story.different > 0;
    way[2] = outcome->data.sameness == DIFFERENT;
    way[3] = outcome->files.sameness == DIFFERENT;
    way[4] = outcome->output.sameness == DIFFERENT;
    way[5] = outcome->errors.sameness == DIFFERENT;
}

bool outcome_differs_like(const outcome_t *first, const outcome_t *again)
{
    bool way[WAYS_TO_DIFFER], way_again[WAYS_TO_DIFFER];
    int plainest = 0;
    find_ways(first, way);
    find_ways(again, way_again);
    while (plainest < WAYS_TO_DIFFER - 1 && !way[plainest])
        plainest++;
    return way_again[plainest];
}

/* --- the measure -------------------------------------------------------------------------------
 */

int bench_take_measure(bench_t *bench, const outcome_t *outcome)
{
    char told[DIFFERENCE_MAX], *out = read_text(bench, "out"), *err = read_text(bench, "err");
    take_own_lines(err, told);
    bench->status = outcome->end.status;
    bench->plain = fmax(outcome->end.seconds, 1e-3);
    bench->out = text_read(out);
    bench->err = text_read(err);
    free(out);
    free(err);
    return files_keep(&bench->files);
}

static void note_unchanged(text_t *reference, text_t *first, const char *text, bool is_first,
                           double tolerance)
{
    if (is_first) {
        *first = text_read(text);
        return;
    }
    text_steady(first, text, tolerance);
    text_take_varying(reference, first);
}

void bench_note_unchanged(bench_t *bench)
{
    char told[DIFFERENCE_MAX], *out = read_text(bench, "out"), *err = read_text(bench, "err");
    bool is_first = !bench->has_unchanged;
    take_own_lines(err, told);
    note_unchanged(&bench->out, &bench->unchanged_out, out, is_first, bench->text_tolerance);
    note_unchanged(&bench->err, &bench->unchanged_err, err, is_first, bench->text_tolerance);
    bench->has_unchanged = true;
    free(out);
    free(err);
}

void bench_note_varying(bench_t *bench, const trial_t *trial, const outcome_t *outcome)
{
    char told[DIFFERENCE_MAX], *out = read_text(bench, "out"), *err = read_text(bench, "err");
    take_own_lines(err, told);
    if (trial->way == UNCHANGED) {
        data_note_varying(&bench->reference, &outcome->story, bench->tolerance, &bench->varying);
        bench_note_unchanged(bench);
    } else {
        bench->out_varies =
            !text_steady(&bench->out, out, bench->text_tolerance) || bench->out_varies;
        bench->err_varies =
            !text_steady(&bench->err, err, bench->text_tolerance) || bench->err_varies;
        files_steady(&bench->files, bench->text_tolerance);
    }
    free(out);
    free(err);
}

void bench_note_spread(bench_t *bench, const trial_t *trial, const outcome_t *outcome)
{
    char told[DIFFERENCE_MAX], *out = read_text(bench, "out"), *err = read_text(bench, "err");
    take_own_lines(err, told);
    bench->spread = true;
    if (trial->way == UNCHANGED) {
        data_note_spread(&bench->reference, &outcome->story, &bench->varying);
    } else {
        text_spread(&bench->out, out);
        text_spread(&bench->err, err);
        files_spread(&bench->files);
    }
    free(out);
    free(err);
}

int bench_varying(const bench_t *bench)
{
    const char *example;
    int n = bench->out_varies + bench->err_varies + text_ignored(&bench->out, &example) +
            text_ignored(&bench->err, &example) + cJSON_GetArraySize(bench->varying.names);
    for (int i = 0; i < bench->files.files; i++)
        n += bench->files.file[i].varies + text_ignored(&bench->files.file[i].text, &example);
    return n;
}
