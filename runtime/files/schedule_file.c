/* SPDX-License-Identifier: BSD-3-Clause
 * Schedule files: when to grow and shrink, or which layouts to have. */
#define _POSIX_C_SOURCE 200809L
#include "files/schedule_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "files/lines.h"

typedef struct {
    const char *path;
    const xmpi_resources_t *resources;
    xmpi_schedule_t *schedule;
} reader_t;

static xmpi_status_t add(xmpi_schedule_t *schedule, const xmpi_action_t *action,
                         xmpi_error_t *error)
{
    xmpi_action_t *grown =
        realloc(schedule->action, (size_t)(schedule->actions + 1) * sizeof *grown);
    if (grown == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for the schedule");
    schedule->action = grown;
    schedule->action[schedule->actions++] = *action;
    return XMPI_OK;
}

static xmpi_status_t parse_class(const reader_t *reader, const char *name, xmpi_action_t *action,
                                 xmpi_error_t *error)
{
    action->class_index = xmpi_resources_class(reader->resources, name);
    if (action->class_index == -2)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s:%d: no processor class \"%.40s\" in the machine file; write "
                              "\"any\" or set XMPI_MACHINES",
                              reader->path, action->line, name);
    return XMPI_OK;
}

/* --- layouts ------------------------------------------------------------------------------------
 */

/* One more element of SIZE bytes behind the N of ARRAY, which is enlarged; NULL: no memory. */
static void *one_more(void **array, int *n, size_t size)
{
    char *grown = realloc(*array, ((size_t)*n + 1) * size);
    if (grown == NULL)
        return NULL;
    *array = grown;
    return grown + (size_t)(*n)++ * size;
}

/* "PE:ROWS". */
static xmpi_status_t parse_share(const reader_t *reader, char *word, int line, xmpi_error_t *error)
{
    xmpi_schedule_t *schedule = reader->schedule;
    const xmpi_appointment_t *to = &schedule->appointment[schedule->appointments - 1];
    char *colon = strchr(word, ':'), *rest = colon != NULL ? colon + 1 : word;
    long long pe, rows;
    if (colon != NULL)
        *colon = '\0';
    if (colon == NULL || !xmpi_parse_whole(word, 0, reader->resources->pes - 1, &pe) ||
        !xmpi_parse_whole(rest, 0, INT64_MAX, &rows))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s:%d: \"%.40s%s%.40s\" is no PE:ROWS with a processing element "
                              "from 0 to %d",
                              reader->path, line, word, colon != NULL ? ":" : "",
                              colon != NULL ? rest : "", reader->resources->pes - 1);
    for (int i = to->first; i < schedule->shares; i++)
        if (schedule->share[i].pe == pe)
            return xmpi_error_set(error, XMPI_ERR_INPUT,
                                  "%s:%d: processing element %lld stands there twice", reader->path,
                                  line, pe);
    xmpi_share_t *share =
        one_more((void **)&schedule->share, &schedule->shares, sizeof *schedule->share);
    if (share == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for the schedule");
    *share = (xmpi_share_t){.pe = (int)pe, .rows = rows};
    return XMPI_OK;
}

/* What stands behind "layout". */
static xmpi_status_t parse_layout(const reader_t *reader, char *text, int line, xmpi_error_t *error)
{
    xmpi_schedule_t *schedule = reader->schedule;
    char *rest, *loop = strtok_r(text, " \t", &rest), *iteration = strtok_r(NULL, " \t", &rest);
    long long which = 0, when = 0;
    if (loop == NULL || iteration == NULL || !xmpi_parse_whole(loop, 1, INT64_MAX, &which) ||
        !xmpi_parse_whole(iteration, 1, INT64_MAX, &when))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s:%d: write: layout LOOP ITERATION PE:ROWS..., loops and "
                              "iterations from 1 on",
                              reader->path, line);
    xmpi_appointment_t *made = one_more((void **)&schedule->appointment, &schedule->appointments,
                                        sizeof *schedule->appointment);
    if (made == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for the schedule");
    *made = (xmpi_appointment_t){
        .loop = which, .iteration = when, .first = schedule->shares, .line = line};
    xmpi_status_t status = XMPI_OK;
    for (char *w = strtok_r(NULL, " \t", &rest); w != NULL && status == XMPI_OK;
         w = strtok_r(NULL, " \t", &rest))
        status = parse_share(reader, w, line, error);
    made->places = schedule->shares - made->first;
    return status;
}

/* --- actions ------------------------------------------------------------------------------------
 */

static xmpi_status_t parse_action(const reader_t *reader, char *text, int line, xmpi_error_t *error)
{
    char *rest, *word[5] = {NULL};
    long long processes = 0, iteration = 0;
    int words = 0;
    for (char *w = strtok_r(text, " \t", &rest); w != NULL && words < 5;
         w = strtok_r(NULL, " \t", &rest))
        word[words++] = w;
    if (words != 4)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s:%d: %s than four words; write: spawn|remove PROCESSES CLASS "
                              "ITERATION",
                              reader->path, line, words < 4 ? "fewer" : "more");
    xmpi_action_t action = {.line = line};
    if (strcmp(word[0], "spawn") == 0)
        action.kind = XMPI_ACTION_SPAWN;
    else if (strcmp(word[0], "remove") == 0)
        action.kind = XMPI_ACTION_REMOVE;
    else
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s:%d: \"%.40s\" is no action; write spawn or remove", reader->path,
                              line, word[0]);
    if (!xmpi_parse_whole(word[1], 1, 1000000, &processes))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s:%d: \"%.40s\" is no number of processes (1 or more)",
                              reader->path, line, word[1]);
    if (!xmpi_parse_whole(word[3], 1, INT64_MAX, &iteration))
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s:%d: \"%.40s\" is no iteration (1 or more)",
                              reader->path, line, word[3]);
    action.processes = (int)processes;
    action.iteration = iteration;
    xmpi_status_t status = parse_class(reader, word[2], &action, error);
    return status == XMPI_OK ? add(reader->schedule, &action, error) : status;
}

static xmpi_status_t parse_line(void *context, char *text, int line, xmpi_error_t *error)
{
    static const char layout[] = "layout";
    const reader_t *reader = context;
    size_t length = sizeof layout - 1;
    text += strspn(text, " \t");
    bool lays_out = strncmp(text, layout, length) == 0 && strchr(" \t", text[length]) != NULL;
    if (lays_out ? reader->schedule->actions > 0 : reader->schedule->appointments > 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s:%d: layouts and actions in one schedule; keep one kind",
                              reader->path, line);
    return lays_out ? parse_layout(reader, text + length, line, error)
                    : parse_action(reader, text, line, error);
}

static int sooner(const void *a, const void *b)
{
    const xmpi_appointment_t *x = a, *y = b;
    if (x->loop != y->loop)
        return x->loop < y->loop ? -1 : 1;
    if (x->iteration != y->iteration)
        return x->iteration < y->iteration ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static int earlier(const void *a, const void *b)
{
    const xmpi_action_t *x = a, *y = b;
    if (x->iteration != y->iteration)
        return x->iteration < y->iteration ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

xmpi_status_t xmpi_schedule_read(const char *path, const xmpi_resources_t *resources,
                                 xmpi_schedule_t *schedule, xmpi_error_t *error)
{
    reader_t reader = {path, resources, schedule};
    memset(schedule, 0, sizeof *schedule);
    xmpi_status_t status = xmpi_lines_each(path, &reader, parse_line, error);
    if (status == XMPI_OK && schedule->actions + schedule->appointments == 0)
        status = xmpi_error_set(error, XMPI_ERR_INPUT, "%s: no action in the schedule", path);
    if (status != XMPI_OK) {
        xmpi_schedule_free(schedule);
        return status;
    }
    if (schedule->actions > 0)
        qsort(schedule->action, (size_t)schedule->actions, sizeof *schedule->action, earlier);
    if (schedule->appointments > 0)
        qsort(schedule->appointment, (size_t)schedule->appointments, sizeof *schedule->appointment,
              sooner);
    return XMPI_OK;
}

/* Members and free PEs by class while the actions are played through. */
typedef struct {
    int members[XMPI_CLASSES_MAX], free[XMPI_CLASSES_MAX];
    int all_members;
} count_t;

static count_t count_now(const xmpi_resources_t *resources, int members)
{
    count_t count = {.all_members = members};
    for (int i = 0; i < resources->pes; i++) {
        int class_index = resources->pe[i].class_index;
        if (xmpi_pe_usable(resources, i))
            count.free[class_index]++;
        else if (resources->pe[i].process >= 0)
            count.members[class_index]++;
    }
    return count;
}

/* Moves up to LEFT processes of one class from FROM to TO; how many could not be moved. */
static int move(int *from, int *to, int left)
{
    int n = *from < left ? *from : left;
    *from -= n;
    *to += n;
    return left - n;
}

static int play(const xmpi_resources_t *resources, const xmpi_action_t *action, count_t *count)
{
    int left = action->processes, spawn = action->kind == XMPI_ACTION_SPAWN;
    for (int i = 0; i < resources->classes; i++) {
        if (action->class_index != XMPI_ANY_CLASS && action->class_index != i)
            continue;
        left = spawn ? move(&count->free[i], &count->members[i], left)
                     : move(&count->members[i], &count->free[i], left);
    }
    count->all_members += (spawn ? 1 : -1) * (action->processes - left);
    return left;
}

xmpi_status_t xmpi_schedule_check(const char *path, const xmpi_schedule_t *schedule,
                                  const xmpi_resources_t *resources, int members,
                                  xmpi_error_t *error)
{
    count_t count = count_now(resources, members);
    for (int i = 0; i < schedule->actions; i++) {
        const xmpi_action_t *action = &schedule->action[i];
        int spawn = action->kind == XMPI_ACTION_SPAWN;
        int missing = play(resources, action, &count);
        if (missing > 0)
            return xmpi_error_set(error, XMPI_ERR_INPUT,
                                  "%s:%d: %d processes to %s at iteration %" PRId64
                                  ", but there are only %d of that class then%s",
                                  path, action->line, action->processes, spawn ? "spawn" : "remove",
                                  action->iteration, action->processes - missing,
                                  !spawn                 ? ""
                                  : resources->can_spawn ? "; raise XMPI_MAX or list more in "
                                                           "XMPI_MACHINES"
                                                         : "; start more with mpiexec");
        if (count.all_members < 1)
            return xmpi_error_set(error, XMPI_ERR_INPUT,
                                  "%s:%d: no process would be left at iteration %" PRId64, path,
                                  action->line, action->iteration);
        if (spawn && count.all_members > resources->max_members)
            return xmpi_error_set(error, XMPI_ERR_INPUT,
                                  "%s:%d: %d processes at iteration %" PRId64
                                  ", but no more than %d are allowed; see XMPI_MAX",
                                  path, action->line, count.all_members, action->iteration,
                                  resources->max_members);
    }
    return XMPI_OK;
}
