/* SPDX-License-Identifier: BSD-3-Clause
 * Fellows: what processes tell one another by the process manager. */
#define _GNU_SOURCE
#include "program/life/fellows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/misuse.h"
#include "program/life/manager.h"

enum { NAME = 256, TAG_FELLOWS = 102 };

/* --- what the manager keeps ----------------------------------------------------------------------
 */

/* The value of " KEY=" in an answer, up to the next blank. */
static bool value_of(const char *answer, const char *key, char value[NAME])
{
    const char *at = strstr(answer, key);
    size_t length = at != NULL ? strcspn(at + strlen(key), " \n") : NAME;
    if (length >= NAME)
        return false;
    memcpy(value, at + strlen(key), length);
    value[length] = '\0';
    return true;
}

static bool find_space(int fd, char name[NAME])
{
    char answer[XMPI_MANAGER_LINE];
    return xmpi_manager_ask(fd, answer, "cmd=get_my_kvsname\n") &&
           value_of(answer, "kvsname=", name);
}

/* What process RANK has announced; empty: nothing. */
static void look_up(int fd, const char *space, int rank, char value[NAME])
{
    char answer[XMPI_MANAGER_LINE], result[NAME];
    value[0] = '\0';
    if (!xmpi_manager_ask(fd, answer, "cmd=get kvsname=%s key=xmpi-%d\n", space, rank) ||
        !value_of(answer, " rc=", result) || strcmp(result, "0") != 0 ||
        !value_of(answer, " value=", value))
        value[0] = '\0';
}

/* --- fellows ------------------------------------------------------------------------------------
 */

void xmpi_fellows_announce(const char *what)
{
    int fd = xmpi_manager();
    char space[NAME], answer[XMPI_MANAGER_LINE];
    if (fd >= 0 && xmpi_manager_ask(fd, answer, "cmd=init pmi_version=1 pmi_subversion=1\n") &&
        find_space(fd, space))
        xmpi_manager_ask(fd, answer, "cmd=put kvsname=%s key=xmpi-%s value=%s\n", space,
                         getenv("PMI_RANK"), what);
}

/* The connection to the manager, and what is looked for there. */
typedef struct {
    int fd, rank, size;
    char space[NAME];
    const char *what;
} search_t;

static bool is_same(const search_t *search, int rank)
{
    char value[NAME];
    look_up(search->fd, search->space, rank, value);
    return strcmp(value, search->what) == 0;
}

/* A process of a binary tree of the ranks hears from those below it whether all there are the same,
 * and from the one above whether all are. Only such as are known to be the same are spoken with, so
 * that each answers; none of them goes on before it has, so that no receive of the program takes
 * it. */
static bool are_all_same(const search_t *search)
{
    int parent = (search->rank - 1) / 2, first = 2 * search->rank + 1;
    bool above = search->rank > 0 && is_same(search, parent), same[2];
    int all = 1, heard;
    for (int i = 0; i < 2; i++) {
        bool there = first + i < search->size;
        same[i] = there && is_same(search, first + i);
        all = all && same[i] == there;
        if (same[i])
            PMPI_Recv(&heard, 1, MPI_INT, first + i, TAG_FELLOWS, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE);
        all = all && (!same[i] || heard);
    }
    if (above) {
        PMPI_Send(&all, 1, MPI_INT, parent, TAG_FELLOWS, MPI_COMM_WORLD);
        PMPI_Recv(&all, 1, MPI_INT, parent, TAG_FELLOWS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    all = all && (above || search->rank == 0);
    for (int i = 0; i < 2; i++)
        if (same[i])
            PMPI_Send(&all, 1, MPI_INT, first + i, TAG_FELLOWS, MPI_COMM_WORLD);
    return all;
}

static void list_all(const search_t *search, xmpi_fellows_t *fellows)
{
    fellows->same = calloc((size_t)search->size, sizeof *fellows->same);
    if (fellows->same == NULL)
        xmpi_misuse("no memory for a list of %d processes", search->size);
    fellows->members = 0;
    for (int i = 0; i < search->size; i++) {
        fellows->same[i] = is_same(search, i);
        fellows->members += fellows->same[i];
    }
}

xmpi_fellows_t xmpi_fellows_find(const char *what)
{
    xmpi_fellows_t fellows = {0};
    search_t search = {.fd = xmpi_manager(), .what = what};
    PMPI_Comm_rank(MPI_COMM_WORLD, &fellows.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &fellows.size);
    fellows.members = search.size = fellows.size;
    search.rank = fellows.rank;
    if (fellows.size == 1 || search.fd < 0 || !find_space(search.fd, search.space) ||
        !is_same(&search, search.rank)) /* the manager does not keep what it is told */
        return fellows;
    if (!are_all_same(&search))
        list_all(&search, &fellows);
    return fellows;
}

bool xmpi_fellows_is_all(const xmpi_fellows_t *fellows)
{
    return fellows->members == fellows->size;
}

bool xmpi_fellows_leads(const xmpi_fellows_t *fellows)
{
    for (int i = 0; fellows->same != NULL && i < fellows->rank; i++)
        if (fellows->same[i])
            return false;
    return fellows->same != NULL || fellows->rank == 0;
}

MPI_Comm xmpi_fellows_comm(const xmpi_fellows_t *fellows)
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Group all, group;
    int n = 0, *ranks = calloc((size_t)fellows->size, sizeof *ranks);
    if (ranks == NULL)
        xmpi_misuse("no memory for a list of %d processes", fellows->size);
    for (int i = 0; i < fellows->size; i++)
        if (fellows->same == NULL || fellows->same[i])
            ranks[n++] = i;
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Group_incl(all, n, ranks, &group);
    PMPI_Comm_create_group(MPI_COMM_WORLD, group, TAG_FELLOWS, &comm);
    PMPI_Group_free(&group);
    PMPI_Group_free(&all);
    free(ranks);
    return comm;
}

void xmpi_fellows_free(xmpi_fellows_t *fellows)
{
    free(fellows->same);
    *fellows = (xmpi_fellows_t){0};
}
