/* SPDX-License-Identifier: BSD-3-Clause
 * Talking to running jobs (runtime/control/job.h says what the messages are). */
#ifndef XMPI_TOOL_JOB_H
#define XMPI_TOOL_JOB_H

#include <cjson/cJSON.h>
#include <stdio.h>

/* A connection: lines out by its descriptor, lines in by a stream. */
typedef struct {
    int fd;
    FILE *from;     /* NULL: closed */
    char path[108]; /* of its socket; that is how long they are */
} job_t;

/* Connects to the socket PATH; errno says why it cannot. What a killed job left behind gives
 * ECONNREFUSED. */
int job_connect(const char *path, job_t *job);
void job_close(job_t *job);

/* Sends REQUEST, which it deletes. Less than 0 when the job has gone. */
int job_ask(job_t *job, cJSON *request);

/* The next line from the job, to be deleted; NULL when it has gone or says what is no JSON. */
cJSON *job_hear(job_t *job);

/* Sends REQUEST and hears the answer. A leader that hands over does not answer any more: then the
 * next one is asked, for some seconds. As job_hear. */
cJSON *job_ask_leader(job_t *job, const cJSON *request);

/* Calls VISIT with each socket of a job in FOLDER, and its name, which is a number. 0, or less
 * where the folder cannot be read. */
int job_each(const char *folder, void (*visit)(const char *path, const char *name, void *context),
             void *context);

/* The number or text NAME of OBJECT; 0 or "" where there is none. */
double job_number(const cJSON *object, const char *name);
const char *job_text(const cJSON *object, const char *name);

#endif
