/* SPDX-License-Identifier: BSD-3-Clause
 * xmpirun --check: the program as its user would test it. */
#define _GNU_SOURCE
#include "run/check/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/check/reduce.h"
#include "run/check/tell.h"
#include "run/check/trial.h"

enum {
    CHANGES = 10 /* that a run is to have */,
    MOST_CHANGES = 150,
    DOUBTS = 2,     /* that explain nothing */
    MOST_DOUBTS = 6 /* in all */
};

/* What the trials at random have come to. */
typedef struct {
    int runs, changes, called_off, equal, unchecked, rounded;
    long long least_interval; /* of all runs */
    double largest;           /* of what differs by rounding ... */
    char where[128];          /* ... and where that is */
    char why_unchecked[512], why_called_off[512], why_kept[512];
    char told[DIFFERENCE_MAX]; /* "; " and XMPI's own line, the last one */
    bool different, spawns_not;
    int doubts, in_vain;     /* how often runs were doubted, and nothing more was seen to vary */
    int untold;              /* exit status, where it cannot be told whether a run hangs */
    int found;               /* runs in which a check found a difference */
    char why_different[512]; /* of the first */
    sameness_t effect;       /* in the run that is kept */
    trial_t trial;           /* the first that came out differently, else the first that was found
                                to be different */
    outcome_t outcome;
} tally_t;

/* --- as it is ----------------------------------------------------------------------------------
 */

/* What a program that fails complains of. */
static void show_errors(const bench_t *bench)
{
    for (int i = 0; i < bench->err.lines; i++)
        fprintf(stderr, "%s\n", bench->err.line[i].text);
}

/* Twice: what differs between them is no fault of changes. The second time it stands still now and
 * then, so that what it prints of times differs as well. */
static int run_as_it_is(bench_t *bench)
{
    trial_t trial = {.way = AS_IT_IS};
    outcome_t outcome = trial_run(bench, &trial);
    if (job_signal() != 0)
        return TOOL_FAILED;
    int status = bench_take_measure(bench, &outcome);
    outcome.files.sameness = bench->files.files > 0 ? SAME : UNCOMPARED;
    outcome.data.sameness = UNCOMPARED;
    tell_trial(bench, &trial, &outcome);
    outcome_free(&outcome);
    if (bench->status != 0)
        show_errors(bench);
    if (status == TOOL_OK)
        status = tell_signal(bench);
    if (status != TOOL_OK)
        return status;
    trial.held = fmin(fmax(0.3, bench->plain / 2), 2);
    trial.limit = LIMIT_TIMES * bench->plain + trial.held + 5;
    outcome = trial_run(bench, &trial);
    bench_note_varying(bench, &trial, &outcome);
    tell_trial(bench, &trial, &outcome);
    outcome_free(&outcome);
    if (outcome.end.late && job_signal() == 0)
        return tool_complain("the program took %.1f s, and then more than %.1f s, also without any "
                             "change: it cannot be told whether a run hangs; try it on a machine "
                             "that is less busy",
                             bench->plain, outcome.end.seconds);
    return outcome.ended_otherwise && job_signal() == 0
               ? tool_complain("the program ends with another exit status each time, also without "
                               "any change: it cannot be checked")
               : TOOL_OK;
}

/* Seconds for a run in which about so many changes are made. */
static double limit_of(const bench_t *bench, int64_t changes)
{
    static const double start = 5, change = 1;
    if (bench->options->check_limit > 0)
        return bench->options->check_limit;
    return LIMIT_TIMES * bench->plain + start +
           change * (double)(changes > CHANGES ? changes : CHANGES);
}

/* A schedule without a change. */
static trial_t unchanged(const bench_t *bench)
{
    char path[TOOL_PATH_MAX];
    schedule_write(bench_path(bench, "schedule", path), &bench->reference, NULL, 0);
    return (trial_t){.way = UNCHANGED, .limit = limit_of(bench, 0)};
}

/* What keeps it from being checked, in a line; 0: nothing. (A status may be a result, which it has
 * come to behind its loops.) */
static int find_obstacle(const bench_t *bench, const story_t *story)
{
    int pinned = 0;
    if (bench->status != 0 && (story->begun == 0 || story->ended < story->begun))
        return tool_complain("the program ends with status %d without any change; nothing was "
                             "checked",
                             bench->status);
    if (!story->adaptive)
        return tool_complain("the program has no adaptive loop that could be checked; xmpicc makes "
                             "it adaptive, with #pragma xmpi loop");
    for (int i = 0; i < story->loops; i++) {
        const loop_t *loop = &story->loop[i];
        pinned += loop->pinned[0] != '\0';
        if (loop->pinned[0] != '\0')
            tool_complain("%s keeps its processes and cannot be checked: %s", loop->name,
                          loop->pinned);
    }
    return pinned == story->loops ? TOOL_MISUSED : TOOL_OK;
}

typedef void note_t(bench_t *, const trial_t *, const outcome_t *);

/* Has NOTE take what comes of the N trials. */
static void run_for(bench_t *bench, const trial_t *trial, int n, note_t *note)
{
    for (int i = 0; i < n && job_signal() == 0; i++) {
        outcome_t outcome = trial_run(bench, &trial[i]);
        if (!outcome.ended_otherwise)
            note(bench, &trial[i], &outcome);
        outcome_free(&outcome);
    }
}

static bool text_differs(const outcome_t *outcome)
{
    return outcome->output.sameness == DIFFERENT || outcome->errors.sameness == DIFFERENT ||
           outcome->files.sameness == DIFFERENT;
}

/* What differs in OUTCOME may do so by itself, which two runs need not have shown. Times of which
 * few digits are printed, or the slowest rank, may be the same in each run of the program as it is,
 * and others where changes take their time: so first one and then another of its processes is held
 * up, as long as that, and longer than a second; only the FIRST time, as it takes its time. */
static void look_again(bench_t *bench, const outcome_t *outcome, bool first)
{
    const bool hold = first && text_differs(outcome) && outcome->data.sameness != DIFFERENT;
    const double longer = 1.5 * (outcome->end.seconds - bench->plain);
    const double held = hold ? fmin(fmax(1.5, longer), 10) : 0;
    const double limit = limit_of(bench, 0) + held;
    trial_t again = unchanged(bench);
    again.held = held;
    again.who = FAMILY_LAST;
    again.limit = limit;
    const trial_t trials[] = {
        {.way = AS_IT_IS, .held = held, .who = FAMILY_FIRST, .limit = limit},
        again,
        {.way = AS_IT_IS, .held = held, .who = FAMILY_LAST, .limit = limit},
    };
    run_for(bench, trials, hold ? 3 : 2, bench_note_varying);
}

/* The run whose data are the measure; whether it does what the program does as it is. */
static int run_unchanged(bench_t *bench, tally_t *tally)
{
    trial_t trial = unchanged(bench);
    outcome_t outcome = trial_judge(bench, &trial);
    if (!outcome.end.late)
        bench_note_unchanged(bench);
    if (outcome_effect(&outcome) == DIFFERENT && !outcome.ended_otherwise && job_signal() == 0) {
        look_again(bench, &outcome, true);
        outcome_free(&outcome);
        outcome = trial_run(bench, &trial);
    }
    if (job_signal() != 0)
        return TOOL_FAILED;
    if (outcome.ended_otherwise && outcome.end.status == TOOL_MISUSED && !outcome.story.adaptive)
        return tool_complain("%s", outcome.told); /* a setting that it does not take */
    tell_trial(bench, &trial, &outcome);
    if (outcome.untold)
        return tell_untold(bench, &outcome);
    bench->reference = outcome.story;
    bench->text_tolerance =
        bench->tolerance > 0 ? bench->tolerance : data_tolerance(&bench->reference);
    int status = outcome.ended_otherwise ? TOOL_OK : find_obstacle(bench, &outcome.story);
    if (status == TOOL_OK && outcome_worst(&outcome) == DIFFERENT) {
        *tally =
            (tally_t){.different = true, .effect = DIFFERENT, .trial = trial, .outcome = outcome};
        tally->outcome.story = (story_t){0}; /* it is the reference */
        return TOOL_FAILED;
    }
    return status;
}

/* --- at random ---------------------------------------------------------------------------------
 */

static int64_t all_iterations(const story_t *story)
{
    int64_t all = 0;
    for (int i = 0; i < story->loops; i++)
        all += story->loop[i].iterations;
    return all;
}

/* Iterations between two changes, so that there are some in each run; short loops have their turn,
 * and changes do not always come in even iterations. */
static int64_t interval_of(const bench_t *bench, long seed)
{
    const story_t *story = &bench->reference;
    int64_t all = all_iterations(story), least = INT64_MAX;
    for (int i = 0; i < story->loops; i++) {
        if (story->loop[i].least > 1 && story->loop[i].least < least)
            least = story->loop[i].least;
    }
    int64_t often = all / MOST_CHANGES, some = all / (CHANGES + 1);
    if (seed % 2 == 0 && least < INT64_MAX && some > least / 3)
        some = least / 3 > often ? least / 3 : often;
    some -= (seed / 2) % (some / 4 + 1);
    return some > 0 ? some : 1;
}

/* Every second run is not checked: as it will run when it is used. */
static trial_t trial_of(const bench_t *bench, const char *backend, long seed)
{
    const char *said = getenv("XMPI_INTERVAL"); /* --interval */
    long long interval = said != NULL ? atoll(said) : interval_of(bench, seed);
    return (trial_t){.way = AT_RANDOM,
                     .backend = backend,
                     .seed = seed,
                     .checked = seed % 2 == 1,
                     .interval = interval,
                     .limit = limit_of(bench, all_iterations(&bench->reference) /
                                                  (interval > 0 ? interval : 1))};
}

static void take_rounded(const char *what, const comparison_t *comparison, tally_t *tally)
{
    if (comparison->sameness != ROUNDED ||
        (comparison->largest <= tally->largest && tally->where[0] != '\0'))
        return;
    tally->largest = comparison->largest;
    snprintf(tally->where, sizeof tally->where, "%s%s%.80s", what,
             comparison->text[0] != '\0' ? " " : "", comparison->text);
}

static void count_checks(const story_t *from, story_t *to)
{
    for (int i = 0; i < from->loops; i++)
        for (int k = 0; k < to->loops; k++)
            if (strcmp(from->loop[i].name, to->loop[k].name) == 0)
                to->loop[k].checks += from->loop[i].checks;
}

static void count(const outcome_t *outcome, long long interval, tally_t *tally)
{
    const story_t *story = &outcome->story;
    tally->runs++;
    tally->changes += story->done;
    if (story->called_off > 0 && tally->called_off == 0)
        memcpy(tally->why_called_off, story->why_called_off, sizeof tally->why_called_off);
    tally->called_off += story->called_off;
    if (story->why_kept[0] != '\0')
        memcpy(tally->why_kept, story->why_kept, sizeof tally->why_kept);
    if (outcome->told[0] != '\0')
        snprintf(tally->told, sizeof tally->told, "; %s", outcome->told + strlen("xmpi: "));
    if (tally->runs == 1 || interval < tally->least_interval)
        tally->least_interval = interval;
    tally->equal += story->equal;
    tally->unchecked += story->unchecked;
    tally->rounded += outcome_worst(outcome) == ROUNDED;
    take_rounded("the output", &outcome->output, tally);
    take_rounded("the file", &outcome->files, tally);
    take_rounded("the data", &outcome->data, tally);
    if (story->unchecked > 0)
        snprintf(tally->why_unchecked, sizeof tally->why_unchecked, "%s", story->why_unchecked);
}

/* What it comes to without changes where it rounds in another direction. */
static void look_at_rounding(bench_t *bench)
{
    static const char *const directions[] = {"up", "down"};
    for (int i = 0; i < 2; i++) {
        trial_t trials[] = {{.way = AS_IT_IS, .limit = limit_of(bench, 0)}, unchanged(bench)};
        trials[0].rounding = trials[1].rounding = directions[i];
        run_for(bench, trials, 2, bench_note_spread);
    }
}

/* What differs may do so by itself; or, where the SOLVER's iterations were checked and equal, by as
 * much as it does without changes where it rounds in another direction. (With another number of
 * processes it may be another one for other reasons.) OUTCOME is that of another run then. Whether
 * more was seen to vary by itself. FIRST: that was not asked in vain before. */
static bool doubt(bench_t *bench, const trial_t *trial, bool solver, bool first, outcome_t *outcome)
{
    int before = bench_varying(bench);
    look_again(bench, outcome, first);
    bool more = bench_varying(bench) > before;
    if (!more && solver)
        look_at_rounding(bench);
    outcome_free(outcome);
    *outcome = trial_run(bench, trial);
    return more;
}

/* Keeps the run that shows most. */
static void keep(tally_t *tally, const trial_t *trial, outcome_t *outcome)
{
    sameness_t effect = outcome_effect(outcome);
    bool different = outcome_worst(outcome) == DIFFERENT;
    if (outcome->story.different > 0 && tally->found++ == 0)
        snprintf(tally->why_different, sizeof tally->why_different, "%s",
                 outcome->story.why_different);
    if (!different || (tally->different && (effect != DIFFERENT || tally->effect == DIFFERENT))) {
        outcome_free(outcome);
        return;
    }
    outcome_free(&tally->outcome);
    tally->different = true;
    tally->effect = effect;
    tally->trial = *trial;
    tally->outcome = *outcome;
}

/* One run; whether another one of this backend makes sense: what a check has found is to be seen in
 * a run that is not checked. */
static bool run_at_random(bench_t *bench, trial_t *trial, tally_t *tally)
{
    outcome_t outcome = trial_judge(bench, trial);
    while (job_signal() == 0 && outcome_worst(&outcome) == DIFFERENT && !outcome.ended_otherwise &&
           outcome.story.different == 0 && tally->in_vain < DOUBTS && tally->doubts++ < MOST_DOUBTS)
        tally->in_vain +=
            !doubt(bench, trial, tally->found == 0 && tally->equal + outcome.story.equal > 0,
                   tally->in_vain == 0, &outcome);
    if (job_signal() != 0 || outcome.no_spawn) {
        tally->spawns_not = tally->spawns_not || outcome.no_spawn;
        outcome_free(&outcome);
        return false;
    }
    bool different = outcome_effect(&outcome) == DIFFERENT;
    tell_trial(bench, trial, &outcome);
    if (outcome.untold) {
        tally->untold = tell_untold(bench, &outcome);
        outcome_free(&outcome);
        return false;
    }
    count(&outcome, trial->interval, tally);
    count_checks(&outcome.story, &bench->reference);
    keep(tally, trial, &outcome);
    return !different;
}

/* A hang takes long: one is enough. */
static void run_all_at_random(bench_t *bench, tally_t *tally)
{
    static const char *const backends[] = {"spawn", "pool"};
    for (int i = strcmp(bench->reference.backend, "spawn") != 0; i < 2; i++)
        for (long seed = 1; seed <= bench->options->check; seed++) {
            trial_t trial = trial_of(bench, backends[i], seed);
            if (job_signal() != 0 || tally->untold != 0 ||
                (tally->different && tally->outcome.end.late) ||
                !run_at_random(bench, &trial, tally))
                break;
        }
}

/* --- what came of it ---------------------------------------------------------------------------
 */

static const char *plural(int n)
{
    return n == 1 ? "" : "s";
}

/* (What is known of data are sums over them, which bits may not show in.) */
static void tell_rounded(const bench_t *bench, const tally_t *tally)
{
    char by[48] = "in single bits";
    if (tally->largest > 0)
        snprintf(by, sizeof by, "by up to %.2g", tally->largest);
    printf("rounded: %d run%s differ%s %s (%s), as %s\n", tally->rounded, plural(tally->rounded),
           tally->rounded == 1 ? "s" : "", by, tally->where,
           bench->spread ? "the program does by itself where it rounds up or down"
                         : "sums do that are made in another order");
}

static void tell_same(const bench_t *bench, const tally_t *tally)
{
    if (strcmp(bench->reference.backend, "spawn") != 0 || tally->spawns_not)
        printf("not tried: spawned processes, which this MPI has not\n");
    for (int i = 0; i < bench->reference.loops; i++)
        if (bench->reference.loop[i].iterations < 2)
            printf("not tried: changes of %s, which makes %lld iteration%s here\n",
                   bench->reference.loop[i].name, (long long)bench->reference.loop[i].iterations,
                   plural((int)bench->reference.loop[i].iterations));
    if (tally->unchecked > 0)
        printf("not checked: iterations at %d of the changes: %s\n", tally->unchecked,
               tally->why_unchecked);
    if (tally->rounded > 0)
        tell_rounded(bench, tally);
    if (bench->status != 0)
        printf("exit status: %d, without any change as well\n", bench->status);
    printf("same: %d change%s in %d run%s made no difference\n", tally->changes,
           plural(tally->changes), tally->runs, plural(tally->runs));
}

static void find_cause(bench_t *bench, const tally_t *tally)
{
    const trial_t *trial = &tally->trial;
    const story_t *story = &tally->outcome.story;
    if (trial->way != AT_RANDOM || story->changes == 0)
        return;
    reduction_t reduction = reduce(bench, trial, &tally->outcome, fmax(30, 20 * bench->plain));
    if (job_signal() == 0)
        tell_reduction(bench, trial, story, &reduction);
    reduction_free(&reduction);
}

/* The runtime knows why, where it came to a decision at all; what keeps a single process, that one
 * says itself. */
static int explain_none(const tally_t *tally)
{
    if (tally->called_off > 0)
        return tool_complain("no change was made, %d %s called off: %s", tally->called_off,
                             tally->called_off == 1 ? "was" : "were", tally->why_called_off);
    if (tally->why_kept[0] != '\0')
        return tool_complain("no change was made: %s%s", tally->why_kept, tally->told);
    return tool_complain("no change was made: the loop is over too soon, or its iterations cannot "
                         "be counted%s",
                         tally->least_interval > 1 ? "; try --interval=1" : "");
}

static int conclude(bench_t *bench, tally_t *tally)
{
    printf("\n");
    tell_varying(bench);
    if (!tally->different && tally->changes == 0)
        return explain_none(tally);
    if (!tally->different) {
        tell_same(bench, tally);
        return TOOL_OK;
    }
    tell_difference(bench, &tally->trial, &tally->outcome);
    if (tally->found > 0)
        printf("  check: %s\n", tally->why_different);
    if (tally->effect != DIFFERENT && tally->runs > tally->found)
        printf("  nothing came out differently, in %d run%s without what the check found\n",
               tally->runs - tally->found, plural(tally->runs - tally->found));
    fflush(stdout);
    find_cause(bench, tally);
    outcome_free(&tally->outcome);
    return TOOL_FAILED;
}

static int run_trials(bench_t *bench)
{
    tally_t tally = {.runs = 0};
    int status = run_as_it_is(bench);
    if (status == TOOL_OK && job_signal() == 0)
        status = run_unchanged(bench, &tally);
    if (status == TOOL_OK)
        run_all_at_random(bench, &tally);
    if (job_signal() != 0)
        return 128 + job_signal();
    if (tally.untold != 0 && !tally.different)
        return tally.untold;
    return status == TOOL_OK || tally.different ? conclude(bench, &tally) : status;
}

int check(const options_t *options)
{
    static bench_t bench;
    job_prepare();
    bench_open(&bench, options);
    int more = options->processes > 4 ? 4 : options->processes < 2 ? 2 : options->processes;
    bench.most = options->processes + (options->spares > 0 ? options->spares : more);
    const char *most = getenv("XMPI_MAX");
    if (options->spares == 0 && most != NULL && atoi(most) > options->processes)
        bench.most = atoi(most);
    tell_begin(&bench);
    int status = run_trials(&bench);
    bench_close(&bench);
    return status;
}
