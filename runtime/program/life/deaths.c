/* SPDX-License-Identifier: BSD-3-Clause
 * Deaths: what is to be done when a process was killed. */
#define _GNU_SOURCE
#include "program/life/deaths.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Takes over DOORS. */
static void replace(xmpi_deaths_t *deaths, xmpi_door_t *doors, int n, bool tells)
{
    pthread_mutex_lock(&deaths->lock);
    free(deaths->door);
    deaths->door = doors;
    deaths->n = doors != NULL ? n : 0;
    deaths->tells = tells;
    pthread_mutex_unlock(&deaths->lock);
}

/* Without memory for them nobody is looked after. */
void xmpi_deaths_watch(xmpi_deaths_t *deaths, const xmpi_shared_t *shared,
                       const xmpi_layout_t *next, int rank)
{
    const xmpi_layout_t *layouts[2] = {&shared->layout, next};
    size_t most = 1;
    int n = 0;
    for (int k = 0; k < 2 && layouts[k] != NULL; k++)
        most += (size_t)layouts[k]->members;
    xmpi_door_t *doors = calloc(most, sizeof *doors);
    for (int k = 0; k < 2 && layouts[k] != NULL && doors != NULL; k++)
        for (int i = 0; i < layouts[k]->members && (rank == 0 || n == 0); i++)
            doors[n++] = shared->process[layouts[k]->member[i].process].door;
    replace(deaths, doors, n, rank <= 1);
}

void xmpi_deaths_watch_only(xmpi_deaths_t *deaths, const xmpi_door_t *door)
{
    xmpi_door_t *doors = door != NULL ? malloc(sizeof *doors) : NULL;
    if (doors != NULL)
        *doors = *door;
    replace(deaths, doors, 1, false);
}

/* A process whose door cannot be knocked at any more: the system has closed it. */
static const xmpi_door_t *find_dead(const xmpi_deaths_t *deaths)
{
    for (int i = 0; i < deaths->n; i++)
        if (xmpi_doorbell_is_gone(&deaths->door[i]))
            return &deaths->door[i];
    return NULL;
}

void xmpi_deaths_look(xmpi_deaths_t *deaths)
{
    pthread_mutex_lock(&deaths->lock);
    const xmpi_door_t *dead = find_dead(deaths);
    if (dead != NULL && deaths->tells)
        fprintf(stderr,
                "xmpi: a member on %s, or a process that was joining the members there, was "
                "killed: the job ends, as MPI cannot go on without it\n",
                dead->host);
    if (dead != NULL)
        xmpi_end_job_now(1);
    pthread_mutex_unlock(&deaths->lock);
}
