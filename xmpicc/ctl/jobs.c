/* SPDX-License-Identifier: BSD-3-Clause
 * The running jobs of this user on this machine. */
#define _GNU_SOURCE
#include "jobs.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "control/address.h"
#include "remote/remote.h"
#include "tool/tool.h"

/* In place of what a job tells about itself; it stands where its policy would. */
static cJSON *status_of(const char *program, const char *why)
{
    cJSON *status = cJSON_CreateObject();
    cJSON_AddStringToObject(status, "program", program);
    cJSON_AddStringToObject(status, "policy", why);
    return status;
}

/* NULL: there is no job. */
static cJSON *ask_status(const char *path, double patience)
{
    job_t job;
    cJSON *request = cJSON_CreateObject(), *answer = NULL;
    cJSON_AddStringToObject(request, "command", "status");
    bool connected = job_connect(path, patience, &job) == 0;
    bool silent = !connected && errno == ETIMEDOUT;
    if (!connected && errno == ECONNREFUSED)
        unlink(path); /* left behind */
    if (connected && job_ask(&job, request) == 0)
        answer = job_hear(&job);
    else if (!connected)
        cJSON_Delete(request);
    silent = silent || job.silent;
    job_close(&job);
    return silent ? status_of("", "(does not answer)") : answer;
}

typedef struct {
    found_t **found;
    int *jobs;
    double patience;
} search_t;

/* Takes STATUS. */
static void add_found(found_t **found, int *jobs, const char *name, cJSON *status)
{
    found_t *more = status != NULL ? realloc(*found, (size_t)(*jobs + 1) * sizeof **found) : NULL;
    if (more == NULL) {
        cJSON_Delete(status);
        return;
    }
    *found = more;
    snprintf(more[*jobs].name, sizeof more[*jobs].name, "%s", name);
    more[(*jobs)++].status = status;
}

static void visit_socket(const char *path, const char *name, void *context)
{
    search_t *search = context;
    add_found(search->found, search->jobs, name, ask_status(path, search->patience));
}

/* --- on other machines ------------------------------------------------------------------------ */

enum { STATUS_ROOM = 1 << 20, SHELL_SECONDS = 10 };

/* What the entry says, where its host cannot be reached. A remote shell takes its time, and a job
 * there is waited for as one here. */
static cJSON *status_of_entry(const xmpi_entry_t *entry, double patience)
{
    char limit[32];
    char *const words[] = {"--patience", limit, "--json", "status", NULL};
    char *line = malloc(STATUS_ROOM);
    snprintf(limit, sizeof limit, "%.9g", patience);
    cJSON *status =
        line != NULL && remote_hear(entry, words, SHELL_SECONDS + 2 * patience, line, STATUS_ROOM)
            ? cJSON_Parse(line)
            : NULL;
    free(line);
    return status != NULL ? status : status_of(entry->program, "(not reached)");
}

/* Whether an entry of this host was left behind: neither its process nor its socket is there. */
static bool is_left(const xmpi_entry_t *entry, double patience)
{
    job_t job;
    if (kill((pid_t)entry->pid, 0) == 0 || errno != ESRCH)
        return false;
    if (job_connect(entry->socket, patience, &job) != 0)
        return errno == ENOENT || errno == ECONNREFUSED;
    job_close(&job);
    return false;
}

static void visit(const char *name, const xmpi_entry_t *entry, void *context)
{
    search_t *search = context;
    bool here = remote_is_here(entry);
    if (here && is_left(entry, search->patience))
        remote_forget(name, entry);
    if (!here)
        add_found(search->found, search->jobs, name, status_of_entry(entry, search->patience));
}

int jobs_find(found_t **found, bool elsewhere, double patience)
{
    char folder[XMPI_ADDRESS_MAX];
    xmpi_error_t error;
    int jobs = 0;
    *found = NULL;
    if (xmpi_address_folder(folder, sizeof folder, &error) != XMPI_OK) {
        tool_complain("%s", error.text);
        return -1;
    }
    search_t search = {found, &jobs, patience};
    job_each(folder, visit_socket, &search);
    if (elsewhere && remote_each(visit, &search) != 0)
        return -1;
    return jobs;
}

void jobs_free(found_t *found, int jobs)
{
    for (int i = 0; i < jobs; i++)
        cJSON_Delete(found[i].status);
    free(found);
}

enum { LOOKS = 10, BETWEEN = 100000 }; /* for a job that another process comes to lead */

static int connect_to(const char *name, const char *path, double patience, job_t *job)
{
    if (job_reach(path, patience, LOOKS, job) == 0)
        return 0;
    if (errno == ETIMEDOUT)
        return jobs_say_silent(name, job);
    tool_complain("job %s cannot be reached: %s; xmpictl list shows those that run here", name,
                  strerror(errno));
    return CTL_NO_JOB;
}

int jobs_say_silent(const char *name, const job_t *job)
{
    if (job->stopped > 0)
        tool_complain("job %s does not get on: rank %d (process %d) is stopped", name,
                      job->stopped_rank, job->stopped);
    else
        tool_complain("job %s does not answer: it may be stopped, or others keep it from running "
                      "(--patience SECONDS waits longer)",
                      name);
    return CTL_NO_JOB;
}

static int connect_to_number(const char *name, double patience, job_t *job)
{
    char path[XMPI_ADDRESS_MAX];
    xmpi_error_t error;
    char *end;
    long number = strtol(name, &end, 10);
    if (*end != '\0' || number <= 0)
        return tool_complain("%s: a job is a number (xmpictl list shows them) or the path of a "
                             "socket",
                             name);
    if (xmpi_address_of(number, path, sizeof path, &error) != XMPI_OK)
        return tool_complain("%s", error.text);
    return connect_to(name, path, patience, job);
}

int jobs_connect(const char *name, double patience, job_t *job)
{
    found_t *found;
    xmpi_entry_t entry;
    if (name != NULL && remote_find(name, &entry)) /* those elsewhere are not asked from here */
        return connect_to(name, entry.socket, patience, job);
    if (name != NULL)
        return strchr(name, '/') != NULL ? connect_to(name, name, patience, job)
                                         : connect_to_number(name, patience, job);
    int jobs = jobs_find(&found, false, patience), status = CTL_NO_JOB;
    for (int i = 0; jobs == 0 && i < LOOKS; i++) {
        jobs_free(found, jobs);
        usleep(BETWEEN);
        jobs = jobs_find(&found, false, patience);
    }
    if (jobs == 1)
        status = connect_to_number(found[0].name, patience, job);
    else if (jobs == 0)
        tool_complain("no job of yours runs here with adaptation on");
    else if (jobs > 1)
        status = tool_complain("%d jobs run here: choose one with --job (xmpictl list)", jobs);
    else
        status = TOOL_MISUSED;
    jobs_free(found, jobs);
    return status;
}
