/* SPDX-License-Identifier: BSD-3-Clause
 * Talking to running jobs. */
#define _GNU_SOURCE
#include "job.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/process/seconds.h"

int job_address(const char *path, struct sockaddr_un *address)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (strlen(path) < sizeof address->sun_path) {
        strcpy(address->sun_path, path);
        return 0;
    }
    errno = ENAMETOOLONG;
    return -1;
}

/* Neither connecting, where many wait already, nor sending waits longer. */
static int limit(int fd, double seconds)
{
    time_t whole = (time_t)seconds;
    struct timeval most = {.tv_sec = whole,
                           .tv_usec = (suseconds_t)(1e6 * (seconds - (double)whole))};
    if (most.tv_sec == 0 && most.tv_usec == 0)
        most.tv_usec = 1; /* (zero would be for ever) */
    return setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
}

int job_connect(const char *path, double patience, job_t *job)
{
    struct sockaddr_un address;
    *job = (job_t){.fd = -1, .patience = patience};
    if (job_address(path, &address) != 0)
        return -1;
    strcpy(job->path, path);
    job->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (job->fd >= 0 && limit(job->fd, patience) == 0 &&
        connect(job->fd, (struct sockaddr *)&address, sizeof address) == 0)
        return 0;
    int failure = errno == EAGAIN ? ETIMEDOUT : errno;
    job_close(job);
    errno = failure;
    return -1;
}

int job_reach(const char *path, double patience, int looks, job_t *job)
{
    enum { BETWEEN = 100000 };
    int status = job_connect(path, patience, job);
    for (int i = 1; i < looks && status != 0 && (errno == ENOENT || errno == ECONNREFUSED); i++) {
        usleep(BETWEEN);
        status = job_connect(path, patience, job);
    }
    return status;
}

void job_close(job_t *job)
{
    if (job->fd >= 0)
        close(job->fd);
    free(job->heard);
    *job = (job_t){.fd = -1};
}

static int send_all(job_t *job, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(job->fd, text, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        job->silent = sent < 0 && errno == EAGAIN;
        if (sent < 0)
            return -1;
        text += sent;
        length -= (size_t)sent;
    }
    return 0;
}

int job_ask(job_t *job, cJSON *request)
{
    char *text = cJSON_PrintUnformatted(request);
    cJSON_Delete(request);
    int status =
        text == NULL || send_all(job, text, strlen(text)) != 0 || send_all(job, "\n", 1) != 0 ? -1
                                                                                              : 0;
    cJSON_free(text);
    return status;
}

/* Something that comes before the time UNTIL. */
static bool receive(job_t *job, double until)
{
    enum { PIECE = 1 << 14 };
    struct pollfd ready = {.fd = job->fd, .events = POLLIN};
    double left = until - xmpi_seconds_now();
    int n = poll(&ready, 1, left > 0 ? 1 + (int)(1e3 * left) : 0);
    if (n < 0 && errno == EINTR)
        return true;
    job->silent = n == 0;
    char *more = n > 0 ? realloc(job->heard, job->length + PIECE) : NULL;
    if (more == NULL)
        return false;
    job->heard = more;
    ssize_t got = recv(job->fd, job->heard + job->length, PIECE, 0);
    job->length += got > 0 ? (size_t)got : 0;
    return got > 0 || (got < 0 && errno == EINTR);
}

static cJSON *hear_for(job_t *job, double seconds)
{
    double until = xmpi_seconds_now() + seconds;
    size_t looked = 0;
    char *end = NULL;
    job->silent = false;
    while ((end = job->length > looked ? memchr(job->heard + looked, '\n', job->length - looked)
                                       : NULL) == NULL) {
        looked = job->length;
        if (!receive(job, until))
            return NULL;
    }
    *end++ = '\0';
    cJSON *answer = cJSON_Parse(job->heard);
    job->length -= (size_t)(end - job->heard);
    memmove(job->heard, end, job->length);
    return answer;
}

cJSON *job_hear(job_t *job)
{
    return hear_for(job, job->patience);
}

enum { LOOKS = 10, LOOKS_FOR_NEXT = 50 }; /* for the socket of a leader */

static cJSON *status_request(void)
{
    cJSON *request = cJSON_CreateObject();
    cJSON_AddStringToObject(request, "command", "status");
    return request;
}

/* The process PID is stopped, and that of a program that is called NAME. */
static bool is_stopped(int pid, const char *name)
{
    enum { SHOWN = 15 }; /* characters of a name */
    char path[64], line[512] = "", state = '?';
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "re");
    bool read = file != NULL && fgets(line, sizeof line, file) != NULL;
    if (file != NULL)
        fclose(file);
    char *open = strchr(line, '('), *close = strrchr(line, ')');
    if (!read || open == NULL || close == NULL || sscanf(close, ") %c", &state) != 1)
        return false;
    *close = '\0';
    return strncmp(open + 1, name, SHOWN) == 0 && (state == 'T' || state == 't');
}

bool job_stands_still(job_t *job, const cJSON *status)
{
    const cJSON *member;
    int rank = 0, before = job->stopped;
    job->stopped = 0;
    cJSON_ArrayForEach(member, cJSON_GetObjectItemCaseSensitive(status, "members"))
    {
        int pid = (int)job_number(member, "pid");
        if (job->stopped == 0 && pid > 0 && is_stopped(pid, job_text(status, "program"))) {
            job->stopped = pid;
            job->stopped_rank = rank;
        }
        rank++;
    }
    return job->stopped != 0 && job->stopped == before;
}

/* Half of what a job is waited for: the other half has gone by. */
bool job_answers(job_t *job)
{
    job_t other;
    cJSON *status = NULL;
    if (job_reach(job->path, job->patience, LOOKS, &other) != 0)
        return false;
    if (job_ask(&other, status_request()) == 0)
        status = hear_for(&other, job->patience / 2);
    bool answers = !other.silent; /* also where it has gone: then it closes this connection too */
    bool still = job_stands_still(job, status);
    cJSON_Delete(status);
    job_close(&other);
    return answers && !still;
}

cJSON *job_await(job_t *job)
{
    cJSON *answer = hear_for(job, job->patience / 2);
    while (answer == NULL && job->silent && job_answers(job))
        answer = hear_for(job, job->patience / 2);
    return answer;
}

/* The next leader opens a socket of the same name when the change is done. */
static bool connect_again(job_t *job)
{
    enum { PAUSE = 100000 };
    job_t next;
    usleep(PAUSE);
    if (job_reach(job->path, job->patience, LOOKS_FOR_NEXT, &next) != 0)
        return false;
    job_close(job);
    *job = next;
    return true;
}

cJSON *job_ask_leader(job_t *job, const cJSON *request)
{
    enum { LEADERS = 4 }; /* one after another */
    for (int i = 0; i < LEADERS && !job->silent && (i == 0 || connect_again(job)); i++) {
        cJSON *answer = job_ask(job, cJSON_Duplicate(request, 1)) == 0 ? job_await(job) : NULL;
        if (answer != NULL)
            return answer;
    }
    return NULL;
}

int job_each(const char *folder, void (*visit)(const char *path, const char *name, void *context),
             void *context)
{
    DIR *files = opendir(folder);
    struct dirent *entry;
    if (files == NULL)
        return -1;
    while ((entry = readdir(files)) != NULL) {
        char name[64], path[sizeof((job_t *)0)->path];
        size_t length = strlen(entry->d_name);
        if (length < 6 || length > 60 || strcmp(entry->d_name + length - 5, ".sock") != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(length - 5), entry->d_name);
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path)
            visit(path, name, context);
    }
    closedir(files);
    return 0;
}

double job_number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

const char *job_text(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text != NULL ? text : "";
}
