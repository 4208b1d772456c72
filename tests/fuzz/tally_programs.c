/* SPDX-License-Identifier: BSD-3-Clause
 * What became of many programs. */
#include <stdio.h>
#include <string.h>

#include "fuzz/tally_programs.h"

void diagnostic_of(const verdict_t *verdict, char name[DIAGNOSTIC])
{
    const char *at = strstr(verdict->why, "[xmpi-");
    snprintf(name, DIAGNOSTIC, "%.*s", at != NULL ? (int)strcspn(at, "]") + 1 : 0,
             at != NULL ? at : "");
}

static void add_reason(tally_t *tally, uint64_t seed, const char *text)
{
    int i = 0;
    while (i < MAX_REASONS - 1 && tally->reason[i].times > 0 &&
           strcmp(tally->reason[i].text, text) != 0)
        i++;
    reason_t *reason = &tally->reason[i];
    if (reason->times++ == 0) {
        snprintf(reason->text, sizeof reason->text, "%s", text);
        reason->seed = seed;
    }
}

void tally_add(tally_t *tally, uint64_t seed, bool right, const verdict_t verdicts[MAX_CHECKS])
{
    tally->programs[!right]++;
    for (int i = 0; i < MAX_CHECKS && tally->checks[i] != NULL; i++) {
        const verdict_t *verdict = &verdicts[i];
        char text[REASON], name[DIAGNOSTIC];
        tally->of[i][!right][verdict->outcome]++;
        bool again = i > 0 && verdict->outcome == verdicts[0].outcome; /* a refusal is one */
        if (verdict->outcome == SAME || (again && verdict->outcome == REFUSED))
            continue;
        diagnostic_of(verdict, name);
        snprintf(text, sizeof text, "%-5s  %s  %s %s", tally->checks[i], right ? "right" : "wrong",
                 outcome_names[verdict->outcome], name);
        add_reason(tally, seed, text);
    }
}

static void print_reasons(const tally_t *tally)
{
    for (int i = 0; i < MAX_REASONS && tally->reason[i].times > 0; i++)
        printf("%7ld  %s (seed %llu)\n", tally->reason[i].times, tally->reason[i].text,
               (unsigned long long)tally->reason[i].seed);
}

static void print_check(const tally_t *tally, int check)
{
    const long(*of)[OUTCOMES] = tally->of[check];
    long all = tally->programs[0] + tally->programs[1], silent = of[0][SILENT] + of[1][SILENT];
    printf("XMPI_CHECK=%s\n", tally->checks[check]);
    for (int i = 0; i < OUTCOMES; i++)
        if (of[0][i] + of[1][i] > 0)
            printf("  %-16s %7ld right %7ld with a wrong turn\n", outcome_names[i], of[0][i],
                   of[1][i]);
    if (strcmp(tally->checks[check], "off") == 0) {
        printf("figure\tcheck.silent_unchecked_percent\t%.4g\n",
               all > 0 ? 100.0 * (double)silent / (double)all : 0);
        return;
    }
    printf("figure\tcheck.silent\t%ld\n", silent);
    printf("figure\tcheck.false_alarms\t%ld\n", of[0][REPORTED] + of[0][SPOILT]);
}

void tally_print(const tally_t *tally)
{
    print_reasons(tally);
    printf("programs: %ld right, %ld with a wrong turn\n", tally->programs[0], tally->programs[1]);
    for (int i = 0; i < MAX_CHECKS && tally->checks[i] != NULL; i++)
        print_check(tally, i);
}

long tally_silent(const tally_t *tally)
{
    long silent = 0;
    for (int i = 0; i < MAX_CHECKS; i++)
        silent += tally->of[i][0][SILENT] + tally->of[i][1][SILENT];
    return silent;
}
