/* SPDX-License-Identifier: BSD-3-Clause
 * Where jobs can be met. */
#define _GNU_SOURCE
#include "places.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "remote/remote.h"
#include "tool/job.h"
#include "tool/tool.h"
#include "users.h"

/* --- looking ---------------------------------------------------------------------------------- */

typedef struct {
    place_t *place; /* malloc */
    int places;
} found_t;

typedef struct {
    found_t *found;
    uid_t uid;
} search_t;

/* What there is no memory for is found the next time. */
static void add(const search_t *search, const place_t *place)
{
    found_t *found = search->found;
    place_t *more = realloc(found->place, (size_t)(found->places + 1) * sizeof *more);
    if (more == NULL)
        return;
    found->place = more;
    more[found->places] = *place;
    more[found->places++].uid = search->uid;
}

static void visit_socket(const char *path, const char *name, void *context)
{
    place_t place = {.elsewhere = false};
    char *end;
    place.pid = strtol(name, &end, 10);
    if (*end != '\0' || place.pid <= 0)
        return;
    snprintf(place.name, sizeof place.name, "%ld", place.pid);
    snprintf(place.entry.socket, sizeof place.entry.socket, "%s", path);
    add(context, &place);
}

static void visit_entry(const char *name, const xmpi_entry_t *entry, void *context)
{
    place_t place = {.elsewhere = !remote_is_here(entry), .pid = entry->pid, .entry = *entry};
    snprintf(place.name, sizeof place.name, "%.*s", PLACE_NAME_MAX - 1, name);
    add(context, &place);
}

static void visit_entries_of(const char *folder, uid_t uid, void *context)
{
    search_t search = {context, uid};
    remote_each_of(folder, visit_entry, &search);
}

int places_find(const places_t *places, place_t **place)
{
    found_t found = {0};
    search_t mine = {&found, getuid()};
    char pattern[TOOL_PATH_MAX];
    int status = 0;
    snprintf(pattern, sizeof pattern, "%.4000s/*", places->jobs != NULL ? places->jobs : "");
    if (places->all)
        users_each(pattern, visit_entries_of, &found);
    else if (places->jobs != NULL)
        status = remote_each_of(places->jobs, visit_entry, &mine);
    if (status == 0 && !places->all)
        status = job_each(places->folder, visit_socket, &mine);
    *place = found.place;
    return status != 0 ? -1 : found.places;
}

/* --- meeting ---------------------------------------------------------------------------------- */

/* Without waiting: a socket whose queue is full is tried again the next time. */
static int connect_to(const char *path)
{
    struct sockaddr_un address;
    if (job_address(path, &address) != 0)
        return -1;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    int failure = errno;
    if (failure == ECONNREFUSED)
        unlink(path);
    close(fd);
    errno = failure;
    return -1;
}

static int connect_here(const place_t *place)
{
    if (!users_become(place->uid))
        return -1;
    int fd = connect_to(place->entry.socket), failure = errno;
    users_return();
    errno = failure;
    return fd;
}

/* Whoever this is there, it connects as the user whose job it is: the socket is what he has said.
 */
static int connect_elsewhere(const place_t *place)
{
    char user[24], as[] = "--as", connects[] = "connect";
    char *words[] = {as, user, connects, NULL};
    snprintf(user, sizeof user, "%ld", (long)place->uid);
    bool mine = place->uid == getuid();
    return remote_line(&place->entry, mine ? words + 2 : words);
}

int place_connect(const place_t *place)
{
    return place->elsewhere ? connect_elsewhere(place) : connect_here(place);
}
