/* SPDX-License-Identifier: BSD-3-Clause
 * On the way to a loop inside another one. */
#include "program/checkpoint/resume.h"

#include <stdio.h>
#include <string.h>

#include "act/checkpoint/sets.h"
#include "act/data/row_file.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "base/misuse.h"

/* What the leader has found. Plain data. */
typedef struct {
    int64_t set; /* 0: there is none */
    int parts;
    bool later; /* it is of a later time that its loop was entered */
    char loop[XMPI_CHECKPOINT_LOOP_MAX];
} newest_t;

/* The newest one before BEFORE with heads that say nothing against it. What is wrong with others is
 * said where the loop begins (program/checkpoint/restart.c). */
static void look(const char *folder, int64_t before, newest_t *newest)
{
    xmpi_part_file_t head;
    *newest = (newest_t){0};
    while (newest->set == 0 && (before = xmpi_set_before(folder, before)) > 0) {
        if (xmpi_set_look(folder, before, &head, NULL) != XMPI_OK)
            continue;
        newest->set = before;
        newest->parts = head.parts;
        newest->later = head.pass > 1 && !head.image;
        snprintf(newest->loop, sizeof newest->loop, "%s", head.loop);
        xmpi_part_free(&head);
    }
}

static bool is_sound(const char *folder, int64_t set, int i)
{
    char path[XMPI_CHECKPOINT_PATH];
    xmpi_part_file_t part;
    xmpi_set_part_path(folder, set, i, path);
    if (xmpi_part_read(path, &part, NULL) != XMPI_OK)
        return false;
    bool sound = xmpi_part_verify(path, &part, NULL) == XMPI_OK;
    xmpi_part_free(&part);
    return sound;
}

/* Else it would be looked for in vain. What a program has told only begins to be a list of its
 * loops where there are too many. */
static bool is_here(const xmpi_context_t *context, const char *loop)
{
    char text[XMPI_CHECKPOINT_LOOP_MAX + 16];
    snprintf(text, sizeof text, "%s\"", loop);
    for (int i = 0; i < context->structures; i++)
        if (strstr(context->structure[i], text) != NULL)
            return true;
    return context->structures == XMPI_STRUCTURES_MAX;
}

/* Each part is read by one process. Once live values are taken there is no way back. */
static bool are_sound(const char *folder, const newest_t *newest)
{
    int mine = 1, all;
    for (int i = xmpi_world.rank; i < newest->parts && mine; i += xmpi_world.size)
        mine = is_sound(folder, newest->set, i);
    PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, xmpi_world.comm);
    return all != 0;
}

/* At the leader: as they were when the checkpoint was taken. */
static void read_lives(const char *folder, int64_t set, xmpi_pack_t *lives)
{
    char path[XMPI_CHECKPOINT_PATH], *data = NULL;
    xmpi_part_file_t part;
    xmpi_error_t error;
    xmpi_set_part_path(folder, set, 0, path);
    xmpi_status_t status = xmpi_part_read(path, &part, &error);
    if (status == XMPI_OK && xmpi_part_map(path, &part, &data, &error) == XMPI_OK)
        xmpi_pack_put(lives, data + part.lives_at, (size_t)part.lives_bytes);
    if (status != XMPI_OK || data == NULL || lives->status != XMPI_OK) /* it was whole just now */
        xmpi_misuse("the live values of the checkpoint set-%09lld cannot be read", (long long)set);
    xmpi_part_unmap(&part, data);
    xmpi_part_free(&part);
}

void xmpi_resume_prepare(xmpi_context_t *context)
{
    const xmpi_settings_t *settings = &context->shared.settings;
    xmpi_resume_t *resume = &context->resume;
    char folder[XMPI_PATH_MAX];
    newest_t newest = {.set = INT64_MAX};
    if (settings->checkpoint[0] == '\0' || settings->restart == 0)
        return;
    xmpi_settings_path(settings, settings->checkpoint, folder);
    do {
        if (xmpi_leads())
            look(folder, newest.set, &newest);
        PMPI_Bcast(&newest, sizeof newest, MPI_BYTE, 0, xmpi_world.comm);
    } while (newest.set > 0 && !are_sound(folder, &newest));
    if (newest.set == 0 || !newest.later || !is_here(context, newest.loop))
        return;
    if (xmpi_leads())
        read_lives(folder, newest.set, &resume->lives);
    if (xmpi_world_tell(xmpi_world.comm, xmpi_world.rank, &resume->lives) != XMPI_OK)
        xmpi_misuse("no memory for live values of a checkpoint");
    snprintf(resume->loop, sizeof resume->loop, "%s", newest.loop);
    resume->set = newest.set;
}

bool xmpi_resume_is_on(xmpi_context_t *context)
{
    xmpi_resume_t *resume = &context->resume;
    if (resume->set > 0 && xmpi_world.state == XMPI_STATE_RUNNING && context->loop == NULL)
        resume->on = true;
    return resume->on;
}

void xmpi_resume_live(xmpi_context_t *context, const char *name)
{
    if (!xmpi_resume_is_on(context))
        return;
    xmpi_pack_t reading = context->resume.lives;
    xmpi_registry_get_lives(&reading, &context->registry, name);
}

void xmpi_resume_end(xmpi_context_t *context)
{
    xmpi_pack_free(&context->resume.lives);
    context->resume = (xmpi_resume_t){0};
}

const char *xmpi_resume_lacks(const xmpi_context_t *context)
{
    const xmpi_registry_t *registry = &context->registry;
    if (context->progress.loop != 1)
        return "other loops come before it";
    if (context->shared.resizable)
        return "it is resizable";
    if (registry->frame == 0)
        return "it is not xmpicc that has found the loop around it";
    for (int i = 0; i < registry->arrays; i++)
        if (registry->array[i].shape == XMPI_SHAPE_OFFSETS)
            return "its sparse rows may be made there";
    return xmpi_row_files_first(registry) != NULL ? "its files of rows are opened there" : NULL;
}
