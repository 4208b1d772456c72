/* SPDX-License-Identifier: BSD-3-Clause
 * The status of a job in one line, and the summary at its end. */
#include "line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tool/job.h"

enum { BAR = 20 };

/* "[########            ] 40 %  12 s left", or the number of iterations where the end is not known.
 */
static void add_progress(const cJSON *status, char *text, size_t room)
{
    double done = job_number(status, "iteration"), whole = job_number(status, "iterations");
    double left = (whole - done) * job_number(status, "iteration_seconds");
    char bar[BAR + 1];
    if (whole <= 0) {
        snprintf(text, room, "iteration %.0f", done);
        return;
    }
    int filled = (int)(BAR * (done < whole ? done / whole : 1));
    memset(bar, ' ', BAR);
    memset(bar, '#', (size_t)filled);
    bar[BAR] = '\0';
    snprintf(text, room, "[%s] %3.0f %%, %.0f s left", bar, 100 * done / whole,
             left > 0 ? left : 0);
}

void line_of(const cJSON *status, int columns, char *text, size_t room)
{
    char progress[80];
    const cJSON *members = cJSON_GetObjectItemCaseSensitive(status, "members");
    add_progress(status, progress, sizeof progress);
    snprintf(text, room, "%s | %d members | %.4g ms per iteration | efficiency %.0f %% | %s%s",
             progress, cJSON_GetArraySize(members), 1e3 * job_number(status, "iteration_seconds"),
             100 * job_number(status, "efficiency"), job_text(status, "policy"),
             job_text(status, "decision")[0] != '\0' ? " | " : "");
    size_t used = strlen(text);
    snprintf(text + used, room - used, "%s", job_text(status, "decision"));
    if (columns > 1 && (size_t)columns - 1 < strlen(text))
        text[columns - 1] = '\0'; /* the last column would scroll the terminal */
}

static void print_saving(const cJSON *loop)
{
    double seconds = job_number(loop, "seconds"), fixed = job_number(loop, "static_seconds");
    if (fixed > 0)
        fprintf(stderr, "  without adaptation  %.4g s as predicted: %.1f %% %s\n", fixed,
                100 * fabs(1 - seconds / fixed), seconds <= fixed ? "saved" : "lost");
}

/* Of whole intervals: the errors by phase are in the trace, and with --summary 1. */
static void print_model(const cJSON *loop)
{
    const cJSON *model = cJSON_GetObjectItemCaseSensitive(loop, "model");
    const cJSON *error = cJSON_GetObjectItemCaseSensitive(model, "interval");
    if (error != NULL)
        fprintf(stderr, "  predictions         off by %.1f %% in the mean of %.0f intervals\n",
                job_number(error, "mean"), job_number(error, "n"));
}

static void print_loop(const cJSON *loop)
{
    const cJSON *members = cJSON_GetObjectItemCaseSensitive(loop, "members");
    fprintf(stderr, "xmpi: %s, loop at %s\n", job_text(loop, "program"), job_text(loop, "loop"));
    fprintf(stderr, "  time                %.4g s for %.0f iterations; %d members at the end\n",
            job_number(loop, "seconds"), job_number(loop, "iteration"),
            cJSON_GetArraySize(members));
    print_saving(loop);
    fprintf(stderr, "  reconfigurations    %.0f, %.3g s in all\n",
            job_number(loop, "reconfigurations"), job_number(loop, "reconfiguration_seconds"));
    print_model(loop);
    if (job_number(loop, "cost") > 0)
        fprintf(stderr, "  cost                %.4g units\n", job_number(loop, "cost"));
    if (job_text(loop, "trace")[0] != '\0')
        fprintf(stderr, "  trace               %s (xmpi-report shows it)\n",
                job_text(loop, "trace"));
}

void summary_print(const course_t *course)
{
    const cJSON *loop;
    cJSON_ArrayForEach(loop, course->loops) print_loop(loop);
}
