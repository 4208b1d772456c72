/* SPDX-License-Identifier: BSD-3-Clause
 * Talking to running jobs (runtime/control/job.h says what the messages are). They may be stopped:
 * nothing here waits longer for one than it is asked to. */
#ifndef XMPI_TOOL_JOB_H
#define XMPI_TOOL_JOB_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/un.h>

/* A connection. */
typedef struct {
    int fd;          /* -1: closed */
    double patience; /* seconds that it is waited for, each time */
    bool silent;     /* it was waited for in vain */
    int stopped;     /* as this process of it, a member, was stopped all the time; 0: was not */
    int stopped_rank;
    char path[sizeof((struct sockaddr_un *)0)->sun_path];
    char *heard; /* what has come and was not taken yet; malloc */
    size_t length;
} job_t;

/* The address of the socket PATH. Less than 0, and errno, where that is too long for one. */
int job_address(const char *path, struct sockaddr_un *address);

/* Connects to the socket PATH of a job, which is waited for PATIENCE seconds then and later; errno
 * says why it cannot. What a killed job left behind gives ECONNREFUSED, one that is stopped may
 * give ETIMEDOUT. */
int job_connect(const char *path, double patience, job_t *job);

/* The same, LOOKS times where there is no socket, a tenth of a second in between: where another
 * process comes to lead a job, there is none for a moment. */
int job_reach(const char *path, double patience, int looks, job_t *job);

void job_close(job_t *job);

/* Sends REQUEST, which it deletes. Less than 0 when the job has gone, or is silent. */
int job_ask(job_t *job, cJSON *request);

/* The next line from the job, to be deleted; NULL when it has gone, says what is no JSON, or is
 * silent. */
cJSON *job_hear(job_t *job);

/* The same of a line that may be long in coming, as the program has to do something for it: a job
 * that answers others meanwhile is waited for; one that does not, or stands still, is silent. */
cJSON *job_await(job_t *job);

/* Whether the job answers somebody who comes anew and asks for what it knows, within half of what
 * it is waited for, and gets on. */
bool job_answers(job_t *job);

/* Whether a member whose process is on this node is stopped, so that the job does not get on, and
 * was when this was asked last: which one is in JOB. STATUS is what the job has said of itself. */
bool job_stands_still(job_t *job, const cJSON *status);

/* Sends REQUEST and awaits the answer. A leader that hands over does not answer any more: then the
 * next one is asked, for some seconds. As job_await. */
cJSON *job_ask_leader(job_t *job, const cJSON *request);

/* Calls VISIT with each socket of a job in FOLDER, and its name, which is a number. 0, or less
 * where the folder cannot be read. */
int job_each(const char *folder, void (*visit)(const char *path, const char *name, void *context),
             void *context);

/* The number or text NAME of OBJECT; 0 or "" where there is none. */
double job_number(const cJSON *object, const char *name);
const char *job_text(const cJSON *object, const char *name);

#endif
