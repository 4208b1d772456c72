/* SPDX-License-Identifier: BSD-3-Clause
 * Sets of files. */
#define _GNU_SOURCE
#include "act/checkpoint/sets.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process/own_files.h"

xmpi_status_t xmpi_set_make(const char *folder, int64_t *set, xmpi_error_t *error)
{
    char path[XMPI_CHECKPOINT_PATH];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s: %s", folder, strerror(errno));
    *set = xmpi_set_before(folder, INT64_MAX);
    do {
        ++*set;
        xmpi_set_path(folder, *set, path);
        if (mkdir(path, 0777) == 0)
            return XMPI_OK;
    } while (errno == EEXIST);
    return xmpi_error_set(error, XMPI_ERR_INPUT, "%.400s: %s", path, strerror(errno));
}

static void add_constants(const xmpi_part_file_t *part, xmpi_part_file_t *head)
{
    for (int i = 0; i < head->arrays && i < part->arrays; i++)
        if (head->array[i].constant)
            head->array[i].digest += part->array[i].digest;
}

/* "part 3 of 4 (part-000002)"; PARTS 0: it is not known of how many. */
static void name_part(int i, int parts, char *text, size_t size)
{
    if (parts > 0)
        snprintf(text, size, "part %d of %d (part-%06d)", i + 1, parts, i);
    else
        snprintf(text, size, "part %d (part-%06d)", i + 1, i);
}

/* One that is not there was never written, unless the set has been whole; one that cannot be seen
 * may be there. */
static xmpi_status_t read_part(const char *folder, int64_t set, int i, int parts,
                               xmpi_part_file_t *part, xmpi_error_t *error)
{
    char path[XMPI_CHECKPOINT_PATH], name[64];
    xmpi_error_t why;
    name_part(i, parts, name, sizeof name);
    xmpi_set_part_path(folder, set, i, path);
    if (access(path, F_OK) != 0 && errno == ENOENT) {
        bool lost = xmpi_set_is_marked(folder, set);
        return xmpi_error_set(error, lost ? XMPI_ERR_INPUT : XMPI_ERR_PROCESS, "%s is missing",
                              name);
    }
    if (xmpi_part_read(path, part, &why) != XMPI_OK)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s: %.400s", name, why.text);
    return XMPI_OK;
}

static xmpi_status_t look_at(const char *folder, int64_t set, int i, xmpi_part_file_t *head,
                             xmpi_error_t *error)
{
    char name[64];
    xmpi_part_file_t part;
    xmpi_status_t status = read_part(folder, set, i, head->parts, &part, error);
    if (status != XMPI_OK)
        return status;
    bool same = part.set == head->set && part.part == i && part.parts == head->parts &&
                part.iteration == head->iteration && part.number == head->number &&
                part.pass == head->pass && part.image == head->image &&
                strcmp(part.loop, head->loop) == 0;
    if (same && i > 0)
        add_constants(&part, head);
    xmpi_part_free(&part);
    name_part(i, head->parts, name, sizeof name);
    if (!same)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s belongs to another set", name);
    return XMPI_OK;
}

/* How many parts a set has of which the first does not tell it, by the second; 0: nor does that. */
static int count_parts(const char *folder, int64_t set)
{
    char path[XMPI_CHECKPOINT_PATH];
    xmpi_part_file_t part;
    xmpi_set_part_path(folder, set, 1, path);
    if (xmpi_part_read(path, &part, NULL) != XMPI_OK)
        return 0;
    int parts = part.parts;
    xmpi_part_free(&part);
    return parts;
}

static xmpi_status_t look_at_first(const char *folder, int64_t set, xmpi_part_file_t *head,
                                   xmpi_error_t *error)
{
    *head = (xmpi_part_file_t){0};
    xmpi_status_t status = read_part(folder, set, 0, 0, head, error);
    int parts = status != XMPI_OK ? count_parts(folder, set) : 0;
    return parts > 0 ? read_part(folder, set, 0, parts, head, error) : status;
}

xmpi_status_t xmpi_set_look(const char *folder, int64_t set, xmpi_part_file_t *head,
                            xmpi_error_t *error)
{
    xmpi_status_t status = look_at_first(folder, set, head, error);
    for (int i = 0; status == XMPI_OK && (i == 0 || i < head->parts); i++)
        status = look_at(folder, set, i, head, error);
    if (status != XMPI_OK)
        xmpi_part_free(head);
    return status;
}

void xmpi_set_remove(const char *folder, int64_t set)
{
    char path[XMPI_CHECKPOINT_PATH], file[XMPI_CHECKPOINT_PATH + 300];
    xmpi_set_path(folder, set, path);
    xmpi_own_files_begin();
    DIR *all = opendir(path);
    for (const struct dirent *entry; all != NULL && (entry = readdir(all)) != NULL;) {
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        if (strncmp(entry->d_name, "part-", 5) == 0 || strcmp(entry->d_name, xmpi_set_whole) == 0)
            unlink(file);
    }
    if (all != NULL)
        closedir(all);
    xmpi_own_files_end();
    rmdir(path);
}

/* Whether it is a whole one of LOOP; FOREIGN: it is somebody else's. */
static bool is_whole(const char *folder, int64_t set, const char *loop, bool *foreign)
{
    xmpi_part_file_t head;
    bool there = look_at_first(folder, set, &head, NULL) == XMPI_OK;
    *foreign = there && strcmp(head.loop, loop) != 0;
    bool whole = there && xmpi_set_is_there(folder, set, head.parts);
    if (there)
        xmpi_part_free(&head);
    return whole;
}

void xmpi_set_prune(const char *folder, int64_t set, int64_t keep, const char *loop)
{
    int64_t kept = 1;
    while ((set = xmpi_set_before(folder, set)) > 0) {
        bool foreign, whole = is_whole(folder, set, loop, &foreign);
        if (foreign)
            continue;
        if (whole && kept < keep)
            kept++;
        else
            xmpi_set_remove(folder, set);
    }
}
