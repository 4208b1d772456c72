/* SPDX-License-Identifier: BSD-3-Clause
 * The messages of the control endpoint. */
#include "control/job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/json.h"

/* What a request may ask for at most. */
enum { PROCESSES_MAX = 1000000 };

static const char *const kinds[] = {"status",   "watch", "log",    "grow",    "shrink",
                                    "policy",   "goal",  "trace",  "move",    "swap",
                                    "withdraw", "offer", "matrix", "members", "worth"};

const char *xmpi_request_name(xmpi_request_kind_t kind)
{
    return kinds[kind];
}

/* --- requests --------------------------------------------------------------------------------- */

/* Copies the text NAME of OBJECT, where it has one. False when it does not fit, or is no text. */
static bool get_text(const cJSON *object, const char *name, char *to, size_t room)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    const char *text = cJSON_GetStringValue(item);
    if (item == NULL)
        return true;
    if (text == NULL || strlen(text) >= room)
        return false;
    strcpy(to, text);
    return true;
}

static bool get_kind(const cJSON *object, xmpi_request_t *request)
{
    const char *command = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "command"));
    for (size_t i = 0; command != NULL && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(command, kinds[i]) == 0) {
            request->kind = (xmpi_request_kind_t)i;
            return true;
        }
    return false;
}

static bool get_processes(const cJSON *object, xmpi_request_t *request)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "processes");
    bool needed = request->kind == XMPI_REQUEST_GROW || request->kind == XMPI_REQUEST_SHRINK ||
                  request->kind == XMPI_REQUEST_MEMBERS;
    if (!needed)
        return true;
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= 1) ||
        !(item->valuedouble <= PROCESSES_MAX) || floor(item->valuedouble) < item->valuedouble)
        return false;
    request->processes = (int)item->valuedouble;
    return true;
}

/* NAME of OBJECT, a number of a rank or a processing element; -1: there is none. */
static int get_index(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    double value = cJSON_IsNumber(item) ? item->valuedouble : -1;
    return value >= 0 && value <= PROCESSES_MAX && floor(value) == value ? (int)value : -1;
}

static bool get_places(const cJSON *object, xmpi_request_t *request)
{
    if (request->kind != XMPI_REQUEST_MOVE && request->kind != XMPI_REQUEST_SWAP)
        return true;
    request->asks = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "dry_run"));
    request->rank = get_index(object, "rank");
    request->other = get_index(object, request->kind == XMPI_REQUEST_MOVE ? "pe" : "with");
    return request->rank >= 0 && request->other >= 0;
}

/* "known" may be left out. */
static bool get_known(const cJSON *object, xmpi_request_t *request)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "known");
    double value = cJSON_IsNumber(item) ? item->valuedouble : item == NULL ? 0 : -1;
    if (!(value >= 0 && value <= 1e15))
        return false;
    request->known = (int64_t)value;
    return true;
}

static xmpi_status_t get_request(const cJSON *object, xmpi_request_t *request, xmpi_error_t *error)
{
    if (!cJSON_IsObject(object))
        return xmpi_error_set(error, XMPI_ERR_INPUT, "a request is one JSON object in a line");
    if (!get_kind(object, request))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "\"command\" must be status, watch, log, grow, shrink, policy, goal, "
                              "trace, move, swap, withdraw, offer, matrix, members or worth");
    if (!get_processes(object, request))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "\"processes\" must be a whole number from 1 to %d", PROCESSES_MAX);
    if (!get_places(object, request))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "\"rank\" and \"pe\" (move) or \"with\" (swap) must be whole "
                              "numbers from 0 to %d",
                              PROCESSES_MAX);
    if (!get_known(object, request))
        return xmpi_error_set(error, XMPI_ERR_INPUT, "\"known\" must be a number of lines");
    if (!get_text(object, "class", request->class_name, sizeof request->class_name) ||
        !get_text(object, "text", request->text, sizeof request->text))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "\"class\" and \"text\" must be strings of at most %d and %d bytes",
                              XMPI_JOB_NAME - 1, XMPI_JOB_TEXT - 1);
    return XMPI_OK;
}

xmpi_status_t xmpi_request_read(const char *line, xmpi_request_t *request, xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_json_load(error);
    if (status != XMPI_OK)
        return status;
    cJSON *object = cJSON_Parse(line);
    memset(request, 0, sizeof *request);
    status = get_request(object, request, error);
    cJSON_Delete(object);
    return status;
}

/* --- answers ---------------------------------------------------------------------------------- */

static void add_member(cJSON *list, const xmpi_job_member_t *member)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "process", member->process);
    cJSON_AddNumberToObject(object, "pe", member->pe);
    if (member->pid > 0)
        cJSON_AddNumberToObject(object, "pid", (double)member->pid);
    cJSON_AddStringToObject(object, "node", member->node);
    cJSON_AddStringToObject(object, "class", member->class_name);
    cJSON_AddNumberToObject(object, "count", (double)member->count);
    cJSON_AddNumberToObject(object, "displ", (double)member->displ);
    cJSON_AddNumberToObject(object, "computation", member->computation);
    cJSON_AddItemToArray(list, object);
}

static void add_idle(cJSON *list, const xmpi_job_idle_t *idle)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "pe", idle->pe);
    cJSON_AddStringToObject(object, "node", idle->node);
    cJSON_AddStringToObject(object, "class", idle->class_name);
    if (idle->speed > 0) {
        cJSON_AddNumberToObject(object, "speed", idle->speed);
        cJSON_AddNumberToObject(object, "age", idle->age);
    }
    cJSON_AddItemToArray(list, object);
}

static void add_errors(cJSON *object, const xmpi_job_t *job)
{
    for (int i = 0; i < job->errors; i++) {
        cJSON *error = cJSON_AddObjectToObject(object, job->error[i].phase);
        cJSON_AddNumberToObject(error, "mean", job->error[i].percent);
        cJSON_AddNumberToObject(error, "n", (double)job->error[i].n);
    }
}

static void add_checks(cJSON *object, const xmpi_job_t *job)
{
    cJSON_AddNumberToObject(object, "equal", job->checks_equal);
    cJSON_AddNumberToObject(object, "different", job->checks_different);
    cJSON_AddNumberToObject(object, "not_checked", job->checks_missed);
}

static void add_nodes(cJSON *object, const xmpi_node_seconds_t *nodes)
{
    cJSON_AddNumberToObject(object, "held", nodes->held);
    cJSON_AddNumberToObject(object, "used", nodes->used);
    cJSON_AddNumberToObject(object, "lost", nodes->lost);
    cJSON_AddNumberToObject(object, "given_back", nodes->given_back);
    cJSON_AddNumberToObject(object, "now", nodes->nodes_used);
}

static void add_progress(cJSON *object, const xmpi_job_t *job)
{
    cJSON_AddNumberToObject(object, "iteration", (double)job->iteration);
    if (job->from > 0)
        cJSON_AddNumberToObject(object, "from", (double)job->from);
    if (job->iterations >= 0)
        cJSON_AddNumberToObject(object, "iterations", (double)job->iterations);
    cJSON_AddNumberToObject(object, "seconds", job->seconds);
    cJSON_AddNumberToObject(object, "iteration_seconds", job->iteration_seconds);
    cJSON_AddNumberToObject(object, "efficiency", job->efficiency);
    cJSON_AddNumberToObject(object, "cost", job->cost);
    add_nodes(cJSON_AddObjectToObject(object, "node_seconds"), &job->nodes);
    cJSON_AddNumberToObject(object, "reconfigurations", (double)job->reconfigurations);
    cJSON_AddNumberToObject(object, "reconfiguration_seconds", job->reconfiguration_seconds);
    add_checks(cJSON_AddObjectToObject(object, "checks"), job);
    cJSON_AddBoolToObject(object, "over", job->over);
    if (job->static_seconds > 0)
        cJSON_AddNumberToObject(object, "static_seconds", job->static_seconds);
    if (job->errors > 0)
        add_errors(cJSON_AddObjectToObject(object, "model"), job);
}

xmpi_status_t xmpi_request_check_number(const xmpi_request_t *request, bool movable, int members,
                                        xmpi_error_t *error)
{
    const bool another = request->kind == XMPI_REQUEST_GROW ||
                         request->kind == XMPI_REQUEST_SHRINK ||
                         (request->kind == XMPI_REQUEST_MEMBERS && request->processes != members);
    return movable && another
               ? xmpi_error_set(error, XMPI_ERR_INPUT,
                                "this loop is movable: the number of its processes stays (move, "
                                "swap, withdraw and offer change where they are)")
               : XMPI_OK;
}

static xmpi_status_t check_places(const xmpi_request_t *request, const xmpi_job_t *job,
                                  xmpi_error_t *error)
{
    const bool swaps = request->kind == XMPI_REQUEST_SWAP;
    if (!swaps && request->kind != XMPI_REQUEST_MOVE)
        return XMPI_OK;
    const int rank = request->rank < job->members && swaps ? request->other : request->rank;
    if (rank >= job->members)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "there is no rank %d: the last is %d (xmpictl status lists them)",
                              rank, job->members - 1);
    if (swaps && request->rank == request->other)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "rank %d changes places with another rank, not with itself", rank);
    if (!swaps && job->pes > 0 && request->other >= job->pes)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "there is no processing element %d: the last is %d (xmpictl status "
                              "lists those without a member)",
                              request->other, job->pes - 1);
    return XMPI_OK;
}

xmpi_status_t xmpi_request_check(const xmpi_request_t *request, const xmpi_job_t *job,
                                 xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_request_check_number(request, job->movable, job->members, error);
    return status == XMPI_OK ? check_places(request, job, error) : status;
}

char *xmpi_job_line(const xmpi_job_t *job)
{
    if (xmpi_json_load(NULL) != XMPI_OK)
        return NULL;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddBoolToObject(object, "ok", 1);
    cJSON_AddNumberToObject(object, "pid", (double)job->pid);
    cJSON_AddStringToObject(object, "program", job->program);
    cJSON_AddStringToObject(object, "loop", job->loop);
    cJSON_AddStringToObject(object, "policy", job->policy);
    if (job->allocation[0] != '\0')
        cJSON_AddStringToObject(object, "allocation", job->allocation);
    cJSON_AddStringToObject(object, "trace", job->trace);
    add_progress(object, job);
    cJSON_AddStringToObject(object, "decision", job->decision);
    if (job->next_decision > 0)
        cJSON_AddNumberToObject(object, "next_decision", (double)job->next_decision);
    cJSON_AddStringToObject(object, "outlook", job->outlook);
    cJSON_AddStringToObject(object, "keeps", job->keeps);
    cJSON_AddBoolToObject(object, "movable", job->movable);
    cJSON_AddNumberToObject(object, "max_members", job->max_members);
    cJSON *members = cJSON_AddArrayToObject(object, "members");
    for (int i = 0; i < job->members; i++)
        add_member(members, &job->member[i]);
    cJSON_AddNumberToObject(object, "idles", job->idles);
    cJSON *idle = cJSON_AddArrayToObject(object, "idle");
    for (int i = 0; i < job->idles && i < XMPI_JOB_IDLES; i++)
        add_idle(idle, &job->idle[i]);
    return xmpi_json_line(object);
}

char *xmpi_accepted_line(int64_t number)
{
    if (xmpi_json_load(NULL) != XMPI_OK)
        return NULL;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddBoolToObject(object, "ok", 1);
    if (number > 0)
        cJSON_AddNumberToObject(object, "request", (double)number);
    return xmpi_json_line(object);
}

char *xmpi_refused_line(const char *why)
{
    if (xmpi_json_load(NULL) != XMPI_OK)
        return NULL;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddBoolToObject(object, "ok", 0);
    cJSON_AddStringToObject(object, "error", why);
    return xmpi_json_line(object);
}
