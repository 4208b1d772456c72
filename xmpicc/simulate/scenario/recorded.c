/* SPDX-License-Identifier: BSD-3-Clause
 * A program as a run of it was recorded. */
#include "simulate/scenario/recorded.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tool/events.h"
#include "tool/tool.h"

/* A share of the time that is as good as none. */
static const double negligible = 0.01;

/* Of a processing element. */
typedef struct {
    double work, seconds;
} pace_t;

/* A loop, as far as it has been read. */
typedef struct {
    sim_recorded_t program; /* its work in units of the counter, its messages in all */
    bool movable, watched;  /* it has no rows that are divided; or no iterations that are known */
    int64_t before;         /* iterations that were over when the trace began */
    int64_t last;           /* that were over at the end of the last interval, from then on */
    double seen;            /* iterations of all intervals */
    double seen_together;   /* of those with more than one member */
    double seconds;         /* of all intervals */
    double members;         /* seconds of all members, and of them for files */
    double files;
    bool unknown; /* there were operations whose messages are not told */
    int paces, points_room;
    pace_t *pace; /* of each PE; malloc */
} loop_t;

static void free_loop(loop_t *loop)
{
    sim_recorded_free(&loop->program);
    free(loop->pace);
}

/* Files may say anything. */
static int64_t whole(const cJSON *event, const char *name)
{
    static const double most = 1e15;
    return (int64_t)fmin(fmax(event_number(event, name), 0), most);
}

/* --- work --------------------------------------------------------------------------------------
 */

/* Work of a BLOCK goes to the parts of the domain that it is in. */
static void spread(xmpi_profile_parts_t *parts, double rows, const cJSON *member)
{
    double first = event_number(member, "displ"), count = event_number(member, "count");
    double work = event_number(member, "work"), part = rows / XMPI_PROFILE_PARTS;
    for (int i = 0; i < XMPI_PROFILE_PARTS && count > 0; i++) {
        double from = fmax(first, i * part), to = fmin(first + count, (i + 1) * part);
        if (to > from)
            parts->work[i] += work * (to - from) / count;
    }
}

static xmpi_status_t make_room(loop_t *loop)
{
    xmpi_profile_t *profile = &loop->program.profile;
    if (profile->points < loop->points_room)
        return XMPI_OK;
    int room = 2 * loop->points_room + 64;
    xmpi_profile_point_t *point = realloc(profile->point, (size_t)room * sizeof *point);
    if (point != NULL)
        profile->point = point;
    xmpi_profile_parts_t *parts = realloc(profile->parts, (size_t)room * sizeof *parts);
    if (parts != NULL)
        profile->parts = parts;
    if (point == NULL || parts == NULL)
        return XMPI_ERR_MEMORY;
    loop->points_room = room;
    return XMPI_OK;
}

/* A point of the profile. An interval that was left out was as the one behind it. */
static xmpi_status_t add_point(loop_t *loop, const cJSON *members, int64_t iterations)
{
    xmpi_profile_t *profile = &loop->program.profile;
    const cJSON *member;
    double work = 0;
    if (make_room(loop) != XMPI_OK)
        return XMPI_ERR_MEMORY;
    xmpi_profile_parts_t now = {{0}};
    cJSON_ArrayForEach(member, members)
    {
        work += event_number(member, "work");
        spread(&now, (double)loop->program.rows, member);
    }
    int at = profile->points++;
    int64_t since = at > 0 ? profile->point[at - 1].iteration : 0;
    double times = (double)(loop->last - since) / (double)iterations;
    profile->point[at].iteration = loop->last;
    profile->point[at].work = times * work + (at > 0 ? profile->point[at - 1].work : 0);
    for (int i = 0; i < XMPI_PROFILE_PARTS; i++)
        profile->parts[at].work[i] =
            times * now.work[i] + (at > 0 ? profile->parts[at - 1].work[i] : 0);
    return XMPI_OK;
}

/* How quick the processing elements are that members are on, where they have them for themselves.
 */
static xmpi_status_t add_paces(loop_t *loop, const cJSON *members)
{
    const cJSON *member;
    cJSON_ArrayForEach(member, members)
    {
        double pe = event_number(member, "pe"), cpu = event_number(member, "cpu");
        double seconds = event_number(member, "computation");
        if (!(pe >= 0 && pe < 1 << 24))
            continue;
        if (pe >= loop->paces) {
            int paces = (int)pe + 1;
            pace_t *grown = realloc(loop->pace, (size_t)paces * sizeof *grown);
            if (grown == NULL)
                return XMPI_ERR_MEMORY;
            memset(&grown[loop->paces], 0, (size_t)(paces - loop->paces) * sizeof *grown);
            loop->pace = grown;
            loop->paces = paces;
        }
        loop->pace[(int)pe].work += event_number(member, "work");
        loop->pace[(int)pe].seconds += cpu > 0 ? fmin(cpu, seconds) : seconds;
    }
    return XMPI_OK;
}

/* Units of work per second where they were most; what was seen for a moment only does not count. */
static double fastest(const loop_t *loop)
{
    double longest = 0, best = 0;
    for (int i = 0; i < loop->paces; i++)
        longest = fmax(longest, loop->pace[i].seconds);
    for (int i = 0; i < loop->paces; i++)
        if (loop->pace[i].seconds > 0.1 * longest)
            best = fmax(best, loop->pace[i].work / loop->pace[i].seconds);
    return best;
}

/* --- messages ----------------------------------------------------------------------------------
 */

static double bytes_of(const cJSON *member, const char *class_name)
{
    const cJSON *operations = cJSON_GetObjectItemCaseSensitive(member, "operations");
    return event_number(cJSON_GetObjectItemCaseSensitive(operations, class_name), "bytes");
}

static bool is_one_of(const char *kind, const char *const *kinds)
{
    for (; *kinds != NULL; kinds++)
        if (strcmp(kind, *kinds) == 0)
            return true;
    return false;
}

/* What the first member calls, which stands for all. Of the bytes that are posted, those of
 * operations of all are told. */
static double add_calls(loop_t *loop, const cJSON *event, const cJSON *first, int members)
{
    static const char *const sums[] = {"barrier", "bcast",          "reduce", "allreduce",
                                       "scan",    "reduce_scatter", NULL};
    static const char *const gathers[] = {"gather",    "gatherv",    "scatter", "scatterv",
                                          "allgather", "allgatherv", NULL};
    static const char *const all[] = {"alltoall", "alltoallv", NULL};
    sim_recorded_t *program = &loop->program;
    const cJSON *call;
    double together = 0, count = fmax(1, event_number(first, "count"));
    cJSON_ArrayForEach(call, cJSON_GetObjectItemCaseSensitive(event, "calls"))
    {
        const char *kind = event_text(call, "kind");
        double calls = event_number(call, "calls"), bytes = event_number(call, "bytes");
        bool adds = is_one_of(kind, sums), gets = is_one_of(kind, gathers);
        if (adds || gets || is_one_of(kind, all))
            together += bytes;
        program->sums += adds ? calls : 0;
        program->sum_bytes += adds ? bytes : 0;
        program->gathers += gets ? calls : 0;
        program->gather_bytes += gets ? bytes * (double)program->rows / count : 0;
        program->others += is_one_of(kind, all) ? bytes / (members - 1) : 0;
        loop->unknown |= strcmp(kind, "neighbor") == 0;
    }
    return fmax(0, together - bytes_of(first, "collective"));
}

static void add_messages(loop_t *loop, const cJSON *event, const cJSON *members)
{
    const cJSON *member;
    int number = cJSON_GetArraySize(members);
    double most = 0, iterations = event_number(event, "iterations");
    if (number < 2)
        return;
    double posted = add_calls(loop, event, cJSON_GetArrayItem(members, 0), number);
    bool told = cJSON_GetObjectItemCaseSensitive(event, "calls") != NULL;
    cJSON_ArrayForEach(member, members)
    {
        most = fmax(most, bytes_of(member, "p2p") + bytes_of(member, "post") - posted);
        loop->unknown |= !told && bytes_of(member, "collective") > 0;
    }
    loop->program.neighbours += most / (number > 2 ? 2 : 1);
    loop->seen_together += iterations;
}

static void add_files(loop_t *loop, const cJSON *members)
{
    const cJSON *member;
    cJSON_ArrayForEach(member, members)
    {
        loop->files += event_member_times(member).io;
        loop->members +=
            event_number(member, "computation") + event_number(member, "communication");
        loop->movable |= event_number(member, "image") > 0;
    }
}

/* --- events ------------------------------------------------------------------------------------
 */

static void begin(loop_t *loop, const cJSON *event)
{
    free_loop(loop);
    *loop = (loop_t){.before = -1};
    loop->program.rows = whole(event, "domain");
    loop->program.active = (int)fmin(event_number(event, "members"), 1e6);
    loop->program.iterations = whole(event, "iterations");
    loop->watched = strcmp(event_text(event, "policy"), "none") == 0;
}

static xmpi_status_t add_interval(loop_t *loop, const cJSON *event)
{
    const cJSON *members = cJSON_GetObjectItemCaseSensitive(event, "members");
    int64_t iterations = whole(event, "iterations");
    int64_t iteration = whole(event, "iteration");
    if (loop->before < 0)
        loop->before = iteration - iterations;
    if (iterations <= 0 || iteration - loop->before <= loop->last)
        return XMPI_OK;
    loop->last = iteration - loop->before;
    loop->seen += (double)iterations;
    loop->seconds += event_number(event, "seconds");
    loop->program.state = fmax(loop->program.state, event_number(event, "state"));
    add_files(loop, members);
    add_messages(loop, event, members);
    xmpi_status_t status = add_point(loop, members, iterations);
    return status == XMPI_OK ? add_paces(loop, members) : status;
}

/* LOOP is over, or the trace is: BEST becomes it if it took longer. */
static void keep_longest(loop_t *loop, loop_t *best)
{
    if (loop->seconds > best->seconds) {
        free_loop(best);
        *best = *loop;
        *loop = (loop_t){.before = -1};
    }
}

static xmpi_status_t follow(const cJSON *events, loop_t *best)
{
    const cJSON *event;
    loop_t loop = {.before = -1};
    xmpi_status_t status = XMPI_OK;
    cJSON_ArrayForEach(event, events)
    {
        if (event_is(event, "start")) {
            keep_longest(&loop, best);
            begin(&loop, event);
        } else if (event_is(event, "interval") && loop.program.rows > 0) {
            status = add_interval(&loop, event);
        } else if (event_is(event, "end") && event_number(event, "iterations") > 0) {
            loop.program.iterations = whole(event, "iterations");
        }
        if (status != XMPI_OK)
            break;
    }
    keep_longest(&loop, best);
    free_loop(&loop);
    return status;
}

/* --- what it says ------------------------------------------------------------------------------
 */

/* Why it cannot be simulated; NULL: it can. */
static const char *why_not(const loop_t *loop, double speed)
{
    if (loop->watched)
        return "the program was only watched: without a loop of XMPI's its iterations are not "
               "known";
    if (loop->movable)
        return "the loop is not divisible, and only such are simulated";
    if (loop->seen <= 0 || !(speed > 0))
        return "there is no interval in which it is told what the program computes";
    if (loop->files > negligible * loop->members)
        return "the loop reads or writes files, which is not simulated";
    if (loop->unknown)
        return "it does not tell what messages the program's calls make: it is of an earlier XMPI, "
               "or these are operations of neighbours";
    if (loop->seen_together <= 0)
        return "it was one process only, of whose messages nothing is known: let two run";
    if (loop->program.neighbours > 0 && loop->program.others > 0)
        return "the program sends messages to some and to all, and one of both is simulated";
    return NULL;
}

/* Sums become those of an iteration, work seconds. */
static void divide(loop_t *loop, double speed)
{
    sim_recorded_t *p = &loop->program;
    xmpi_profile_t *profile = &p->profile;
    p->sum_bytes = p->sums > 0 ? p->sum_bytes / p->sums : 0;
    p->gather_bytes = p->gathers > 0 ? p->gather_bytes / p->gathers : 0;
    p->neighbours /= loop->seen_together;
    p->others /= loop->seen_together;
    p->sums /= loop->seen_together;
    p->gathers /= loop->seen_together;
    if (p->iterations <= 0)
        p->iterations = loop->last;
    for (int i = 0; i < profile->points; i++) {
        profile->point[i].work /= speed;
        for (int k = 0; k < XMPI_PROFILE_PARTS; k++)
            profile->parts[i].work[k] /= speed;
    }
    p->seconds = xmpi_profile_work(profile, 0, loop->last) / (double)loop->last;
}

xmpi_status_t sim_recorded_read(const char *path, sim_recorded_t *recorded, xmpi_error_t *error)
{
    events_t events;
    loop_t loop = {.before = -1};
    char why[EVENTS_WHY_MAX];
    xmpi_status_t status = events_read(path, &events, why) == TOOL_OK
                               ? follow(events.list, &loop)
                               : xmpi_error_set(error, XMPI_ERR_INPUT, "%.500s", why);
    events_free(&events);
    if (status == XMPI_ERR_MEMORY)
        xmpi_error_set(error, status, "%.300s: no memory for the trace", path);
    double speed = fastest(&loop);
    const char *not_this = why_not(&loop, speed);
    if (status == XMPI_OK && not_this != NULL)
        status = xmpi_error_set(error, XMPI_ERR_INPUT, "%.300s: %s", path, not_this);
    if (status == XMPI_OK) {
        divide(&loop, speed);
        *recorded = loop.program;
        loop.program = (sim_recorded_t){0};
    }
    free_loop(&loop);
    return status;
}

void sim_recorded_free(sim_recorded_t *recorded)
{
    free(recorded->profile.point);
    free(recorded->profile.parts);
    *recorded = (sim_recorded_t){0};
}
