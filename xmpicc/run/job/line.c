/* SPDX-License-Identifier: BSD-3-Clause
 * The status of a job in one line, and the summary at its end. */
#include "line.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/job.h"

enum { BAR = 20, NARROW_BAR = 8, WIDE = 110 /* columns */, PART = 160 };

/* Iterations completed SECONDS after STATUS came: those that it tells, and what the members can
 * have done since; no more than is certain before the next news. */
static double iteration_now(const cJSON *status, double seconds)
{
    double told = job_number(status, "iteration"), each = job_number(status, "iteration_seconds");
    double next = job_number(status, "next_decision");
    double now = told + (each > 0 ? floor(seconds / each) : 0);
    return next <= 0 ? told : now < next ? now : next;
}

/* "[########            ]  40 %, 12 s left", or the number of iterations where the end is not
 * known. */
static void add_progress(const cJSON *status, double done, int width, char *text, size_t room)
{
    double whole = job_number(status, "iterations");
    double left = (whole - done) * job_number(status, "iteration_seconds");
    char bar[BAR + 1];
    if (whole <= 0) {
        snprintf(text, room, "iteration %.0f", done);
        return;
    }
    double share = done < whole ? done / whole : 1;
    memset(bar, ' ', (size_t)width);
    memset(bar, '#', (size_t)(width * share));
    bar[width] = '\0';
    snprintf(text, room, "[%s] %3.0f %%, %.0f s left", bar, floor(100 * share),
             left > 0 ? left : 0);
}

/* "next decision in 12 iterations: no change". */
static void add_next(const cJSON *status, double done, bool wide, char *text, size_t room)
{
    double next = job_number(status, "next_decision");
    const char *outlook = job_text(status, "outlook");
    text[0] = '\0';
    if (next <= 0 || job_text(status, "policy")[0] == '\0')
        return;
    if (wide)
        snprintf(text, room, " | next decision in %.0f iterations: %s", next - done, outlook);
    else
        snprintf(text, room, " | next in %.0f: %s", next - done, outlook);
}

void line_of(const cJSON *status, double seconds, int columns, char *text, size_t room)
{
    char progress[PART], next[2 * PART];
    bool wide = columns >= WIDE;
    double done = iteration_now(status, seconds);
    int members = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(status, "members"));
    add_progress(status, done, wide ? BAR : NARROW_BAR, progress, sizeof progress);
    add_next(status, done, wide, next, sizeof next);
    snprintf(text, room, "%s | %d member%s | %.4g ms %s | %s %.0f %%%s", progress, members,
             members == 1 ? "" : "s", 1e3 * job_number(status, "iteration_seconds"),
             wide ? "per iteration" : "each", wide ? "efficiency" : "eff.",
             100 * job_number(status, "efficiency"), next);
    if (columns > 1 && (size_t)columns - 1 < strlen(text))
        text[columns - 1] = '\0'; /* the last column would scroll the terminal */
}

/* What predictions of whole intervals were off by, in percent; NULL: there were none. */
static const cJSON *error_of(const cJSON *loop)
{
    const cJSON *model = cJSON_GetObjectItemCaseSensitive(loop, "model");
    return cJSON_GetObjectItemCaseSensitive(model, "interval");
}

/* Nothing is claimed that was not seen, nor what predictions of this very loop may be off by. */
static void print_saving(const cJSON *loop)
{
    double seconds = job_number(loop, "seconds"), fixed = job_number(loop, "static_seconds");
    double percent = fixed > 0 ? 100 * fabs(1 - seconds / fixed) : 0;
    if (job_number(loop, "reconfigurations") < 1)
        return;
    fprintf(stderr, "  without adaptation  ");
    if (fixed <= 0)
        fprintf(stderr, "not known: too little was seen before the first change\n");
    else if (percent < job_number(error_of(loop), "mean"))
        fprintf(stderr, "%.4g s as predicted, which differs by less than predictions are off\n",
                fixed);
    else
        fprintf(stderr, "%.4g s as predicted: %.1f %% %s\n", fixed, percent,
                seconds <= fixed ? "saved" : "lost");
}

/* "1 equal, 2 not checked": whether changes were seen to change no result. (Processes that move as
 * they are change none.) */
static void print_checks(const cJSON *loop)
{
    static const char *const results[][2] = {
        {"equal", "equal"}, {"different", "different"}, {"not_checked", "not checked"}};
    const cJSON *checks = cJSON_GetObjectItemCaseSensitive(loop, "checks");
    const char *between = "  checks              ";
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        double n = job_number(checks, results[i][0]);
        if (n < 1)
            continue;
        fprintf(stderr, "%s%.0f %s", between, n, results[i][1]);
        between = ", ";
    }
    if (between[0] == ',')
        fputc('\n', stderr);
    else if (job_number(loop, "reconfigurations") >= 1 &&
             !cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(loop, "movable")))
        fprintf(stderr, "%snone (xmpirun --check tests the program)\n", between);
}

/* Of whole intervals: the errors by phase are in the trace, and with --summary 1. */
static void print_model(const cJSON *loop)
{
    const cJSON *error = error_of(loop);
    if (error != NULL)
        fprintf(stderr, "  predictions         off by %.1f %% in the mean of %.0f intervals\n",
                job_number(error, "mean"), job_number(error, "n"));
}

/* Of iterations that an earlier start of the program made no time is known here. */
static void print_time(const cJSON *loop)
{
    double from = job_number(loop, "from"), to = job_number(loop, "iteration");
    fprintf(stderr, "  time                %.4g s for %.0f iterations", job_number(loop, "seconds"),
            to - from);
    if (from > 0)
        fprintf(stderr, " (%.0f to %.0f, from the checkpoint on)", from + 1, to);
}

/* HEARD: that it ended; else it is what was known before, of a job that ended well. */
static void print_loop(const cJSON *loop, bool heard)
{
    const cJSON *members = cJSON_GetObjectItemCaseSensitive(loop, "members");
    fprintf(stderr, "xmpi: %s, loop at %s\n", job_text(loop, "program"), job_text(loop, "loop"));
    print_time(loop);
    if (heard)
        fprintf(stderr, "; %d members at the end\n", cJSON_GetArraySize(members));
    else
        fprintf(stderr, ", then with %d members; nothing was heard of the rest\n",
                cJSON_GetArraySize(members));
    print_saving(loop);
    fprintf(stderr, "  reconfigurations    %.0f, %.3g s in all\n",
            job_number(loop, "reconfigurations"), job_number(loop, "reconfiguration_seconds"));
    print_checks(loop);
    print_model(loop);
    if (job_number(loop, "cost") > 0)
        fprintf(stderr, "  cost                %.4g units\n", job_number(loop, "cost"));
    if (job_text(loop, "trace")[0] != '\0')
        fprintf(stderr, "  trace               %s (xmpi-report shows it)\n",
                job_text(loop, "trace"));
}

/* A job without a socket cannot be asked: what it did is not known. */
static const char *nothing_seen(const course_t *course)
{
    const char *policy = getenv("XMPI_POLICY"); /* --policy */
    if (!course->connected && policy != NULL && strcmp(policy, "off") == 0)
        return "the policy is off: the program ran as it is, without an adaptive loop";
    const char *control = getenv("XMPI_CONTROL"); /* --control */
    if (!course->connected && control != NULL && strcmp(control, "off") == 0)
        return "XMPI_CONTROL is off: nothing is known of what the job did";
    return course->connected
               ? "no adaptive loop was seen: it was over at once, or the program ran as it is "
                 "(xmpicc "
                 "makes it adaptive, with #pragma xmpi loop)"
               : "the job had no control socket, so that nothing is known of its loops: it is no "
                 "program "
                 "of xmpicc with #pragma xmpi loop, or it ended at once";
}

void summary_print(const course_t *course)
{
    const cJSON *loop;
    cJSON_ArrayForEach(loop, course->loops) print_loop(loop, true);
    if (course->unheard != NULL)
        print_loop(course->unheard, false);
    if (cJSON_GetArraySize(course->loops) == 0 && !course->reached)
        fprintf(stderr, "xmpirun: %s\n", nothing_seen(course));
}
