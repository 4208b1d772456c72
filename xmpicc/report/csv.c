/* SPDX-License-Identifier: BSD-3-Clause
 * A trace as comma-separated values. */
#include <string.h>

#include "tool/tool.h"
#include "write.h"

static const char *const of_interval[] = {"number", "iteration", "iterations", "time", "seconds"};
static const char *const of_member[] = {"count",       "displ", "work",
                                        "computation", "cpu",   "communication"};

static void write_number(double value, FILE *file)
{
    fprintf(file, "%.15g", value);
}

/* Quoted where it must be (RFC 4180). */
static void write_text(const char *text, FILE *file)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text != '\0'; text++)
        fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', file);
}

static void write_member(const cJSON *interval, int rank, const cJSON *member, FILE *file)
{
    for (size_t i = 0; i < sizeof of_interval / sizeof *of_interval; i++) {
        write_number(event_number(interval, of_interval[i]), file);
        fputc(',', file);
    }
    fprintf(file, "%d,%.0f,", rank, event_number(member, "process"));
    write_text(event_text(member, "node"), file);
    fputc(',', file);
    write_text(event_text(member, "class"), file);
    for (size_t i = 0; i < sizeof of_member / sizeof *of_member; i++) {
        fputc(',', file);
        write_number(event_number(member, of_member[i]), file);
    }
    member_times_t times = event_member_times(member);
    const cJSON *predicted = cJSON_GetObjectItemCaseSensitive(interval, "predicted");
    fputc(',', file);
    write_number(times.waiting, file);
    fputc(',', file);
    write_number(times.io, file);
    fputc(',', file);
    if (predicted != NULL)
        write_number(event_number(predicted, "total"), file);
    fputc('\n', file);
}

int write_csv(const events_t *events, FILE *file)
{
    const cJSON *event, *member;
    fputs("interval,iteration,iterations,time,seconds,rank,process,node,class,count,displ,work,"
          "computation,cpu,communication,waiting,io,predicted\n",
          file);
    cJSON_ArrayForEach(event, events->list)
    {
        int rank = 0;
        if (event_is(event, "interval"))
            cJSON_ArrayForEach(member, cJSON_GetObjectItemCaseSensitive(event, "members"))
                write_member(event, rank++, member, file);
    }
    return TOOL_OK;
}
