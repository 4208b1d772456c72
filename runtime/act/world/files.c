/* SPDX-License-Identifier: BSD-3-Clause
 * The lists of the program's open files of MPI, and of variables that setup sets to such. */
#include "act/world/files.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "act/world/world.h"
#include "base/misuse.h"

/* Any thread of the program may open files. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
    MPI_File *file; /* malloc */
    int n, room;
} open_files;

static struct {
    MPI_File **variable; /* malloc */
    int n, room;
} reopened;

/* LIST, of elements of BYTES, with room for one more than N. */
static void *with_room(void *list, int n, int *room, size_t bytes)
{
    if (n < *room)
        return list;
    *room = *room > 0 ? 2 * *room : 8;
    void *more = realloc(list, (size_t)*room * bytes);
    if (more == NULL)
        xmpi_misuse("no memory for a list of %d files of MPI", *room);
    return more;
}

void xmpi_files_opened(MPI_File file)
{
    if (xmpi_world.state == XMPI_STATE_PLAIN)
        return;
    pthread_mutex_lock(&lock);
    open_files.file =
        with_room(open_files.file, open_files.n, &open_files.room, sizeof *open_files.file);
    open_files.file[open_files.n++] = file;
    pthread_mutex_unlock(&lock);
}

/* As many as there are: it is not open. */
static int find(MPI_File file)
{
    int i = 0;
    while (i < open_files.n && open_files.file[i] != file)
        i++;
    return i;
}

void xmpi_files_closed(MPI_File file)
{
    pthread_mutex_lock(&lock);
    int i = find(file);
    if (i < open_files.n)
        open_files.file[i] = open_files.file[--open_files.n];
    pthread_mutex_unlock(&lock);
}

static bool is_open(MPI_File file)
{
    pthread_mutex_lock(&lock);
    bool found = find(file) < open_files.n;
    pthread_mutex_unlock(&lock);
    return found;
}

void xmpi_files_forget(void)
{
    reopened.n = 0;
}

void xmpi_files_reopened(MPI_File *variable)
{
    reopened.variable =
        with_room(reopened.variable, reopened.n, &reopened.room, sizeof *reopened.variable);
    reopened.variable[reopened.n++] = variable;
}

static bool is_deleted(MPI_File file)
{
    int mode = 0;
    return PMPI_File_get_amode(file, &mode) != MPI_SUCCESS ||
           (mode & MPI_MODE_DELETE_ON_CLOSE) != 0;
}

static bool is_reopened(MPI_File file)
{
    for (int i = 0; i < reopened.n; i++)
        if (*reopened.variable[i] == file)
            return true;
    return false;
}

static bool has_others(MPI_File file)
{
    MPI_Group group;
    int size = 0;
    if (PMPI_File_get_group(file, &group) != MPI_SUCCESS)
        return true;
    PMPI_Group_size(group, &size);
    PMPI_Group_free(&group);
    return size > 1;
}

bool xmpi_files_stay(void)
{
    bool stay = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < open_files.n && !stay; i++)
        stay = !is_reopened(open_files.file[i]) && has_others(open_files.file[i]);
    pthread_mutex_unlock(&lock);
    return stay;
}

/* (Where setup has not opened one, as on a process that has just joined, or by its rank, the
 * variable may have any value.) */
void xmpi_files_close(void)
{
    for (int i = 0; i < reopened.n; i++) {
        MPI_File file = *reopened.variable[i];
        if (!is_open(file) || is_deleted(file))
            continue;
        PMPI_File_close(reopened.variable[i]);
        xmpi_files_closed(file);
    }
}
