/* SPDX-License-Identifier: BSD-3-Clause
 * Talking to running jobs. */
#define _GNU_SOURCE
#include "job.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int job_connect(const char *path, job_t *job)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    *job = (job_t){.fd = -1};
    if (strlen(path) >= sizeof job->path || strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    strcpy(job->path, path);
    job->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (job->fd >= 0 && connect(job->fd, (struct sockaddr *)&address, sizeof address) == 0)
        job->from = fdopen(job->fd, "r");
    if (job->from != NULL)
        return 0;
    int failure = errno;
    if (job->fd >= 0)
        close(job->fd);
    errno = failure;
    return -1;
}

void job_close(job_t *job)
{
    if (job->from != NULL)
        fclose(job->from);
    *job = (job_t){.fd = -1};
}

static int send_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(fd, text, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
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
    int status = text == NULL || send_all(job->fd, text, strlen(text)) != 0 ||
                         send_all(job->fd, "\n", 1) != 0
                     ? -1
                     : 0;
    cJSON_free(text);
    return status;
}

cJSON *job_hear(job_t *job)
{
    char *line = NULL;
    size_t room = 0;
    cJSON *answer = NULL;
    if (getline(&line, &room, job->from) > 0)
        answer = cJSON_Parse(line);
    free(line);
    return answer;
}

/* The next leader opens a socket of the same name when the change is done. */
static bool connect_again(job_t *job)
{
    enum { TIMES = 50, PAUSE = 100000 };
    for (int i = 0; i < TIMES; i++) {
        job_t next;
        usleep(PAUSE);
        if (job_connect(job->path, &next) != 0)
            continue;
        job_close(job);
        *job = next;
        return true;
    }
    return false;
}

cJSON *job_ask_leader(job_t *job, const cJSON *request)
{
    enum { LEADERS = 4 }; /* one after another */
    for (int i = 0; i < LEADERS && (i == 0 || connect_again(job)); i++) {
        cJSON *answer = job_ask(job, cJSON_Duplicate(request, 1)) == 0 ? job_hear(job) : NULL;
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
