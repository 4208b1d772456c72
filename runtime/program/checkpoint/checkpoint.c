/* SPDX-License-Identifier: BSD-3-Clause
 * Taking checkpoints. Whether one is whole is seen by its files: nobody asks the others. */
#define _GNU_SOURCE
#include "program/checkpoint/checkpoint.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "act/checkpoint/ended.h"
#include "act/checkpoint/sets.h"
#include "act/data/row_file.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "base/misuse.h"
#include "decide/leader/apart.h"
#include "observe/clock.h"
#include "program/checkpoint/images.h"
#include "program/checkpoint/restart.h"
#include "program/checkpoint/resume.h"
#include "program/checkpoint/saved.h"
#include "trace/trace.h"

/* --- whether, and when --------------------------------------------------------------------------
 */

/* WHY there are none of this loop, from here on. */
static void give_up(xmpi_context_t *context, const char *why)
{
    context->progress.saves.on = context->progress.saves.waits = false;
    if (xmpi_leads())
        fprintf(stderr, "xmpi: %s: no checkpoints of this loop: %s\n", context->loop, why);
}

/* For who starts the program again. */
static void mark(const xmpi_context_t *context, bool none)
{
    char folder[XMPI_PATH_MAX];
    if (!xmpi_leads())
        return;
    xmpi_settings_path(&context->shared.settings, context->shared.settings.checkpoint, folder);
    xmpi_none_mark(folder, none);
}

void xmpi_checkpoint_begin(xmpi_context_t *context)
{
    const xmpi_settings_t *settings = &context->shared.settings;
    xmpi_saves_t *saves = &context->progress.saves;
    xmpi_saved_loop_t loop;
    xmpi_error_t why;
    xmpi_saving_let_go(&context->saving);
    if (settings->checkpoint[0] == '\0')
        return;
    saves->on = xmpi_saved_loop_open(context, &loop, &why) == XMPI_OK;
    saves->waits = saves->on && settings->restart > 0 && !context->restarted;
    mark(context, !saves->on);
    if (!saves->on)
        give_up(context, why.text);
    else if (context->shared.movable && saves->waits)
        xmpi_images_begin_anew(context);
    else if (!context->shared.movable)
        xmpi_saving_prepare(&context->saving, loop.registry, loop.block);
    saves->waits = saves->waits && !context->restarted;
    xmpi_saved_loop_close(&loop);
}

void xmpi_checkpoint_again(xmpi_context_t *context)
{
    xmpi_saves_t *saves = &context->progress.saves;
    const char *lacks = context->shared.movable ? NULL : xmpi_resume_lacks(context);
    if (!saves->on || saves->waits || lacks == NULL)
        return;
    saves->on = false;
    if (xmpi_leads())
        fprintf(stderr,
                "xmpi: %s: no more checkpoints of this loop: it begins again, as in a loop around "
                "it, and where the program is there cannot be gone on from: %s\n",
                context->loop, lacks);
}

bool xmpi_checkpoint_first(xmpi_context_t *context)
{
    bool waits = context->progress.saves.on && context->progress.saves.waits;
    if (context->resume.on && !waits)
        xmpi_misuse("%s: it cannot go on from the checkpoint set-%09" PRId64, context->loop,
                    context->resume.set);
    if (!context->progress.saves.on)
        return false;
    xmpi_registry_begin(&context->registry);
    return waits && xmpi_restart(context);
}

/* Seconds from one to the next. While the end of the job is near they follow one another, with no
 * more of a rest than they take twice. */
static double apart(const xmpi_context_t *context)
{
    const xmpi_settings_t *settings = &context->shared.settings;
    double ends = context->shared.resources.ends, writing = xmpi_saving_seconds(&context->saving);
    double run = context->progress.saves.taken - context->shared.started;
    double planned =
        settings->checkpoint_interval >= 0
            ? settings->checkpoint_interval
            : xmpi_checkpoints_apart_after(run, context->stall, writing, settings->mtbf);
    double near = 2 * (context->stall + writing);
    bool ending = ends > 0 && xmpi_trace_clock() > ends - settings->grace;
    return ending && near < planned ? near : planned;
}

/* Whether SAVES is what any member says of the last one. */
static bool any_says(const xmpi_context_t *context, const xmpi_sample_t *samples, int32_t saves)
{
    for (int i = 0; i < context->shared.layout.members; i++)
        if (samples[i].saves == saves &&
            (saves == XMPI_SAVES || samples[i].saved == context->progress.saves.set))
            return true;
    return false;
}

/* The program has stood still for as long as the last member has. */
static void take_stalls(xmpi_context_t *context, const xmpi_sample_t *samples)
{
    for (int i = 0; i < context->shared.layout.members; i++)
        if (samples[i].saved == context->progress.saves.set && samples[i].stood > context->stall)
            context->stall = samples[i].stood;
}

/* The first one is taken as soon as can be: it tells what they cost, and that they can be written.
 * (What nobody writes any more, and nobody has failed at, may have been the part of a member that
 * has left, or be seen here later, as file systems of networks have it.) */
bool xmpi_checkpoint_is_due(xmpi_context_t *context, const xmpi_sample_t *samples)
{
    const xmpi_settings_t *settings = &context->shared.settings;
    const xmpi_saves_t *saves = &context->progress.saves;
    char folder[XMPI_PATH_MAX];
    take_stalls(context, samples);
    if (!saves->on || saves->waits || any_says(context, samples, XMPI_SAVES) ||
        xmpi_saving_is_busy(&context->saving))
        return false;
    double wait = apart(context), since = xmpi_trace_clock() - saves->taken;
    double writing = xmpi_saving_seconds(&context->saving);
    if (saves->taken > 0 && since < wait)
        return false;
    xmpi_settings_path(settings, settings->checkpoint, folder);
    return !saves->open || any_says(context, samples, XMPI_UNSAVED) ||
           since > 2 * wait + 1 + 2 * writing ||
           xmpi_set_is_there(folder, saves->set, saves->members);
}

/* --- taking one ---------------------------------------------------------------------------------
 */

/* A set of which it is known what has become of it. */
typedef struct {
    int64_t set; /* 0: there is none */
    bool whole;
} settled_t;

/* At the leader, once for each: what is not needed any more goes. */
static void prune(xmpi_context_t *context, settled_t settled)
{
    char folder[XMPI_PATH_MAX];
    if (settled.set == 0 || context->saving.pruning.set == settled.set)
        return;
    xmpi_settings_path(&context->shared.settings, context->shared.settings.checkpoint, folder);
    xmpi_pruning_begin(&context->saving.pruning, folder, settled.set, settled.whole,
                       context->shared.settings.checkpoint_keep, context->shared.loop);
}

static void tell(const xmpi_context_t *context, xmpi_sample_t *sample)
{
    const xmpi_saving_t *saving = &context->saving;
    sample->saves = xmpi_saving_is_busy(saving)                         ? XMPI_SAVES
                    : saving->part.set > 0 && saving->status != XMPI_OK ? XMPI_UNSAVED
                                                                        : XMPI_SAVED;
    sample->saved = saving->part.set;
    sample->stood = context->stood;
}

void xmpi_checkpoint_look(xmpi_context_t *context, xmpi_sample_t *sample)
{
    const xmpi_saves_t *saves = &context->progress.saves;
    char folder[XMPI_PATH_MAX];
    xmpi_saving_look(&context->saving);
    tell(context, sample);
    if (!saves->open || context->saving.pruning.set == saves->set || !xmpi_leads())
        return;
    xmpi_settings_path(&context->shared.settings, context->shared.settings.checkpoint, folder);
    if (xmpi_set_is_marked(folder, saves->set))
        prune(context, (settled_t){saves->set, true});
}

/* At the leader: what has become of the last one. */
static settled_t settle(xmpi_context_t *context)
{
    const xmpi_settings_t *settings = &context->shared.settings;
    xmpi_saves_t *saves = &context->progress.saves;
    char folder[XMPI_PATH_MAX];
    if (!saves->open)
        return (settled_t){0};
    saves->open = false;
    xmpi_settings_path(settings, settings->checkpoint, folder);
    bool whole = xmpi_set_is_there(folder, saves->set, saves->members);
    const xmpi_saved_t saved = {.iteration = saves->iteration,
                                .set = saves->set,
                                .members = saves->members,
                                .stall = context->stall,
                                .seconds = context->saving.seconds,
                                .whole = whole};
    xmpi_trace_checkpoint(&context->trace, &context->shared, &saved);
    return (settled_t){saves->set, whole};
}

/* At the leader: the folder of the next one. */
static void open_set(xmpi_context_t *context)
{
    xmpi_saves_t *saves = &context->progress.saves;
    char folder[XMPI_PATH_MAX];
    xmpi_error_t error;
    xmpi_settings_path(&context->shared.settings, context->shared.settings.checkpoint, folder);
    saves->taken = xmpi_trace_clock();
    saves->iteration = context->progress.iteration;
    saves->members = context->shared.layout.members;
    saves->open = xmpi_set_make(folder, &saves->set, &error) == XMPI_OK;
    bool said = context->said_unopened;
    context->said_unopened = !saves->open;
    if (!saves->open && !said)
        fprintf(stderr, "xmpi: iteration %" PRId64 ": no checkpoint: %s; the program goes on\n",
                saves->iteration, error.text);
}

/* A process that has not written the last one says so, once for what may be a long time. */
static void finish_last(xmpi_context_t *context)
{
    xmpi_saving_t *saving = &context->saving;
    bool failed = xmpi_saving_wait(saving) != XMPI_OK, said = context->said_unsaved;
    context->said_unsaved = failed;
    if (!failed || said)
        return;
    fprintf(stderr,
            "xmpi: the checkpoint of iteration %" PRId64
            " is not whole: rank %d cannot write its part: %s; the program goes on\n",
            saving->part.iteration, saving->part.part, saving->error.text);
}

/* Files of rows are copied first, as the program goes on to write them. */
static void begin_saving(xmpi_saving_t *saving, const xmpi_saved_loop_t *loop,
                         const xmpi_part_file_t *part, const char *folder)
{
    xmpi_error_t error;
    xmpi_status_t status =
        xmpi_row_files_map(loop->registry, loop->block, XMPI_FILES_COPIED, &error);
    if (status != XMPI_OK)
        return xmpi_saving_fail(saving, part, status, &error);
    status = xmpi_saving_begin(saving, loop->registry, loop->block, part, folder);
    xmpi_row_files_unmap(loop->registry);
    if (status != XMPI_OK)
        saving->status = xmpi_error_set(&saving->error, status, "no memory for a copy of its data");
}

static void copy(xmpi_context_t *context, const xmpi_saved_loop_t *loop)
{
    const xmpi_saves_t *saves = &context->progress.saves;
    xmpi_saving_t *saving = &context->saving;
    char folder[XMPI_PATH_MAX];
    xmpi_part_file_t part = {.number = context->progress.loop,
                             .set = saves->set,
                             .iteration = saves->iteration,
                             .bound = context->progress.bound,
                             .pass = context->progress.pass,
                             .part = xmpi_world.rank,
                             .parts = saves->members};
    snprintf(part.loop, sizeof part.loop, "%s", context->shared.loop);
    xmpi_settings_path(&context->shared.settings, context->shared.settings.checkpoint, folder);
    if (context->shared.movable) {
        xmpi_images_save(context, folder, &part);
        return;
    }
    begin_saving(saving, loop, &part, folder);
}

static void save(xmpi_context_t *context)
{
    xmpi_saved_loop_t loop;
    xmpi_error_t why;
    if (xmpi_saved_loop_open(context, &loop, &why) == XMPI_OK)
        copy(context, &loop);
    else
        give_up(context, why.text);
    xmpi_saved_loop_close(&loop);
}

void xmpi_checkpoint_take(xmpi_context_t *context)
{
    xmpi_saves_t *saves = &context->progress.saves;
    settled_t last = {0};
    double since = xmpi_clock_wall();
    finish_last(context);
    if (context->shared.movable && xmpi_images_are_held(context)) {
        saves->taken = xmpi_trace_clock();
        return;
    }
    if (xmpi_leads()) {
        last = settle(context);
        open_set(context);
    }
    PMPI_Bcast(saves, sizeof *saves, MPI_BYTE, 0, xmpi_world.comm);
    if (saves->open)
        save(context);
    context->stood = context->stall = xmpi_clock_wall() - since;
    context->progress.saving_seconds += context->stall;
    prune(context, last); /* the disk and memory are for the copy first */
}

void xmpi_checkpoint_end(xmpi_context_t *context)
{
    if (!context->progress.saves.on)
        return;
    finish_last(context);
    PMPI_Barrier(xmpi_world.comm);
    if (xmpi_leads())
        prune(context, settle(context));
    xmpi_pruning_wait(&context->saving.pruning);
    xmpi_saving_let_go(&context->saving);
}
