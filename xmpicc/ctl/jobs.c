/* SPDX-License-Identifier: BSD-3-Clause
 * The running jobs of this user on this machine. */
#define _GNU_SOURCE
#include "jobs.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "control/address.h"
#include "remote/remote.h"
#include "tool/tool.h"

#define NO_ANSWER "(does not answer)"

/* In place of what a job tells about itself; it stands where its policy would. */
static cJSON *status_of(const char *program, const char *why)
{
    cJSON *status = cJSON_CreateObject();
    cJSON_AddStringToObject(status, "program", program);
    cJSON_AddStringToObject(status, "policy", why);
    return status;
}

/* Of the process that listens at the socket of a job which does not answer; empty where that is not
 * to be had. */
static const char *program_of(const job_t *job, char *name, size_t room)
{
    struct ucred peer;
    socklen_t length = sizeof peer;
    char path[64];
    name[0] = '\0';
    if (job->fd < 0 || getsockopt(job->fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0)
        return name;
    snprintf(path, sizeof path, "/proc/%ld/comm", (long)peer.pid);
    FILE *file = fopen(path, "re");
    if (file != NULL && fgets(name, (int)room, file) != NULL)
        name[strcspn(name, "\n")] = '\0';
    if (file != NULL)
        fclose(file);
    return name;
}

/* NULL: there is no job. */
static cJSON *ask_status(const char *path, double patience)
{
    job_t job;
    char program[64];
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
    program_of(&job, program, sizeof program);
    job_close(&job);
    return silent ? status_of(program, NO_ANSWER) : answer;
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

static int connect_to_number(const char *name, long number, double patience, job_t *job)
{
    char path[XMPI_ADDRESS_MAX];
    xmpi_error_t error;
    if (xmpi_address_of(number, path, sizeof path, &error) != XMPI_OK)
        return tool_complain("%s", error.text);
    return connect_to(name, path, patience, job);
}

/* FOUND has been asked already, and is not waited for again where it did not answer. */
static int connect_to_found(const found_t *found, double patience, job_t *job)
{
    *job = (job_t){.fd = -1};
    if (strcmp(job_text(found->status, "policy"), NO_ANSWER) == 0)
        return jobs_say_silent(found->name, job);
    return connect_to_number(found->name, atol(found->name), patience, job);
}

/* The only job here that runs the program NAME. */
static int connect_to_program(const char *name, double patience, job_t *job)
{
    found_t *found;
    const found_t *one = NULL;
    int status, of_it = 0, jobs = jobs_find(&found, false, patience);
    for (int i = 0; i < jobs; i++)
        if (strcmp(job_text(found[i].status, "program"), name) == 0) {
            of_it++;
            one = &found[i];
        }
    if (jobs < 0)
        return TOOL_MISUSED;
    if (of_it == 1)
        status = connect_to_found(one, patience, job);
    else if (of_it > 1)
        status = tool_complain("%d jobs here run %s: choose one by its number (xmpictl list)",
                               of_it, name);
    else
        status = tool_complain("%s: a job is a number or the name of a program that runs here "
                               "(xmpictl list shows them), or the path of a socket",
                               name);
    jobs_free(found, jobs);
    return status;
}

static int connect_to_named(const char *name, double patience, job_t *job)
{
    xmpi_entry_t entry;
    char *end;
    long number = strtol(name, &end, 10);
    if (remote_find(name, &entry)) /* those elsewhere are not asked from here */
        return connect_to(name, entry.socket, patience, job);
    if (strchr(name, '/') != NULL)
        return connect_to(name, name, patience, job);
    if (*end == '\0' && number > 0)
        return connect_to_number(name, number, patience, job);
    return connect_to_program(name, patience, job);
}

int jobs_connect(const char *name, double patience, job_t *job)
{
    found_t *found;
    if (name != NULL)
        return connect_to_named(name, patience, job);
    int jobs = jobs_find(&found, false, patience), status = CTL_NO_JOB;
    for (int i = 0; jobs == 0 && i < LOOKS; i++) {
        jobs_free(found, jobs);
        usleep(BETWEEN);
        jobs = jobs_find(&found, false, patience);
    }
    if (jobs == 1)
        status = connect_to_found(&found[0], patience, job);
    else if (jobs == 0)
        tool_complain("no job of yours runs here with adaptation on");
    else if (jobs > 1)
        status = tool_complain("%d jobs run here: choose one with --job (xmpictl list)", jobs);
    else
        status = TOOL_MISUSED;
    jobs_free(found, jobs);
    return status;
}
