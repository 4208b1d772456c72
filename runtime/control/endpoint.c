/* SPDX-License-Identifier: BSD-3-Clause
 * The control endpoint. */
#define _GNU_SOURCE
#include "control/endpoint.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "control/address.h"
#include "control/clients.h"
#include "decide/policies/catalogue.h"
#include "decide/policy/policy.h"
#include "base/data/json.h"
#include "base/process/seconds.h"
#include "settings/goal_text.h"

enum {
    PER_TURN = 32,  /* events served before the thread rests ... */
    ENDED_MAX = 64, /* ends of loops that are kept until watchers have been told */
    REST = 50,      /* ... for so many ms: at most 640 a second, whoever asks */
    LOOK = 200,     /* ms from one line to watchers to the next */
    PATIENCE =
        100 /* ms that who watched the leader before is waited for, should the end come first */
};

/* What watchers are told: a status, by the number of the job that it is of. */
typedef struct {
    int64_t number;
    char *line; /* malloc */
} news_t;

struct xmpi_endpoint {
    char path[sizeof((struct sockaddr_un *)0)->sun_path];
    dev_t device; /* of the socket that was made there */
    ino_t inode;
    pid_t owner;        /* who has opened it: what the program forks has a copy of all this */
    int listener, wake; /* an eventfd, for the end */
    pthread_t thread;
    pthread_mutex_t lock;     /* of what follows */
    char *line;               /* the answer to a status request; malloc */
    char *later[XMPI_LATERS]; /* answers that nobody has been told of yet; malloc */
    xmpi_job_t job;
    int64_t number;          /* of the job: there were so many */
    bool fresh;              /* it is newer than the line */
    news_t ended[ENDED_MAX]; /* the last of loops that another one has followed since */
    int endings;
    int64_t told; /* the number of the last that watchers were told */
    bool closing;
    bool handed_over; /* requests wait for the next leader */
    bool followed;    /* somebody watched the leader before */
    xmpi_waiting_t waiting;
};

/* --- the program's side ----------------------------------------------------------------------- */

/* The next loop may begin before anybody has been told that this one is over. */
static void keep_ended(xmpi_endpoint_t *endpoint)
{
    bool keeps = endpoint->job.over && endpoint->waiting.watched && endpoint->endings < ENDED_MAX;
    char *line = keeps ? xmpi_job_line(&endpoint->job) : NULL;
    if (line != NULL)
        endpoint->ended[endpoint->endings++] = (news_t){endpoint->number, line};
}

static void copy_job(xmpi_endpoint_t *endpoint, const xmpi_job_t *job)
{
    xmpi_job_member_t *old = endpoint->job.member;
    size_t size = (size_t)job->members * sizeof *old;
    keep_ended(endpoint);
    xmpi_job_member_t *member = realloc(old, size > 0 ? size : 1);
    if (member == NULL)
        return; /* what was known stays */
    endpoint->job = *job;
    endpoint->job.member = member;
    endpoint->number++;
    if (size > 0)
        memcpy(member, job->member, size);
    endpoint->fresh = true;
}

void xmpi_endpoint_publish(xmpi_endpoint_t *endpoint, const xmpi_job_t *job)
{
    if (endpoint == NULL)
        return;
    pthread_mutex_lock(&endpoint->lock);
    copy_job(endpoint, job);
    pthread_mutex_unlock(&endpoint->lock);
}

void xmpi_endpoint_answer(xmpi_endpoint_t *endpoint, xmpi_later_t what, char *line)
{
    if (line == NULL)
        line = xmpi_refused_line("there is no memory for the answer");
    if (endpoint == NULL) {
        free(line);
        return;
    }
    pthread_mutex_lock(&endpoint->lock);
    free(endpoint->later[what]);
    endpoint->later[what] = line;
    pthread_mutex_unlock(&endpoint->lock);
}

bool xmpi_endpoint_take(xmpi_endpoint_t *endpoint, xmpi_request_t *request)
{
    if (endpoint == NULL)
        return false;
    pthread_mutex_lock(&endpoint->lock);
    xmpi_waiting_t *waiting = &endpoint->waiting;
    bool there = waiting->requests > 0;
    if (there) {
        *request = waiting->request[0];
        waiting->requests--;
        memmove(waiting->request, waiting->request + 1,
                (size_t)waiting->requests * sizeof *request);
    }
    pthread_mutex_unlock(&endpoint->lock);
    return there;
}

void xmpi_endpoint_hand_over(xmpi_endpoint_t *endpoint, xmpi_waiting_t *waiting)
{
    if (endpoint == NULL)
        return;
    pthread_mutex_lock(&endpoint->lock);
    endpoint->handed_over = true;
    *waiting = endpoint->waiting;
    pthread_mutex_unlock(&endpoint->lock);
}

void xmpi_endpoint_go_on(xmpi_endpoint_t *endpoint)
{
    uint64_t one = 1;
    if (endpoint == NULL)
        return;
    pthread_mutex_lock(&endpoint->lock);
    bool wakes = endpoint->handed_over;
    endpoint->handed_over = false;
    pthread_mutex_unlock(&endpoint->lock);
    if (wakes && write(endpoint->wake, &one, sizeof one) < 0)
        return; /* it is full: the thread is awake */
}

/* --- the thread's side ------------------------------------------------------------------------ */

/* With the lock: the status; its line is a copy, malloc, or NULL. */
static news_t newest(xmpi_endpoint_t *endpoint)
{
    if (endpoint->fresh || endpoint->line == NULL) {
        free(endpoint->line);
        endpoint->line = xmpi_job_line(&endpoint->job);
        endpoint->fresh = false;
    }
    char *line = endpoint->line != NULL ? strdup(endpoint->line) : NULL;
    return (news_t){endpoint->number, line};
}

/* What can be told at once, without the program. */
static xmpi_status_t check_text(const xmpi_request_t *request, xmpi_error_t *error)
{
    xmpi_goal_t goal;
    if (request->kind == XMPI_REQUEST_GOAL)
        return xmpi_goal_parse(request->text, time(NULL), &goal, error);
    if (request->kind != XMPI_REQUEST_POLICY || strcmp(request->text, "off") == 0 ||
        xmpi_policy_find(request->text) != NULL)
        return XMPI_OK;
    return xmpi_error_set(error, XMPI_ERR_INPUT, "\"%.64s\" is no policy: one of %s", request->text,
                          xmpi_policy_names());
}

/* The lines of the log that somebody does not know yet. */
static char *log_line(xmpi_endpoint_t *endpoint, int64_t known)
{
    pthread_mutex_lock(&endpoint->lock);
    char *line = xmpi_log_answer(&endpoint->job.log, known);
    pthread_mutex_unlock(&endpoint->lock);
    return line;
}

/* What the program answers, of a request; XMPI_LATERS: nothing. */
static xmpi_later_t later_of(const xmpi_request_t *request)
{
    return request->kind == XMPI_REQUEST_MATRIX  ? XMPI_LATER_MATRIX
           : request->kind == XMPI_REQUEST_WORTH ? XMPI_LATER_WORTH
                                                 : XMPI_LATERS;
}

/* Why no interval ends any more, in which requests would be carried out; static. NULL: one will. */
static const char *why_no_end(const xmpi_job_t *job)
{
    if (job->over)
        return "the adaptive loop has ended";
    return job->keeps[0] != '\0' ? "this loop keeps its processes and blocks (xmpictl status says "
                                   "why), and nothing is "
                                   "carried out until it ends"
                                 : NULL;
}

/* Whether something can come of REQUEST, or why not, which its sender need not wait to hear. Others
 * that wait may still change what there is. */
static xmpi_status_t check_now(const xmpi_endpoint_t *endpoint, const xmpi_request_t *request,
                               xmpi_error_t *error)
{
    const char *never = why_no_end(&endpoint->job);
    if (never != NULL)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s", never);
    if (endpoint->waiting.requests == XMPI_WAITING_MAX)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "too many requests wait for the end of the interval");
    return endpoint->waiting.requests > 0
               ? xmpi_request_check_number(request, endpoint->job.movable, endpoint->job.members,
                                           error)
               : xmpi_request_check(request, &endpoint->job, error);
}

/* NULL: the answer comes LATER, when the request is looked at again, or when it is carried out. */
static char *queue_request(xmpi_endpoint_t *endpoint, const xmpi_request_t *request, bool *later)
{
    xmpi_later_t asked = later_of(request);
    bool asks = asked < XMPI_LATERS;
    xmpi_waiting_t *waiting = &endpoint->waiting;
    pthread_mutex_lock(&endpoint->lock);
    *later = endpoint->handed_over;
    xmpi_error_t error;
    bool room = !*later && check_now(endpoint, request, &error) == XMPI_OK;
    int64_t number = waiting->last += room;
    if (room) {
        waiting->request[waiting->requests] = *request;
        waiting->request[waiting->requests++].number = number;
    }
    if (asks) { /* not one that others asked for */
        free(endpoint->later[asked]);
        endpoint->later[asked] = NULL;
    }
    pthread_mutex_unlock(&endpoint->lock);
    if (*later)
        return NULL;
    if (room)
        return asks ? NULL : xmpi_accepted_line(number);
    return xmpi_refused_line(error.text);
}

/* The status line, malloc, for CLIENT; who begins to watch hears of what comes after it. */
static char *status_line(xmpi_endpoint_t *endpoint, client_t *client, bool watches)
{
    pthread_mutex_lock(&endpoint->lock);
    news_t now = newest(endpoint);
    endpoint->waiting.watched = endpoint->waiting.watched || watches;
    pthread_mutex_unlock(&endpoint->lock);
    if (watches && !client->watches)
        client->heard = now.number;
    client->watches = client->watches || watches;
    return now.line;
}

/* NULL: the answer comes later, or from another process. */
static char *answer(xmpi_endpoint_t *endpoint, client_t *client, const char *line)
{
    xmpi_request_t request;
    xmpi_error_t error;
    if (xmpi_request_read(line, &request, &error) != XMPI_OK ||
        check_text(&request, &error) != XMPI_OK)
        return xmpi_refused_line(error.text);
    if (request.kind == XMPI_REQUEST_LOG)
        return log_line(endpoint, request.known);
    if (request.kind > XMPI_REQUEST_WATCH) {
        bool later;
        char *reply = queue_request(endpoint, &request, &later);
        if (later)
            clients_put_back(client, line);
        if (reply == NULL && !later)
            client->asks[later_of(&request)] = true;
        return reply;
    }
    return status_line(endpoint, client, request.kind == XMPI_REQUEST_WATCH);
}

/* What has not been told yet, the oldest first: at most ENDED_MAX + 1; how many. */
static int take_news(xmpi_endpoint_t *endpoint, news_t *news)
{
    int n = 0;
    pthread_mutex_lock(&endpoint->lock);
    for (; n < endpoint->endings; n++)
        news[n] = endpoint->ended[n];
    endpoint->endings = 0;
    if (endpoint->told < endpoint->number)
        news[n++] = newest(endpoint);
    endpoint->told = endpoint->number;
    pthread_mutex_unlock(&endpoint->lock);
    return n;
}

static void tell_watchers(xmpi_endpoint_t *endpoint, clients_t *clients)
{
    news_t news[ENDED_MAX + 1];
    int n = take_news(endpoint, news);
    for (int i = 0; i < CLIENTS_MAX; i++) {
        client_t *client = &clients->client[i];
        for (int k = 0; k < n && client->fd >= 0 && client->watches; k++) {
            if (news[k].number <= client->heard)
                continue;
            client->heard = news[k].number;
            clients_tell(client, news[k].line);
        }
    }
    for (int k = 0; k < n; k++)
        free(news[k].line);
}

/* Those who have asked for WHAT. No answer comes any more where no interval ends, nor where the
 * endpoint ENDS, as another process leads. */
static void tell_later(xmpi_endpoint_t *endpoint, clients_t *clients, xmpi_later_t what, bool ends)
{
    pthread_mutex_lock(&endpoint->lock);
    char *line = endpoint->later[what];
    const char *never = why_no_end(&endpoint->job);
    endpoint->later[what] = NULL;
    pthread_mutex_unlock(&endpoint->lock);
    if (line == NULL && (never != NULL || ends))
        line = xmpi_refused_line(
            never != NULL ? never : "another process leads the job from now on: ask again");
    for (int i = 0; i < CLIENTS_MAX && line != NULL; i++) {
        client_t *client = &clients->client[i];
        if (client->fd < 0 || !client->asks[what])
            continue;
        client->asks[what] = false;
        clients_tell(client, line);
    }
    free(line);
}

static void tell_all(xmpi_endpoint_t *endpoint, clients_t *clients, bool ends)
{
    tell_watchers(endpoint, clients);
    for (int what = 0; what < XMPI_LATERS; what++)
        tell_later(endpoint, clients, (xmpi_later_t)what, ends);
}

/* The requests that have arrived from one client; at most MOST. How many there were. */
static int serve_client(xmpi_endpoint_t *endpoint, client_t *client, int most)
{
    char line[XMPI_REQUEST_LINE];
    int served = 0;
    clients_receive(client);
    while (served < most && client->fd >= 0 && !client->waits && clients_next_line(client, line)) {
        char *reply = answer(endpoint, client, line);
        clients_tell(client, reply);
        free(reply);
        served++;
    }
    return served;
}

static bool closing(xmpi_endpoint_t *endpoint)
{
    pthread_mutex_lock(&endpoint->lock);
    bool end = endpoint->closing;
    pthread_mutex_unlock(&endpoint->lock);
    return end;
}

/* Who waits is looked at again. */
static void go_on(xmpi_endpoint_t *endpoint, clients_t *clients)
{
    uint64_t woken;
    if (closing(endpoint) || read(endpoint->wake, &woken, sizeof woken) < 0)
        return;
    for (int i = 0; i < CLIENTS_MAX; i++)
        clients->client[i].waits = false;
}

/* One turn: how many things were done. */
static int serve(xmpi_endpoint_t *endpoint, clients_t *clients, const struct pollfd *ready)
{
    int done = 0;
    if (ready[0].revents != 0)
        go_on(endpoint, clients);
    if (ready[1].revents != 0)
        done += clients_accept(clients, endpoint->listener);
    for (int i = 0; i < CLIENTS_MAX; i++) {
        client_t *client = &clients->client[i];
        if (client->fd < 0)
            continue;
        if (ready[2 + i].revents & POLLOUT)
            clients_flush(client);
        int ends = ready[2 + i].revents & (POLLHUP | POLLERR);
        int news = ends | (client->waits ? 0 : ready[2 + i].revents & POLLIN);
        if (ends != 0 && client->ended && client->fd >= 0)
            clients_leave(client);
        bool more = news != 0 || (client->pending && !client->waits);
        if (more && client->fd >= 0)
            done += 1 + serve_client(endpoint, client, PER_TURN / 4);
    }
    return done;
}

/* Waits for something to do, or for the next look at what watchers want to know. How many things
 * were done in this turn so far. */
static int turn(xmpi_endpoint_t *endpoint, clients_t *clients, int done)
{
    struct pollfd ready[2 + CLIENTS_MAX];
    bool pending, watched;
    ready[0] = (struct pollfd){.fd = endpoint->wake, .events = POLLIN};
    ready[1] = (struct pollfd){.fd = endpoint->listener, .events = POLLIN};
    clients_part(clients);
    clients_poll(clients, ready + 2, &pending, &watched);
    if (done >= PER_TURN) { /* enough for now: only the end cuts the rest short */
        poll(ready, 1, REST);
        return 0;
    }
    int n = poll(ready, 2 + CLIENTS_MAX, pending ? 0 : watched ? LOOK : -1);
    if (n < 0)
        return done;
    return n == 0 && !pending ? 0 : done + serve(endpoint, clients, ready);
}

/* Who comes within so many MS is let in, and answered. */
static void serve_within(xmpi_endpoint_t *endpoint, clients_t *clients, int ms)
{
    struct pollfd ready[2 + CLIENTS_MAX];
    bool pending, watched;
    ready[0] = (struct pollfd){.fd = -1};
    ready[1] = (struct pollfd){.fd = endpoint->listener, .events = POLLIN};
    clients_poll(clients, ready + 2, &pending, &watched);
    if (poll(ready, 2 + CLIENTS_MAX, ms) > 0)
        serve(endpoint, clients, ready);
}

/* The loop is over, which those who watched the leader before would like to know, and none of them
 * has found this one yet. */
static bool is_missed(const xmpi_endpoint_t *endpoint, const clients_t *clients)
{
    bool watched = false;
    for (int i = 0; i < CLIENTS_MAX; i++)
        watched = watched || (clients->client[i].fd >= 0 && clients->client[i].watches);
    return endpoint->job.over && endpoint->followed && !watched;
}

/* Who came just before the end, and has asked, is answered still. */
static void serve_the_last(xmpi_endpoint_t *endpoint, clients_t *clients)
{
    double until = xmpi_seconds_now() + 1e-3 * PATIENCE;
    for (int i = 0; i < 2; i++) /* they are let in, and heard */
        serve_within(endpoint, clients, 0);
    while (is_missed(endpoint, clients) && xmpi_seconds_now() < until)
        serve_within(endpoint, clients, 5);
}

static void *run(void *argument)
{
    xmpi_endpoint_t *endpoint = argument;
    clients_t clients;
    int done = 0;
    double told = 0;
    clients_start(&clients);
    setpriority(PRIO_PROCESS, 0, 19); /* of this thread: the program comes first */
    while (!closing(endpoint)) {
        done = turn(endpoint, &clients, done);
        if (xmpi_seconds_now() - told < 1e-3 * LOOK)
            continue;
        tell_all(endpoint, &clients, false);
        told = xmpi_seconds_now();
    }
    serve_the_last(endpoint, &clients);
    tell_all(endpoint, &clients, true);
    clients_end(&clients);
    return NULL;
}

/* --- life ------------------------------------------------------------------------------------- */

/* The signals of the program are for its own threads. */
static int start_thread(xmpi_endpoint_t *endpoint)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure = pthread_create(&endpoint->thread, NULL, run, endpoint);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure;
}

/* The next leader may have put its own socket in the place of this one. */
static bool is_ours(const xmpi_endpoint_t *endpoint)
{
    struct stat file;
    return lstat(endpoint->path, &file) == 0 && file.st_dev == endpoint->device &&
           file.st_ino == endpoint->inode;
}

static void remember(xmpi_endpoint_t *endpoint)
{
    struct stat file;
    if (lstat(endpoint->path, &file) != 0)
        return;
    endpoint->device = file.st_dev;
    endpoint->inode = file.st_ino;
    endpoint->owner = getpid();
}

static void release(xmpi_endpoint_t *endpoint)
{
    if (endpoint->listener >= 0) {
        if (is_ours(endpoint))
            unlink(endpoint->path); /* nobody finds one that refuses */
        close(endpoint->listener);
    }
    if (endpoint->wake >= 0)
        close(endpoint->wake);
    pthread_mutex_destroy(&endpoint->lock);
    free(endpoint->job.member);
    free(endpoint->line);
    for (int i = 0; i < endpoint->endings; i++)
        free(endpoint->ended[i].line);
    for (int what = 0; what < XMPI_LATERS; what++)
        free(endpoint->later[what]);
    free(endpoint);
}

xmpi_status_t xmpi_endpoint_open(const char *path, const xmpi_job_t *job,
                                 const xmpi_waiting_t *waiting, xmpi_endpoint_t **endpoint,
                                 xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_json_load(error);
    if (status != XMPI_OK)
        return status;
    xmpi_endpoint_t *made = calloc(1, sizeof *made);
    if (made == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "%s: no memory", path);
    pthread_mutex_init(&made->lock, NULL);
    made->listener = -1;
    made->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (strlen(path) >= sizeof made->path) {
        release(made);
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s: too long for the name of a socket", path);
    }
    strcpy(made->path, path);
    copy_job(made, job);
    if (waiting != NULL)
        made->waiting = *waiting;
    made->followed = made->waiting.watched;
    made->listener = made->wake >= 0 ? xmpi_address_listen(path) : -1;
    remember(made);
    if (made->listener < 0 || start_thread(made) != 0) {
        xmpi_error_set(error, XMPI_ERR_INPUT, "%s: %s", path, strerror(errno));
        release(made);
        return XMPI_ERR_INPUT;
    }
    *endpoint = made;
    return XMPI_OK;
}

void xmpi_endpoint_vanish(const xmpi_endpoint_t *endpoint)
{
    if (endpoint != NULL && endpoint->owner == getpid() && is_ours(endpoint))
        unlink(endpoint->path);
}

void xmpi_endpoint_close(xmpi_endpoint_t *endpoint)
{
    if (endpoint == NULL)
        return;
    pthread_mutex_lock(&endpoint->lock);
    endpoint->closing = true;
    pthread_mutex_unlock(&endpoint->lock);
    uint64_t one = 1;
    if (write(endpoint->wake, &one, sizeof one) == sizeof one) /* nothing else is ever written */
        pthread_join(endpoint->thread, NULL);
    release(endpoint);
}
