/* SPDX-License-Identifier: BSD-3-Clause
 * Checkpoints of movable loops. */
#include "program/checkpoint/images.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "act/checkpoint/sets.h"
#include "act/handles/handles.h"
#include "act/image/saved.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "base/misuse.h"
#include "observe/clock.h"
#include "program/checkpoint/arguments.h"
#include "trace/trace.h"

enum { NOBODY = 1 << 30 };

static void path_of(const xmpi_context_t *context, int64_t set, char *path)
{
    char folder[XMPI_PATH_MAX];
    xmpi_settings_path(&context->shared.settings, context->shared.settings.checkpoint, folder);
    xmpi_set_part_path(folder, set, xmpi_world.rank, path);
}

/* --- writing ------------------------------------------------------------------------------------
 */

/* A message that is under way is nobody's: neither who has sent it nor who is to get it has it. */
bool xmpi_images_are_held(xmpi_context_t *context)
{
    char why[XMPI_IMAGE_WHY_MAX] = "";
    int mine = xmpi_handles_unreceived(xmpi_world.comm, xmpi_world_moves(&xmpi_world), why,
                                       sizeof why),
        any = 0;
    if (why[0] == '\0' && xmpi_handles_hold(why, sizeof why) == XMPI_HOLDS_NOTHING)
        context->image->held(why);
    mine = mine || why[0] != '\0';
    PMPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, xmpi_world.comm);
    if (mine && strcmp(why, context->unsaved) != 0)
        fprintf(stderr,
                "xmpi: %s: no checkpoint of iteration %" PRId64 ": rank %d has what no file can "
                "hold: %s; the program goes on\n",
                context->loop, context->progress.iteration, xmpi_world.rank, why);
    snprintf(context->unsaved, sizeof context->unsaved, "%s", why);
    return any != 0;
}

static void read_arguments(const xmpi_context_t *context, char *text)
{
    size_t bytes;
    const char *all = context->image->arguments(&bytes);
    xmpi_arguments_text(all, bytes, text);
}

/* It is packed twice: how long files are is right when all have written what they had to. */
void xmpi_images_save(xmpi_context_t *context, const char *folder, const xmpi_part_file_t *part)
{
    xmpi_pack_t objects = {0}, loop = {0};
    char arguments[XMPI_ARGUMENTS_MAX];
    context->image->pack();
    PMPI_Barrier(xmpi_world.comm);
    context->image->stay();
    context->image->pack();
    xmpi_handles_detach();
    xmpi_handles_put(&objects);
    read_arguments(context, arguments);
    xmpi_pack_put_text(&loop, arguments);
    xmpi_pack_put_text(&loop, context->progress.clause);
    xmpi_world_put_marks(&loop, &xmpi_world);
    xmpi_image_save(context->image, &objects, &loop, folder, part, &context->saving);
    xmpi_handles_attach();
    context->image->stay();
    xmpi_pack_free(&objects);
    xmpi_pack_free(&loop);
}

/* --- which one to go on from --------------------------------------------------------------------
 */

/* What the leader has found. Plain data. */
typedef struct {
    int64_t set; /* 0: there is none */
    int parts;
    int broken;   /* that were there, and are not taken */
    int64_t said; /* the oldest that has been said not to be taken; 0: none */
} found_t;

static void refuse(const char *folder, int64_t set, const char *why)
{
    fprintf(stderr, "xmpi: the checkpoint set-%09" PRId64 " in %s is not taken: %s\n", set, folder,
            why);
}

/* The newest one before found->set of which heads say nothing against it, at the leader. One that
 * has no images is for the loop to look at. */
static void look_for(const char *folder, found_t *found)
{
    xmpi_error_t why;
    xmpi_part_file_t head;
    while ((found->set = xmpi_set_before(folder, found->set)) > 0) {
        xmpi_status_t status = xmpi_set_look(folder, found->set, &head, &why);
        if (status == XMPI_OK) {
            found->parts = head.parts;
            found->set = head.image ? found->set : 0;
            xmpi_part_free(&head);
            return;
        }
        refuse(folder, found->set, why.text);
        found->said = found->set;
        found->broken += status != XMPI_ERR_PROCESS; /* of which it was written no further */
    }
}

/* It goes on with those of then, whatever it is started with: that is to be what the user wants. */
static xmpi_status_t look_at_arguments(const xmpi_context_t *context, const char *path,
                                       const xmpi_part_file_t *part, xmpi_error_t *why)
{
    char now[XMPI_ARGUMENTS_MAX];
    xmpi_pack_t loop;
    xmpi_status_t status = xmpi_image_load_loop(path, part, &loop, why);
    const char *then = status == XMPI_OK ? xmpi_pack_view_text(&loop) : NULL;
    read_arguments(context, now);
    if (then != NULL && strcmp(now, then) != 0 && context->shared.settings.restart < 2)
        status = xmpi_error_set(why, XMPI_ERR_INPUT,
                                "the arguments are \"%.160s\", and were \"%.160s\" then "
                                "(XMPI_RESTART=2 goes on with those)",
                                now, then);
    if (status == XMPI_OK && then == NULL)
        status = xmpi_error_set(why, XMPI_ERR_INPUT, "its head is damaged");
    xmpi_pack_free(&loop);
    return status;
}

static xmpi_status_t look_at(const xmpi_context_t *context, const found_t *found,
                             xmpi_part_file_t *part, xmpi_error_t *why)
{
    char path[XMPI_CHECKPOINT_PATH];
    path_of(context, found->set, path);
    if (found->parts != xmpi_world.size)
        return xmpi_error_set(why, XMPI_ERR_INPUT, "it is of %d processes, and these are %d",
                              found->parts, xmpi_world.size);
    xmpi_status_t status = xmpi_part_read(path, part, why);
    if (status == XMPI_OK)
        status = xmpi_part_verify(path, part, why);
    if (status == XMPI_OK)
        status = xmpi_image_fits(path, part, why);
    if (status == XMPI_OK)
        status = look_at_arguments(context, path, part, why);
    return status;
}

/* The first that has something against it tells all. */
static bool agree(xmpi_status_t status, xmpi_error_t *why)
{
    int mine = status != XMPI_OK ? xmpi_world.rank : NOBODY, least;
    PMPI_Allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, xmpi_world.comm);
    if (least != NOBODY)
        PMPI_Bcast(why, sizeof *why, MPI_BYTE, least, xmpi_world.comm);
    return least == NOBODY;
}

void xmpi_images_look(xmpi_context_t *context)
{
    const xmpi_settings_t *settings = &context->shared.settings;
    char folder[XMPI_PATH_MAX];
    found_t found = {.set = INT64_MAX};
    xmpi_error_t why;
    context->images_said = 0;
    if (settings->checkpoint[0] == '\0' || settings->restart == 0 || context->image == NULL)
        return;
    context->images_since = xmpi_clock_wall();
    xmpi_settings_path(settings, settings->checkpoint, folder);
    for (;;) {
        xmpi_part_file_t part = {0};
        if (xmpi_leads())
            look_for(folder, &found);
        PMPI_Bcast(&found, sizeof found, MPI_BYTE, 0, xmpi_world.comm);
        if (found.set == 0)
            break;
        if (agree(look_at(context, &found, &part, &why), &why)) {
            context->image_part = part;
            return;
        }
        xmpi_part_free(&part);
        if (xmpi_leads())
            refuse(folder, found.set, why.text);
        found.said = found.set;
        found.broken++;
    }
    context->images_broken = found.broken;
    context->images_said = found.said;
}

void xmpi_images_begin_anew(xmpi_context_t *context)
{
    const xmpi_settings_t *settings = &context->shared.settings;
    char folder[XMPI_PATH_MAX];
    xmpi_part_file_t head;
    xmpi_settings_path(settings, settings->checkpoint, folder);
    int64_t newest = xmpi_leads() ? xmpi_set_before(folder, INT64_MAX) : 0;
    int unreadable = xmpi_leads() ? xmpi_set_unreadable(folder) : 0;
    if (unreadable != 0)
        xmpi_misuse("the checkpoints in %s cannot be looked at: %s (XMPI_RESTART)", folder,
                    strerror(unreadable));
    if (newest > 0 && xmpi_set_look(folder, newest, &head, NULL) == XMPI_OK) {
        if (!head.image) { /* what is wrong with others has been said */
            refuse(folder, newest, "it is of another program: it has no whole processes");
            context->images_broken++;
        }
        xmpi_part_free(&head);
    }
    if (xmpi_leads() && context->images_broken > 0)
        xmpi_misuse("none of the checkpoints in %s can be taken (XMPI_RESTART)", folder);
    PMPI_Barrier(xmpi_world.comm);
    if (xmpi_leads())
        fprintf(stderr, "xmpi: %s: there is no checkpoint in %s: the loop begins anew\n",
                context->loop, folder);
    context->restarted = true;
}

/* --- going on -----------------------------------------------------------------------------------
 */

/* (The file was sound a moment ago, and the program that was here is gone.) */
static void need(xmpi_status_t status, const xmpi_error_t *why)
{
    if (status != XMPI_OK)
        xmpi_misuse("the program cannot go on from the checkpoint: %s", why->text);
}

static void load_memory(xmpi_context_t *context, const char *path)
{
    xmpi_error_t why;
    char lacks[XMPI_IMAGE_WHY_MAX] = "";
    context->image->let_go();
    context->image->clear();
    need(xmpi_image_load(path, &context->image_part, &why), &why);
    if (!context->image->unpack(lacks))
        xmpi_misuse("the program cannot go on from the checkpoint: %s", lacks);
    context->image->cut();
}

/* The program's objects are made in a world of their own, as after a move. */
static void make_objects(const xmpi_pack_t *objects, xmpi_pack_t *loop)
{
    xmpi_error_t why;
    MPI_Comm world;
    PMPI_Comm_dup(xmpi_world.comm, &world);
    xmpi_error_set(&why, XMPI_ERR_PROCESS, "an object of MPI could not be made again");
    need(xmpi_handles_get(objects), &why);
    need(xmpi_handles_make(world, NULL), &why);
    xmpi_world_get_marks(loop, &xmpi_world);
    PMPI_Barrier(world);
    xmpi_handles_switch();
    xmpi_world_replace(&xmpi_world, world);
}

static void say_arguments(const char *now, const char *then)
{
    if (xmpi_leads() && then != NULL && strcmp(now, then) != 0)
        fprintf(
            stderr,
            "xmpi: the arguments are \"%s\" from here on, as in the checkpoint, and not \"%s\"\n",
            then, now);
}

void xmpi_images_load(xmpi_context_t *context)
{
    static char clause[XMPI_TEXT_MAX];
    char path[XMPI_CHECKPOINT_PATH], now[XMPI_ARGUMENTS_MAX];
    xmpi_pack_t loop, objects;
    xmpi_error_t why;
    path_of(context, context->image_part.set, path);
    need(xmpi_image_load_loop(path, &context->image_part, &loop, &why), &why);
    need(xmpi_image_load_objects(path, &context->image_part, &objects, &why), &why);
    read_arguments(context, now);
    say_arguments(now, xmpi_pack_view_text(&loop));
    load_memory(context, path); /* which may be in another folder than this process */
    const char *text = xmpi_pack_view_text(&loop);
    snprintf(clause, sizeof clause, "%s", text != NULL ? text : "");
    make_objects(&objects, &loop);
    xmpi_pack_free(&objects);
    xmpi_pack_free(&loop);
    context->policy_clause = clause[0] != '\0' ? clause : NULL;
    context->bound = context->image_part.bound;
    context->progress.loop = context->image_part.number - 1;
    context->restarted = true;
}

void xmpi_images_go_on(xmpi_context_t *context)
{
    xmpi_part_file_t *part = &context->image_part;
    xmpi_progress_t *progress = &context->progress;
    char folder[XMPI_PATH_MAX];
    xmpi_settings_path(&context->shared.settings, context->shared.settings.checkpoint, folder);
    progress->iteration = progress->from = part->iteration;
    progress->pass = part->pass;
    if (xmpi_leads()) {
        const xmpi_saved_t saved = {.iteration = part->iteration,
                                    .set = part->set,
                                    .members = part->parts,
                                    .seconds = xmpi_clock_wall() - context->images_since};
        xmpi_trace_restart(&context->trace, &context->shared, &saved);
        fprintf(stderr,
                "xmpi: %s: goes on from iteration %" PRId64 ", as the checkpoint set-%09" PRId64
                " in %s has it\n",
                context->loop, part->iteration, part->set, folder);
    }
    xmpi_part_free(part);
    *part = (xmpi_part_file_t){0};
}
