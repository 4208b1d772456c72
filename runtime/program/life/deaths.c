/* SPDX-License-Identifier: BSD-3-Clause
 * Deaths: what is to be done when a process was killed. */
#define _GNU_SOURCE
#include "program/life/deaths.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "act/doors/doorbell.h"
#include "base/misuse.h"

/* --- the notice ---------------------------------------------------------------------------------
 */

static bool is_at(void (*handler)(int))
{
    struct sigaction now;
    return sigaction(SIGUSR1, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
           now.sa_handler == handler;
}

static bool ignores; /* by what is below */

void xmpi_deaths_ignore(void)
{
    ignores = ignores || is_at(SIG_DFL);
    if (ignores && is_at(SIG_DFL))
        signal(SIGUSR1, SIG_IGN);
}

void xmpi_deaths_ignore_no_more(void)
{
    if (ignores && is_at(SIG_IGN))
        signal(SIGUSR1, SIG_DFL);
    ignores = false;
}

void xmpi_deaths_listen(void (*noticed)(int))
{
    struct sigaction action = {.sa_handler = noticed, .sa_flags = SA_RESTART};
    xmpi_deaths_ignore();
    if (ignores && is_at(SIG_IGN))
        sigaction(SIGUSR1, &action, NULL);
}

/* --- whom it concerns ---------------------------------------------------------------------------
 */

/* Takes over DOORS, which may be those that there are. Who was killed before is found now: there is
 * no other notice. */
static void replace(xmpi_deaths_t *deaths, xmpi_door_t *doors, int n, bool tells, bool waits)
{
    pthread_mutex_lock(&deaths->lock);
    if (doors != deaths->door)
        free(deaths->door);
    deaths->door = doors;
    deaths->n = doors != NULL ? n : 0;
    deaths->tells = tells;
    pthread_mutex_unlock(&deaths->lock);
    if (xmpi_deaths_were(deaths))
        xmpi_deaths_noticed(deaths);
    if (deaths->waits != NULL)
        deaths->waits(waits);
}

/* Where a list of members has got to: at rank I of the layout K. */
typedef struct {
    int k, i;
} place_t;

/* Whether the process of rank I in the layout K is in that place of the first one, too. */
static bool is_again(const xmpi_layout_t *const layouts[2], int k, int i)
{
    return k > 0 && i < layouts[0]->members &&
           layouts[0]->member[i].process == layouts[k]->member[i].process;
}

/* The leader is looked after by all, all others by the leader. The next door; NULL: all were. */
static const xmpi_door_t *next_door(const xmpi_shared_t *shared,
                                    const xmpi_layout_t *const layouts[2], int rank, place_t *at)
{
    while (at->k < 2 && layouts[at->k] != NULL) {
        const int k = at->k, i = at->i++;
        if (i >= layouts[k]->members)
            *at = (place_t){.k = k + 1};
        else if (rank != 0)
            at->k = 2;
        if (i < layouts[k]->members && !is_again(layouts, k, i))
            return &shared->process[layouts[k]->member[i].process].door;
    }
    return NULL;
}

/* How many doors there are, and whether they are those of DEATHS. */
static int count_doors(const xmpi_deaths_t *deaths, const xmpi_shared_t *shared,
                       const xmpi_layout_t *const layouts[2], int rank, bool *same)
{
    const xmpi_door_t *door;
    place_t at = {0};
    int n = 0;
    for (*same = true; (door = next_door(shared, layouts, rank, &at)) != NULL; n++)
        *same = *same && n < deaths->n && memcmp(door, &deaths->door[n], sizeof *door) == 0;
    *same = *same && n == deaths->n;
    return n;
}

/* Without memory for them nobody is looked after. (Where they stay the same, as in a move of data,
 * they are not listed anew, which would be a sixth of what a small one takes.) */
static void watch(xmpi_deaths_t *deaths, const xmpi_shared_t *shared,
                  const xmpi_layout_t *const layouts[2], int rank, bool waits)
{
    bool same;
    place_t at = {0};
    int n = count_doors(deaths, shared, layouts, rank, &same);
    xmpi_door_t *doors = same ? deaths->door : calloc((size_t)n + 1, sizeof *doors);
    for (int i = 0; i < n && doors != NULL && !same; i++)
        doors[i] = *next_door(shared, layouts, rank, &at);
    replace(deaths, doors, n, rank <= 1, waits);
}

void xmpi_deaths_watch(xmpi_deaths_t *deaths, const xmpi_shared_t *shared,
                       const xmpi_layout_t *next, int rank)
{
    const xmpi_layout_t *const layouts[2] = {&shared->layout, next};
    watch(deaths, shared, layouts, rank, next != NULL);
}

void xmpi_deaths_watch_next(xmpi_deaths_t *deaths, const xmpi_shared_t *shared,
                            const xmpi_layout_t *next, int rank)
{
    const xmpi_layout_t *const layouts[2] = {next, NULL};
    watch(deaths, shared, layouts, rank, true);
}

void xmpi_deaths_watch_only(xmpi_deaths_t *deaths, const xmpi_door_t *door)
{
    xmpi_door_t *doors = door != NULL ? malloc(sizeof *doors) : NULL;
    if (doors != NULL)
        *doors = *door;
    replace(deaths, doors, 1, false, door != NULL && !deaths->leaving);
}

static const xmpi_door_t *door_of_leader(const xmpi_shared_t *shared)
{
    const xmpi_layout_t *layout = &shared->layout;
    return layout->members > 0 ? &shared->process[layout->member[0].process].door : NULL;
}

/* The members tell of it, unless the leader is the only one: then the first of those who are not.
 */
void xmpi_deaths_watch_leader(xmpi_deaths_t *deaths, const xmpi_shared_t *shared, int self)
{
    const xmpi_door_t *door = door_of_leader(shared);
    xmpi_door_t *doors = door != NULL ? malloc(sizeof *doors) : NULL;
    int first = 0;
    while (first < self &&
           (!shared->process[first].used || xmpi_layout_rank(&shared->layout, first) >= 0))
        first++;
    if (doors != NULL)
        *doors = *door;
    replace(deaths, doors, 1, shared->layout.members == 1 && first == self, true);
}

/* --- the last way of a process -----------------------------------------------------------------
 */

/* MPI has time for it as long as the leader, who has said good-bye, is there itself. */
static void *end_in_time(void *context)
{
    xmpi_deaths_t *deaths = context;
    const struct timespec moment = {.tv_nsec = 500000000}, while_ending = {.tv_sec = 10};
    while (!xmpi_doorbell_is_gone(&deaths->door[0]))
        nanosleep(&moment, NULL);
    nanosleep(&while_ending, NULL);
    _exit(0);
}

/* Where there is no thread for it, it ends with mpiexec. Nobody else changes DEATHS any more. */
static void see_to_the_end(xmpi_deaths_t *deaths)
{
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (deaths->n > 0 && pthread_create(&thread, NULL, end_in_time, deaths) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void xmpi_deaths_leave(xmpi_deaths_t *deaths, const xmpi_shared_t *shared)
{
    const xmpi_door_t *door = door_of_leader(shared);
    pthread_mutex_lock(&deaths->lock);
    deaths->leaving = true;
    pthread_mutex_unlock(&deaths->lock);
    xmpi_deaths_watch_only(deaths, door);
}

/* --- looking ------------------------------------------------------------------------------------
 */

/* A process whose door cannot be knocked at any more: the system has closed it. */
static const xmpi_door_t *find_dead(const xmpi_deaths_t *deaths)
{
    for (int i = 0; i < deaths->n; i++)
        if (xmpi_doorbell_is_gone(&deaths->door[i]))
            return &deaths->door[i];
    return NULL;
}

bool xmpi_deaths_were(xmpi_deaths_t *deaths)
{
    return atomic_load(&deaths->any);
}

void xmpi_deaths_noticed(xmpi_deaths_t *deaths)
{
    atomic_store(&deaths->any, true);
    pthread_mutex_lock(&deaths->lock);
    bool leaving = deaths->leaving;
    if (leaving)
        see_to_the_end(deaths);
    pthread_mutex_unlock(&deaths->lock);
    if (!leaving)
        xmpi_deaths_look(deaths);
}

void xmpi_deaths_interval(xmpi_deaths_t *deaths, bool waits)
{
    unsigned number = atomic_load(&deaths->interval);
    if ((number % 2 == 1) != waits)
        atomic_store(&deaths->interval, number + 1);
}

/* In a loop the program may wait for a member with which it has no connection that could break:
 * after 8, 16, 32, ... glances without the end of an interval somebody looks there, too. */
void xmpi_deaths_glance(xmpi_deaths_t *deaths, bool in_loop)
{
    unsigned number = atomic_load(&deaths->interval);
    unsigned still = deaths->still = number == deaths->seen ? deaths->still + 1 : 0;
    bool long_since = in_loop && still >= 8 && (still & (still - 1)) == 0;
    deaths->seen = number;
    if (number % 2 == 1 ? still > 0 : long_since)
        xmpi_deaths_look(deaths);
}

void xmpi_deaths_look(xmpi_deaths_t *deaths)
{
    pthread_mutex_lock(&deaths->lock);
    const xmpi_door_t *dead = deaths->leaving ? NULL : find_dead(deaths);
    if (dead != NULL && deaths->tells)
        fprintf(stderr,
                "xmpi: a member on %s, or a process that was joining the members there, was "
                "killed: the job ends, as MPI cannot go on without it\n",
                dead->host);
    if (dead != NULL)
        xmpi_end_job_now(1);
    pthread_mutex_unlock(&deaths->lock);
}
