/* SPDX-License-Identifier: BSD-3-Clause
 * Writer of events. */
#define _GNU_SOURCE
#include "trace/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/data/json.h"

typedef struct {
    cJSON *object;
    bool recurring;
} queued_t;

struct xmpi_writer {
    int fd;
    int64_t limit; /* of the file, for recurring events */
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed, emptied;
    queued_t queue[XMPI_WRITER_QUEUE]; /* a ring */
    int first, events;
    bool closing;
    bool writing; /* an event that is not in the queue any more */
    char *path;   /* malloc, for the message */
    atomic_bool failed;
    bool broken;                 /* the file ends in the middle of a line */
    int64_t before;              /* bytes that were there when it was opened */
    _Atomic int64_t size, lines; /* written since */
    _Atomic int64_t omitted;     /* recurring events beyond the limit */
};

/* What an event takes until there are some to go by. */
enum { USUAL_LINE = 512 };

/* Once: it may go on for hours. */
static void complain(xmpi_writer_t *writer, int reason)
{
    if (!atomic_exchange(&writer->failed, true))
        fprintf(stderr, "xmpi: the trace %s is not complete: %s\n", writer->path, strerror(reason));
}

/* The rest of what was written in part is tried at once, which tells why: a full disk takes some.
 */
static void write_text(xmpi_writer_t *writer, const char *text, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t written = write(writer->fd, text + done, length - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            complain(writer, written < 0 ? errno : ENOSPC);
            return;
        }
        done += (size_t)written;
        writer->size += written;
        writer->broken = text[done - 1] != '\n';
    }
}

/* A full disk costs lines, never the job. How long a line is, is known only here: the limit is
 * held here, whatever was estimated when the event was queued. */
static void write_line(xmpi_writer_t *writer, queued_t event)
{
    char *line = cJSON_PrintUnformatted(event.object);
    cJSON_Delete(event.object);
    if (line == NULL)
        return;
    size_t length = strlen(line);
    if (event.recurring && writer->before + writer->size + (int64_t)length >= writer->limit) {
        writer->omitted++;
        cJSON_free(line);
        return;
    }
    line[length++] = '\n'; /* in the place of the NUL */
    if (writer->broken)
        write_text(writer, "\n", 1);
    if (!writer->broken)
        write_text(writer, line, length);
    writer->lines++;
    cJSON_free(line);
}

static queued_t next(xmpi_writer_t *writer)
{
    queued_t event = {NULL, false};
    pthread_mutex_lock(&writer->lock);
    writer->writing = false;
    if (writer->events == 0)
        pthread_cond_broadcast(&writer->emptied);
    while (writer->events == 0 && !writer->closing)
        pthread_cond_wait(&writer->changed, &writer->lock);
    if (writer->events > 0) {
        event = writer->queue[writer->first];
        writer->first = (writer->first + 1) % XMPI_WRITER_QUEUE;
        writer->events--;
    }
    writer->writing = event.object != NULL;
    pthread_mutex_unlock(&writer->lock);
    return event;
}

static void *write_events(void *argument)
{
    xmpi_writer_t *writer = argument;
    for (queued_t event = next(writer); event.object != NULL; event = next(writer))
        write_line(writer, event);
    return NULL;
}

/* The signals of the program are for its own threads. */
static int start_thread(xmpi_writer_t *writer)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure = pthread_create(&writer->thread, NULL, write_events, writer);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure;
}

xmpi_status_t xmpi_writer_open(const char *path, bool first, int64_t limit, xmpi_writer_t **writer,
                               xmpi_error_t *error)
{
    struct stat file;
    xmpi_status_t status = xmpi_json_load(error);
    if (status != XMPI_OK)
        return status;
    int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (first ? O_TRUNC : 0);
    int fd = open(path, flags, 0666);
    if (fd < 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s: %s", path, strerror(errno));
    xmpi_writer_t *made = calloc(1, sizeof *made);
    if (made != NULL) {
        made->fd = fd;
        made->limit = limit;
        made->path = strdup(path);
        made->before = fstat(fd, &file) == 0 ? (int64_t)file.st_size : 0;
        pthread_mutex_init(&made->lock, NULL);
        pthread_cond_init(&made->changed, NULL);
        pthread_cond_init(&made->emptied, NULL);
    }
    if (made == NULL || made->path == NULL || start_thread(made) != 0) {
        if (made != NULL)
            free(made->path);
        free(made);
        close(fd);
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "%s: no memory to write it", path);
    }
    *writer = made;
    return XMPI_OK;
}

bool xmpi_writer_put(xmpi_writer_t *writer, cJSON *event, bool recurring)
{
    pthread_mutex_lock(&writer->lock);
    bool room = writer->events < XMPI_WRITER_QUEUE;
    if (room) {
        writer->queue[(writer->first + writer->events++) % XMPI_WRITER_QUEUE] =
            (queued_t){event, recurring};
        pthread_cond_signal(&writer->changed);
    }
    pthread_mutex_unlock(&writer->lock);
    if (!room)
        cJSON_Delete(event);
    return room;
}

void xmpi_writer_drain(xmpi_writer_t *writer)
{
    pthread_mutex_lock(&writer->lock);
    while (writer->events > 0 || writer->writing)
        pthread_cond_wait(&writer->emptied, &writer->lock);
    pthread_mutex_unlock(&writer->lock);
}

bool xmpi_writer_failed(const xmpi_writer_t *writer)
{
    return atomic_load(&writer->failed);
}

int64_t xmpi_writer_omitted(const xmpi_writer_t *writer)
{
    return writer->omitted;
}

int64_t xmpi_writer_size(xmpi_writer_t *writer)
{
    pthread_mutex_lock(&writer->lock);
    int64_t queued = writer->events;
    pthread_mutex_unlock(&writer->lock);
    int64_t lines = writer->lines, size = writer->size;
    return writer->before + size + queued * (lines > 0 ? size / lines : USUAL_LINE);
}

void xmpi_writer_close(xmpi_writer_t *writer)
{
    if (writer == NULL)
        return;
    pthread_mutex_lock(&writer->lock);
    writer->closing = true;
    pthread_cond_signal(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
    pthread_join(writer->thread, NULL);
    pthread_cond_destroy(&writer->changed);
    pthread_cond_destroy(&writer->emptied);
    pthread_mutex_destroy(&writer->lock);
    if (close(writer->fd) != 0) /* what a file system of the network writes late */
        complain(writer, errno);
    free(writer->path);
    free(writer);
}
