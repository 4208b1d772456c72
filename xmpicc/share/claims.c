/* SPDX-License-Identifier: BSD-3-Clause
 * Talking to the jobs among which something is shared out. */
#define _GNU_SOURCE
#include "claims.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/process/seconds.h"
#include "tool/job.h"
#include "tool/tool.h"

enum { LINE_MAX_BYTES = 1 << 20, PIECE = 1 << 14 };

int claim_held(const claim_t *claim)
{
    if (claim->apart)
        return 0;
    return claim->told > claim->members ? claim->told : claim->members;
}

static void hang_up(claim_t *claim)
{
    if (claim->fd >= 0)
        close(claim->fd);
    free(claim->input);
    claim->fd = -1;
    claim->input = NULL;
    claim->received = 0;
    claim->heard = false;
    claim->asked = false; /* who leads from now on is asked again */
}

static void forget(claim_t *claim)
{
    hang_up(claim);
    free((xmpi_worth_t *)claim->claim.option);
}

void claims_free(claims_t *claims)
{
    for (int i = 0; i < claims->claims; i++)
        forget(&claims->claim[i]);
    free(claims->claim);
    *claims = (claims_t){.patience = claims->patience};
}

/* --- who is there ----------------------------------------------------------------------------- */

enum { REST = 30 /* seconds for which one elsewhere is left alone that nobody answers at */ };

/* Its entry in the directory, wherever its leader has gone; or the same socket of this machine, as
 * an entry and a socket may be those of one job. */
static bool is_at(const claim_t *claim, const place_t *place)
{
    bool here = !claim->place.elsewhere && !place->elsewhere;
    return claim->place.uid == place->uid &&
           (strcmp(claim->place.name, place->name) == 0 ||
            (here && strcmp(claim->place.entry.socket, place->entry.socket) == 0));
}

static claim_t *find(claims_t *claims, const place_t *place)
{
    for (int i = 0; i < claims->claims; i++)
        if (is_at(&claims->claim[i], place))
            return &claims->claim[i];
    return NULL;
}

/* NULL: no memory for another job. */
static claim_t *add(claims_t *claims, const place_t *place)
{
    claim_t *more = realloc(claims->claim, (size_t)(claims->claims + 1) * sizeof *more);
    xmpi_worth_t *option = calloc(XMPI_WORTHS_MAX, sizeof *option);
    if (more != NULL)
        claims->claim = more;
    if (more == NULL || option == NULL) {
        free(option);
        return NULL;
    }
    claim_t *claim = &claims->claim[claims->claims++];
    *claim = (claim_t){.place = *place, .fd = -1, .claim = {.option = option}};
    return claim;
}

/* Whether there is a job at PLACE, as far as that can be told without waiting. CLAIM: what is known
 * of it; NULL: nothing. */
static bool meet(claims_t *claims, claim_t **claim, const place_t *place)
{
    int fd = place_connect(place);
    if (fd < 0)
        return errno == EAGAIN; /* its queue is full */
    *claim = *claim != NULL ? *claim : add(claims, place);
    if (*claim == NULL) {
        close(fd);
        return false;
    }
    (*claim)->fd = fd;
    (*claim)->again_at = place->elsewhere ? xmpi_seconds_now() + REST : 0;
    return true;
}

static void visit(claims_t *claims, const place_t *place)
{
    claim_t *claim = find(claims, place);
    bool there = true;
    if (claim == NULL || (claim->fd < 0 && xmpi_seconds_now() >= claim->again_at))
        there = meet(claims, &claim, place);
    if (claim == NULL)
        return;
    claim->seen = true;
    if (strcmp(claim->place.name, place->name) == 0)
        claim->place = *place; /* its leader may be elsewhere by now */
    if (there && claim->fd >= 0 && (claim->heard || !place->elsewhere))
        claim->missed_at = claim->again_at = 0;
}

static bool lives(long pid)
{
    return pid > 0 && (kill((pid_t)pid, 0) == 0 || errno == EPERM);
}

/* Where another process comes to lead, a job has no socket for a moment. */
static bool is_gone(const claims_t *claims, const claim_t *claim, double now)
{
    bool waited = now - claim->missed_at > claims->patience;
    if (claim->place.elsewhere)
        return !claim->seen && waited;
    return claim->missed_at > 0 && claim->fd < 0 &&
           (waited || (!lives(claim->place.pid) && !lives(claim->leader)));
}

/* The entry of one elsewhere may lie there for long when the job was killed: it has nothing, and is
 * tried again now and then. */
static void give_up(const claims_t *claims, claim_t *claim, double now)
{
    if (!claim->place.elsewhere || claim->missed_at <= 0 ||
        now - claim->missed_at <= claims->patience)
        return;
    claim->members = claim->told = claim->claim.options = 0;
    if (now >= claim->again_at)
        hang_up(claim); /* who reaches nobody may hang */
}

static bool is_before(const claim_t *a, const claim_t *b)
{
    return strverscmp(a->place.name, b->place.name) < 0;
}

static int by_number(const void *a, const void *b)
{
    return is_before(a, b) ? -1 : is_before(b, a);
}

static void forget_gone(claims_t *claims, double now)
{
    int kept = 0;
    for (int i = 0; i < claims->claims; i++) {
        give_up(claims, &claims->claim[i], now);
        if (is_gone(claims, &claims->claim[i], now))
            forget(&claims->claim[i]);
        else
            claims->claim[kept++] = claims->claim[i];
    }
    claims->claims = kept;
}

int claims_find(claims_t *claims, const places_t *places)
{
    double now = xmpi_seconds_now();
    int before = claims->claims;
    place_t *place = NULL;
    for (int i = 0; i < claims->claims; i++) {
        claims->claim[i].seen = false;
        if (!(claims->claim[i].missed_at > 0))
            claims->claim[i].missed_at = now; /* until it is seen */
    }
    int found = places_find(places, &place);
    for (int i = 0; i < found; i++)
        visit(claims, &place[i]);
    free(place);
    if (claims->claims > before)
        qsort(claims->claim + before, (size_t)(claims->claims - before), sizeof *claims->claim,
              by_number);
    forget_gone(claims, now);
    return found < 0 ? -1 : 0;
}

/* --- what they say ---------------------------------------------------------------------------- */

static void complain(claim_t *claim)
{
    if (!claim->strange)
        tool_complain("%s%s%s: says what is no answer of a job", claim->place.entry.host,
                      claim->place.elsewhere ? ":" : "", claim->place.entry.socket);
    claim->strange = true;
    claim->claim.options = 0;
    hang_up(claim);
}

static void take_status(claim_t *claim, const cJSON *status)
{
    int members = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(status, "members"));
    const char *allocation = job_text(status, "allocation");
    if (members > 0)
        claim->members = members;
    claim->heard = true;
    if (allocation[strspn(allocation, "0123456789")] == '\0')
        snprintf(claim->allocation, sizeof claim->allocation, "%.30s", allocation);
    claim->leader = (long)job_number(status, "pid");
    snprintf(claim->program, sizeof claim->program, "%.60s", job_text(status, "program"));
    for (char *c = claim->program; *c != '\0'; c++) /* it comes to a terminal */
        *c = *c > ' ' && *c < 0x7f ? *c : '_';
}

/* Whether it is the state of the job, what members are worth, or the answer to what it was told. */
static void take_line(claim_t *claim, const char *line)
{
    cJSON *answer = cJSON_Parse(line);
    bool refused = cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(answer, "ok"));
    if (cJSON_GetObjectItemCaseSensitive(answer, "pid") != NULL) {
        take_status(claim, answer);
    } else if (refused && claim->asked) { /* the loop has ended */
        claim->claim.options = 0;
        claim->answered_at = xmpi_seconds_now();
        claim->asked = false;
    } else if (cJSON_GetObjectItemCaseSensitive(answer, "worth") != NULL) {
        xmpi_worth_t *option = (xmpi_worth_t *)claim->claim.option;
        bool whole = xmpi_worth_read(line, &claim->members, option, &claim->claim);
        claim->answered_at = xmpi_seconds_now();
        claim->asked = false;
        claim->told = claim->told == claim->members ? 0 : claim->told;
        if (!whole)
            complain(claim);
    } else if (!refused && cJSON_GetObjectItemCaseSensitive(answer, "request") == NULL) {
        complain(claim);
    }
    cJSON_Delete(answer);
}

static void take_lines(claim_t *claim)
{
    char *begin = claim->input, *end;
    size_t left = claim->received;
    while (claim->fd >= 0 && (end = memchr(begin, '\n', left)) != NULL) {
        *end = '\0';
        char *line = begin;
        left -= (size_t)(end + 1 - begin);
        begin = end + 1;
        take_line(claim, line);
    }
    if (claim->fd < 0)
        return;
    memmove(claim->input, begin, left);
    claim->received = left;
    if (left > LINE_MAX_BYTES)
        complain(claim);
}

static void receive(claim_t *claim)
{
    char *more = realloc(claim->input, claim->received + PIECE);
    if (more == NULL) {
        hang_up(claim);
        return;
    }
    claim->input = more;
    ssize_t got = recv(claim->fd, claim->input + claim->received, PIECE, 0);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
        hang_up(claim);
    } else if (got > 0) {
        claim->received += (size_t)got;
        take_lines(claim);
    }
}

/* --- what they are asked and told ------------------------------------------------------------- */

static void say(claim_t *claim, const char *line)
{
    if (claim->fd >= 0 &&
        send(claim->fd, line, strlen(line), MSG_NOSIGNAL) != (ssize_t)strlen(line))
        hang_up(claim); /* it does not read, or has gone */
}

void claim_tell(claim_t *claim, int members)
{
    char line[80];
    snprintf(line, sizeof line, "{\"command\":\"members\",\"processes\":%d}\n", members);
    say(claim, line);
    claim->told = members;
    claim->told_at = xmpi_seconds_now();
}

static void ask(claims_t *claims, double now)
{
    for (int i = 0; i < claims->claims; i++) {
        claim_t *claim = &claims->claim[i];
        if (claim->fd < 0 || claim->asked)
            continue;
        claim->asked = true;
        claim->asked_at = now;
        say(claim, "{\"command\":\"status\"}\n{\"command\":\"worth\"}\n");
    }
}

/* Whether anybody is still waited for: who owes an answer, and not from before. Where nobody has
 * answered elsewhere that is tried again nobody is waited for. */
static bool is_waited_for(const claims_t *claims, double since)
{
    for (int i = 0; i < claims->claims; i++)
        if (claims->claim[i].asked && claims->claim[i].asked_at >= since &&
            !(claims->claim[i].missed_at > 0 && !claims->claim[i].heard &&
              since - claims->claim[i].missed_at > claims->patience))
            return true;
    return false;
}

/* Takes what comes within LIMIT milliseconds. */
static void listen_to(claims_t *claims, int limit)
{
    struct pollfd *ready = calloc((size_t)claims->claims + 1, sizeof *ready);
    if (ready == NULL)
        return;
    for (int i = 0; i < claims->claims; i++)
        ready[i] = (struct pollfd){.fd = claims->claim[i].fd, .events = POLLIN};
    int n = poll(ready, (nfds_t)claims->claims, limit);
    for (int i = 0; i < claims->claims && n > 0; i++)
        if (ready[i].revents != 0)
            receive(&claims->claim[i]);
    free(ready);
}

void claims_hear(claims_t *claims)
{
    double start = xmpi_seconds_now(), left = claims->patience;
    ask(claims, start);
    listen_to(claims, 0); /* those who were not waited for may have answered */
    while (left > 0 && is_waited_for(claims, start)) {
        listen_to(claims, 1 + (int)(1e3 * left));
        left = claims->patience - (xmpi_seconds_now() - start);
    }
}
