/* SPDX-License-Identifier: BSD-3-Clause
 * How xmpictl shows jobs to people. */
#include "show.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int members_of(const cJSON *status)
{
    return cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(status, "members"));
}

/* "120/500", or "120" where the end is not known. */
static const char *iteration_of(const cJSON *status, char *text, size_t room)
{
    double whole = job_number(status, "iterations");
    if (whole > 0)
        snprintf(text, room, "%.0f/%.0f", job_number(status, "iteration"), whole);
    else
        snprintf(text, room, "%.0f", job_number(status, "iteration"));
    return text;
}

void show_list(const found_t *found, int jobs)
{
    char text[64];
    printf("%-16s %-20s %8s %14s %10s  %s\n", "job", "program", "members", "iteration", "ms/iter",
           "policy");
    for (int i = 0; i < jobs; i++) {
        const cJSON *status = found[i].status;
        printf("%-16s %-20.20s %8d %14s %10.3g  %s\n", found[i].name, job_text(status, "program"),
               members_of(status), iteration_of(status, text, sizeof text),
               1e3 * job_number(status, "iteration_seconds"), job_text(status, "policy"));
    }
}

void show_line(const cJSON *status)
{
    char text[64];
    printf("%8.1f s  iteration %-14s %3d members  %8.4g ms per iteration  efficiency %3.0f %%%s\n",
           job_number(status, "seconds"), iteration_of(status, text, sizeof text),
           members_of(status), 1e3 * job_number(status, "iteration_seconds"),
           100 * job_number(status, "efficiency"),
           cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(status, "over")) ? "  the loop has ended"
                                                                          : "");
    fflush(stdout);
}

static void show_members(const cJSON *status)
{
    const cJSON *member;
    int rank = 0;
    printf("\n%4s %8s %5s %-16s %-10s %12s %12s %12s\n", "rank", "process", "PE", "node", "class",
           "first row", "rows", "computation");
    cJSON_ArrayForEach(member, cJSON_GetObjectItemCaseSensitive(status, "members"))
    {
        printf("%4d %8.0f %5.0f %-16.16s %-10.10s %12.0f %12.0f %10.4g s\n", rank++,
               job_number(member, "process"), job_number(member, "pe"), job_text(member, "node"),
               job_text(member, "class"), job_number(member, "displ"), job_number(member, "count"),
               job_number(member, "computation"));
    }
}

/* Those that members could go to. */
static void show_idle(const cJSON *status)
{
    const cJSON *idle, *list = cJSON_GetObjectItemCaseSensitive(status, "idle");
    double more = job_number(status, "idles") - cJSON_GetArraySize(list);
    if (cJSON_GetArraySize(list) == 0)
        return;
    printf("\n%4s %8s %5s %-16s %-10s %12s %12s\n", "idle", "", "PE", "node", "class", "work per s",
           "seen before");
    cJSON_ArrayForEach(idle, list)
    {
        printf("%13s %5.0f %-16.16s %-10.10s", "", job_number(idle, "pe"), job_text(idle, "node"),
               job_text(idle, "class"));
        if (job_number(idle, "speed") > 0)
            printf(" %12.4g %10.1f s", job_number(idle, "speed"), job_number(idle, "age"));
        printf("\n");
    }
    if (more > 0)
        printf("and %.0f more\n", more);
}

/* When the next decision is made, and what it is expected to be. */
static void show_outlook(const cJSON *status)
{
    double next = job_number(status, "next_decision");
    if (next > 0)
        printf("next decision after iteration %.0f: %s\n", next, job_text(status, "outlook"));
}

/* As the list has it: a socket that is called otherwise has no number. */
static void show_name(const char *path)
{
    const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    size_t length = strspn(name, "0123456789");
    if (length > 0 && strcmp(name + length, ".sock") == 0)
        printf("job           %.*s\n", (int)length, name);
    else
        printf("job           %s\n", path);
}

void show_status(const cJSON *status, const char *name)
{
    char text[64];
    show_name(name);
    printf("program       %s (process %.0f leads)\n", job_text(status, "program"),
           job_number(status, "pid"));
    printf("loop          %s\n",
           job_text(status, "loop")[0] != '\0' ? job_text(status, "loop") : "not begun yet");
    printf("iteration     %s, %.4g ms each, %.1f s so far\n",
           iteration_of(status, text, sizeof text), 1e3 * job_number(status, "iteration_seconds"),
           job_number(status, "seconds"));
    printf("members       %d, at most %.0f\n", members_of(status),
           job_number(status, "max_members"));
    printf("efficiency    %.0f %%\n", 100 * job_number(status, "efficiency"));
    printf("policy        %s\n", job_text(status, "policy"));
    printf("changes       %.0f, %.3g s in all\n", job_number(status, "reconfigurations"),
           job_number(status, "reconfiguration_seconds"));
    if (job_number(status, "cost") > 0)
        printf("cost          %.4g units\n", job_number(status, "cost"));
    if (job_text(status, "decision")[0] != '\0')
        printf("last decision %s\n", job_text(status, "decision"));
    if (job_text(status, "keeps")[0] != '\0')
        printf("kept          as it is until this loop ends: %s\n", job_text(status, "keeps"));
    show_outlook(status);
    printf("trace         %s\n",
           job_text(status, "trace")[0] != '\0' ? job_text(status, "trace") : "off");
    show_members(status);
    show_idle(status);
}

void show_worth(const cJSON *worth)
{
    const cJSON *option, *options = cJSON_GetObjectItemCaseSensitive(worth, "worth");
    double now = job_number(worth, "members");
    if (cJSON_GetArraySize(options) == 0)
        printf("the job keeps its %.0f members\n", now);
    else
        printf("%8s %16s\n", "members", "seconds to go");
    cJSON_ArrayForEach(option, options)
    {
        double members = job_number(option, "members");
        bool is_now = !(members < now) && !(members > now);
        printf("%8.0f %16.4g%s\n", members, job_number(option, "seconds"),
               is_now ? "  as it is" : "");
    }
    if (cJSON_GetObjectItemCaseSensitive(worth, "due") != NULL)
        printf("it should be done in %.4g s\n", job_number(worth, "due"));
}

void show_log(const cJSON *log)
{
    const cJSON *line;
    cJSON_ArrayForEach(line, cJSON_GetObjectItemCaseSensitive(log, "lines"))
    {
        double request = job_number(line, "request");
        bool refused = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(line, "refused"));
        printf("%10.1f s  iteration %-8.0f ", job_number(line, "time"),
               job_number(line, "iteration"));
        if (request > 0)
            printf("request %.0f%s: ", request, refused ? " refused" : "");
        printf("%s\n", job_text(line, "text"));
    }
    fflush(stdout);
}

/* --- who sends how much to whom ----------------------------------------------------------------
 */

enum { TABLE_MAX = 16, PAIRS = 20 }; /* ranks of a whole table; else the pairs that are shown */

typedef struct {
    int rank, peer;
    double messages, bytes;
} pair_t;

/* All pairs; malloc. At N how many; at REST the bytes of those that are not listed. */
static pair_t *pairs_of(const cJSON *matrix, int *n, double *rest)
{
    const cJSON *row, *rows = cJSON_GetObjectItemCaseSensitive(matrix, "rows");
    pair_t *pairs = NULL;
    *n = 0;
    *rest = 0;
    cJSON_ArrayForEach(row, rows)
    {
        const cJSON *peer, *peers = cJSON_GetObjectItemCaseSensitive(row, "peers");
        const cJSON *messages = cJSON_GetObjectItemCaseSensitive(row, "messages");
        const cJSON *bytes = cJSON_GetObjectItemCaseSensitive(row, "bytes");
        const cJSON *m = messages != NULL ? messages->child : NULL;
        const cJSON *b = bytes != NULL ? bytes->child : NULL;
        pair_t *more =
            realloc(pairs, ((size_t)*n + (size_t)cJSON_GetArraySize(peers) + 1) * sizeof *more);
        if (more == NULL)
            break;
        pairs = more;
        *rest += job_number(row, "rest");
        cJSON_ArrayForEach(peer, peers)
        {
            if (m == NULL || b == NULL)
                break;
            pairs[(*n)++] = (pair_t){.rank = (int)job_number(row, "rank"),
                                     .peer = (int)peer->valuedouble,
                                     .messages = m->valuedouble,
                                     .bytes = b->valuedouble};
            m = m->next;
            b = b->next;
        }
    }
    return pairs;
}

static int by_bytes(const void *a, const void *b)
{
    double x = ((const pair_t *)a)->bytes, y = ((const pair_t *)b)->bytes;
    return (x < y) - (x > y);
}

static void show_pairs(pair_t *pairs, int n)
{
    if (n > 0)
        qsort(pairs, (size_t)n, sizeof *pairs, by_bytes);
    printf("%6s %6s %12s %14s\n", "from", "to", "messages", "bytes");
    for (int i = 0; i < n && i < PAIRS; i++)
        printf("%6d %6d %12.0f %14.0f\n", pairs[i].rank, pairs[i].peer, pairs[i].messages,
               pairs[i].bytes);
    if (n > PAIRS)
        printf("and %d pairs more: xmpictl matrix --json has them\n", n - PAIRS);
}

/* Bytes, from the rank of the line to the rank of the column. */
static void show_table(const pair_t *pairs, int n, int members)
{
    double bytes[TABLE_MAX][TABLE_MAX] = {{0}};
    for (int i = 0; i < n; i++)
        if (pairs[i].rank >= 0 && pairs[i].rank < members && pairs[i].peer >= 0 &&
            pairs[i].peer < members)
            bytes[pairs[i].rank][pairs[i].peer] = pairs[i].bytes;
    printf("%4s", "");
    for (int i = 0; i < members; i++)
        printf(" %9d", i);
    for (int i = 0; i < members; i++) {
        printf("\n%4d", i);
        for (int k = 0; k < members; k++)
            bytes[i][k] > 0 ? printf(" %9.4g", bytes[i][k]) : printf(" %9s", ".");
    }
    printf("\n");
}

void show_matrix(const cJSON *matrix)
{
    int n, members = (int)job_number(matrix, "members");
    double rest;
    pair_t *pairs = pairs_of(matrix, &n, &rest);
    printf("bytes that ranks sent to others in the last %.0f of %.0f iterations\n",
           job_number(matrix, "iterations"), job_number(matrix, "iteration"));
    if (members <= TABLE_MAX)
        show_table(pairs, n, members);
    else
        show_pairs(pairs, n);
    if (rest > 0)
        printf("%.0f bytes to others that are not listed\n", rest);
    free(pairs);
}
