/* SPDX-License-Identifier: BSD-3-Clause
 * What xmpirun --check says. */
#define _GNU_SOURCE
#include "run/check/tell.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS_SHOWN = 8 };

/* --- the table ---------------------------------------------------------------------------------
 */

static void print_command(const bench_t *bench)
{
    for (char *const *word = bench->options->rest; *word != NULL; word++)
        printf(" %s", *word);
}

void tell_begin(const bench_t *bench)
{
    printf("xmpirun --check:");
    print_command(bench);
    printf(", %d processes, up to %d\n\n", bench->options->processes, bench->most);
    printf("  %-10s %5s %8s  %-19s %-10s %-10s %-10s %8s\n", "run", "seed", "changes", "checked",
           "output", "files", "data", "seconds");
    fflush(stdout);
}

/* What differs between two runs of the program as it is varies by itself. */
static const char *word_of(const trial_t *trial, const comparison_t *comparison)
{
    static const char *const words[] = {"same", "rounded", "-", "DIFFERENT"};
    if (comparison->sameness == DIFFERENT && trial->way == AS_IT_IS)
        return "varies";
    return comparison->sameness == SAME && comparison->reordered ? "reordered"
                                                                 : words[comparison->sameness];
}

/* "9 equal, 2 not". */
static void print_checked(const bench_t *bench, const trial_t *trial, const story_t *story,
                          char *text, size_t room)
{
    int used = 0;
    text[0] = '\0';
    if (!trial->checked || !bench->can_check || trial->way == AS_IT_IS)
        snprintf(text, room, "-");
    else if (story->equal + story->different + story->unchecked == 0)
        snprintf(text, room, "none");
    else if (story->different > 0)
        snprintf(text, room, "%d DIFFERENT", story->different);
    else {
        if (story->equal > 0)
            used = snprintf(text, room, "%d equal", story->equal);
        if (story->unchecked > 0)
            snprintf(text + used, room - (size_t)used, "%s%d not", used > 0 ? ", " : "",
                     story->unchecked);
    }
}

/* Of the output, with what is on standard error. */
static const comparison_t *worse(const comparison_t *a, const comparison_t *b)
{
    bool counts = b->sameness == DIFFERENT || b->sameness == ROUNDED;
    return a->sameness == UNCOMPARED || (counts && b->sameness > a->sameness) ? b : a;
}

static void print_end(const bench_t *bench, const outcome_t *outcome)
{
    if (outcome->untold)
        printf("  TOO SLOW");
    else if (outcome->end.late)
        printf("  HANGS");
    else if (outcome->ended_otherwise)
        printf("  EXIT STATUS %d, not %d", outcome->end.status, bench->status);
    printf("\n");
    fflush(stdout);
}

void tell_trial(const bench_t *bench, const trial_t *trial, const outcome_t *outcome)
{
    static const char *const ways[] = {"plain", "unchanged"};
    char seed[24] = "-", changes[16] = "-", checked[24];
    bool random = trial->way == AT_RANDOM;
    if (random)
        snprintf(seed, sizeof seed, "%ld", trial->seed);
    if (trial->way != AS_IT_IS)
        snprintf(changes, sizeof changes, "%d", outcome->story.done);
    print_checked(bench, trial, &outcome->story, checked, sizeof checked);
    printf("  %-10s %5s %8s  %-19s %-10s %-10s %-10s %8.2f",
           random ? trial->backend : ways[trial->way], seed, changes, checked,
           word_of(trial, worse(&outcome->output, &outcome->errors)),
           word_of(trial, &outcome->files), word_of(trial, &outcome->data), outcome->end.seconds);
    print_end(bench, outcome);
}

/* --- notes -------------------------------------------------------------------------------------
 */

static void tell_text(const char *what, const text_t *text, bool varies)
{
    const char *example = "";
    int n = text_ignored(text, &example);
    if (varies)
        printf("not compared: %s differs from run to run without any change\n", what);
    else if (n > 0)
        printf("not compared: %d line%s of %s, or numbers in %s, that differ%s from run to run: "
               "\"%.60s\"\n",
               n, n == 1 ? "" : "s", what, n == 1 ? "it" : "them", n == 1 ? "s" : "", example);
}

static void tell_rows(const files_t *files)
{
    int n = 0, first = 0;
    for (int i = 0; i < files->files; i++)
        if (files->file[i].rows && n++ == 0)
            first = i;
    if (n > 0)
        printf("not compared: %d file%s of rows (data file), without a name after a change: "
               "\"%.60s\"\n",
               n, n == 1 ? "" : "s", files->file[first].name);
}

/* (Values of a state that names no rows are compared by the checks of changes.) */
static void tell_rowless(const story_t *story)
{
    for (int i = 0; i < story->loops; i++)
        if (story->loop[i].rowless)
            printf("%s has no rows: %s compared\n", story->loop[i].name,
                   story->loop[i].checks > 0 ? "its values alone were" : "none of its data were");
}

void tell_varying(const bench_t *bench)
{
    const cJSON *name;
    tell_rowless(&bench->reference);
    tell_text("the output", &bench->out, bench->out_varies);
    tell_text("standard error", &bench->err, bench->err_varies);
    tell_rows(&bench->files);
    for (int i = 0; i < bench->files.files; i++)
        tell_text(bench->files.file[i].name, &bench->files.file[i].text,
                  bench->files.file[i].varies);
    cJSON_ArrayForEach(name, bench->varying.names)
        printf("not compared: the data %s, which differ from run to run without any change\n",
               name->valuestring);
    if (bench->files.too_many)
        printf("not compared: files, of which there are too many here; name those that the program "
               "writes: --check-files=A,B\n");
}

/* --- differences -------------------------------------------------------------------------------
 */

static void tell_comparison(const char *what, const comparison_t *comparison)
{
    if (comparison->sameness == DIFFERENT)
        printf("  %s: %s\n", what, comparison->text);
}

void tell_difference(const bench_t *bench, const trial_t *trial, const outcome_t *outcome)
{
    if (trial->way == AT_RANDOM)
        printf("different: %s, seed %ld\n", trial->backend, trial->seed);
    else
        printf("different: without any change\n");
    if (outcome->end.late)
        printf("  it was ended after %.1f s; as it is it takes %.1f s\n", outcome->end.seconds,
               bench->plain);
    else if (outcome->ended_otherwise)
        printf("  the exit status is %d, should be %d\n", outcome->end.status, bench->status);
    if (outcome->ended_otherwise && outcome->told[0] != '\0')
        printf("  %s\n", outcome->told);
    if (outcome->ended_otherwise)
        return; /* of course the rest is not there */
    tell_comparison("output", &outcome->output);
    tell_comparison("standard error", &outcome->errors);
    tell_comparison("file", &outcome->files);
    tell_comparison("data", &outcome->data);
}

int tell_untold(const bench_t *bench, const outcome_t *outcome)
{
    fflush(stdout);
    return tool_complain(
        "the run was ended after %.1f s; but as it is the program took %.1f s, and "
        "just then %s%.1f s: it cannot be told whether it hangs; try it again when "
        "the machine is less busy",
        outcome->end.seconds, bench->plain,
        outcome->as_it_is > outcome->end.seconds ? "more than " : "", outcome->as_it_is);
}

/* (The run itself, which is one of xmpirun, names the process and says how it ended.) */
int tell_signal(const bench_t *bench)
{
    static const char said[] = " was ended by a signal: ";
    const char *how = NULL;
    for (int i = 0; how == NULL && i < bench->err.lines; i++)
        if (strncmp(bench->err.line[i].text, "xmpirun: process ", 17) == 0)
            how = strstr(bench->err.line[i].text, said);
    if (bench->status == 0 || how == NULL)
        return TOOL_OK;
    how += strlen(said);
    return tool_complain("the program is ended by a signal without any change: %.*s; nothing was "
                         "checked",
                         (int)strcspn(how, ";\n"), how);
}

/* "rows 0-24, 25-49". */
static void print_blocks(const char *layout)
{
    long long first = 0, rows;
    int n = 0;
    printf("rows ");
    for (const char *at = layout; (at = strchr(at, ':')) != NULL; n++) {
        rows = atoll(++at);
        if (n >= BLOCKS_SHOWN)
            continue;
        if (rows > 0)
            printf("%s%lld-%lld", n > 0 ? ", " : "", first, first + rows - 1);
        else
            printf("%snone", n > 0 ? ", " : "");
        first += rows;
    }
    printf("%s\n", n > BLOCKS_SHOWN ? ", ..." : "");
}

static void print_change(const story_t *story, const change_t *change)
{
    const loop_t *loop = &story->loop[story->loop_of[change->loop - 1]];
    bool moves = change->from == change->to;
    printf("    iteration %" PRId64 " of %s: %s, ", change->iteration, loop->name, change->kind);
    if (moves)
        printf("%d members: ", change->to);
    else
        printf("from %d to %d members: ", change->from, change->to);
    if (loop->rowless)
        printf("it has no rows\n");
    else
        print_blocks(change->layout);
}

/* How to have it again. */
static void print_again(const bench_t *bench, const trial_t *trial, const char *schedule)
{
    bool pool = strcmp(trial->backend, "pool") == 0;
    printf("  again: ");
    if (bench->can_check)
        printf("XMPI_CHECK=%s ", trial->checked ? "all" : "off");
    printf("xmpirun -n %d ", bench->options->processes);
    if (pool)
        printf("--spares %d ", bench->most - bench->options->processes);
    else
        printf("--max %d ", bench->most);
    printf("--policy schedule --schedule %s", schedule);
    print_command(bench);
    printf("\n");
}

void tell_reduction(const bench_t *bench, const trial_t *trial, const story_t *story,
                    const reduction_t *reduction)
{
    static const char schedule[] = "xmpi-check.schedule";
    if (!reduction->shown) {
        printf("  the same changes again did not show it in %d run%s: it depends on more than "
               "them\n",
               reduction->runs, reduction->runs == 1 ? "" : "s");
        return;
    }
    printf("  %d of the %d changes %s it%s (found in %d run%s):\n", reduction->changes,
           story->changes, reduction->changes == 1 ? "shows" : "show",
           reduction->ran_out ? ", perhaps fewer" : "", reduction->runs,
           reduction->runs == 1 ? "" : "s");
    const story_t *made = &reduction->last.story; /* from other layouts than in the first run */
    for (int i = 0; i < made->changes; i++)
        print_change(made, &made->change[i]);
    if (schedule_write(schedule, story, reduction->change, reduction->changes))
        print_again(bench, trial, schedule);
}
