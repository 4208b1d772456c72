/* SPDX-License-Identifier: BSD-3-Clause
 * Going on from a checkpoint. */
#include "program/checkpoint/restart.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/checkpoint/files/lives.h"
#include "act/checkpoint/sets.h"
#include "act/data/row_file.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "base/misuse.h"
#include "observe/clock.h"
#include "program/checkpoint/resume.h"
#include "program/checkpoint/saved.h"
#include "trace/trace.h"

enum { NOBODY = 1 << 30 };

/* What the leader has found. Plain data. */
typedef struct {
    int64_t set; /* 0: there is none that could be taken */
    int64_t iteration;
    int parts;
    int64_t pass; /* the how manieth time that the loop was entered */
    bool later;   /* it is of a loop that comes later */
} found_t;

/* Of one process. */
typedef struct {
    const char *folder;
    xmpi_saved_loop_t loop; /* whose data they become */
    int64_t bound;          /* iterations that it is to make by the program; 0: not known */
    bool insists;           /* to go on with other constants */
    found_t found;
    xmpi_part_file_t head; /* of part 0, at the leader */
    xmpi_status_t status;  /* here, then of all */
    xmpi_error_t error;
} restart_t;

/* --- which one ----------------------------------------------------------------------------------
 */

static void refuse(const restart_t *restart, int64_t set, const char *why)
{
    fprintf(stderr, "xmpi: the checkpoint set-%09" PRId64 " in %s is not taken: %s\n", set,
            restart->folder, why);
}

/* Whether the loop that it is of is this one, and goes on behind it, or comes later in this
 * program.
 */
static xmpi_status_t match(const xmpi_context_t *context, const restart_t *restart,
                           const xmpi_part_file_t *head, xmpi_error_t *error)
{
    bool same = strcmp(head->loop, context->shared.loop) == 0;
    if (head->image)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "it is of another program: it has whole processes");
    if (head->pass > 1 && same && !context->resume.on)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "it is of a later time that the loop was entered");
    if (head->pass > 1 && same && head->number == context->progress.loop)
        return XMPI_OK;
    if (head->number > context->progress.loop)
        return XMPI_OK;
    if (same && head->number == context->progress.loop &&
        (restart->bound == 0 || head->iteration < restart->bound))
        return XMPI_OK;
    if (same && head->number == context->progress.loop)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "the loop makes %" PRId64 " iterations, and %" PRId64
                              " were made then",
                              restart->bound, head->iteration);
    return xmpi_error_set(error, XMPI_ERR_INPUT, "it is of another program: of the loop %s",
                          head->loop);
}

/* The newest one before BEFORE of which nothing that can be seen in heads speaks against it. BROKEN
 * counts those that were there and are refused. */
static void look_for(const xmpi_context_t *context, restart_t *restart, int64_t before, int *broken)
{
    found_t *found = &restart->found;
    *found = (found_t){0};
    xmpi_part_free(&restart->head);
    while ((before = xmpi_set_before(restart->folder, before)) > 0 &&
           before >= context->resume.set) { /* on the way to that one there are no others */
        xmpi_status_t status =
            xmpi_set_look(restart->folder, before, &restart->head, &restart->error);
        if (status == XMPI_OK)
            status = match(context, restart, &restart->head, &restart->error);
        if (status == XMPI_OK) {
            *found = (found_t){.set = before,
                               .iteration = restart->head.iteration,
                               .parts = restart->head.parts,
                               .pass = restart->head.pass,
                               .later = restart->head.number > context->progress.loop};
            return;
        }
        if (context->images_said == 0 || before < context->images_said) /* else it has been said */
            refuse(restart, before, restart->error.text);
        *broken += status != XMPI_ERR_PROCESS; /* of which it was written no further */
        xmpi_part_free(&restart->head);
    }
}

/* --- all look at it -----------------------------------------------------------------------------
 */

/* The first that has something against it tells all. */
static bool agree(restart_t *restart)
{
    int mine = restart->status != XMPI_OK ? xmpi_world.rank : NOBODY, least;
    PMPI_Allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, xmpi_world.comm);
    if (least == NOBODY)
        return true;
    PMPI_Bcast(&restart->error, sizeof restart->error, MPI_BYTE, least, xmpi_world.comm);
    return false;
}

/* What part I of the set says that it has, to be freed; its file is PATH. False where it cannot be
 * read, or is not of this loop: then nothing is to be freed. */
static bool read_part(restart_t *restart, int i, char *path, xmpi_part_file_t *part)
{
    xmpi_set_part_path(restart->folder, restart->found.set, i, path);
    restart->status = xmpi_part_read(path, part, &restart->error);
    if (restart->status != XMPI_OK)
        return false;
    if (xmpi_part_fits(restart->loop.registry, part, &restart->error))
        return true;
    restart->status = XMPI_ERR_INPUT;
    xmpi_part_free(part);
    return false;
}

/* Every part is read by one process, whoever gets its rows. */
static void verify(restart_t *restart)
{
    char path[XMPI_CHECKPOINT_PATH];
    xmpi_part_file_t part;
    for (int i = xmpi_world.rank; i < restart->found.parts && restart->status == XMPI_OK;
         i += xmpi_world.size) {
        if (!read_part(restart, i, path, &part))
            return;
        restart->status = xmpi_part_verify(path, &part, &restart->error);
        xmpi_part_free(&part);
    }
}

static const xmpi_saved_array_t *find(const xmpi_part_file_t *part, const char *name)
{
    for (int i = 0; i < part->arrays; i++)
        if (strcmp(part->array[i].like.name, name) == 0)
            return &part->array[i];
    return NULL;
}

/* What the loop only reads is as the start makes it: it must have made the same. */
static void compare_constants(restart_t *restart)
{
    xmpi_part_file_t mine = {.part = xmpi_world.rank, .parts = xmpi_world.size};
    xmpi_status_t status =
        xmpi_part_describe(restart->loop.registry, restart->loop.block, 0, &mine);
    uint64_t *digest = calloc((size_t)restart->loop.registry->arrays + 1, sizeof *digest), *sum;
    sum = calloc((size_t)restart->loop.registry->arrays + 1, sizeof *sum);
    if (status != XMPI_OK || digest == NULL || sum == NULL)
        xmpi_misuse("no memory to go on from a checkpoint");
    xmpi_part_digest_constants(restart->loop.registry, &mine);
    for (int i = 0; i < mine.arrays; i++)
        digest[i] = mine.array[i].constant ? mine.array[i].digest : 0;
    PMPI_Reduce(digest, sum, mine.arrays, MPI_UINT64_T, MPI_SUM, 0, xmpi_world.comm);
    for (int i = 0; i < mine.arrays && xmpi_leads(); i++) {
        const xmpi_saved_array_t *saved = find(&restart->head, mine.array[i].like.name);
        if (!mine.array[i].constant || !mine.array[i].compared || saved == NULL ||
            !saved->constant || saved->digest == sum[i])
            continue;
        if (restart->insists)
            fprintf(stderr, "xmpi: %s has other values from here on than in the checkpoint\n",
                    mine.array[i].like.name);
        else
            restart->status =
                xmpi_error_set(&restart->error, XMPI_ERR_INPUT,
                               "%s, which the loop only reads, has other values than it had then",
                               mine.array[i].like.name);
    }
    xmpi_part_free(&mine);
    free(digest);
    free(sum);
}

/* --- its data -----------------------------------------------------------------------------------
 */

typedef void (*part_step_t)(const xmpi_part_file_t *part, const char *data, restart_t *restart);

/* What start and checkpoint do not agree on, at the leader, by xmpi_lives_differ: whether it goes
 * on in spite of it. Another number of iterations is none to ask about: more of them are a reason
 * to go on. */
static bool is_meant(const restart_t *restart, const xmpi_part_file_t *part,
                     const xmpi_live_difference_t *d)
{
    int64_t now = restart->bound, then = part->bound;
    bool bound = d->integer && now > 0 && then > 0 && d->now - d->then == now - then &&
                 (d->then == then || d->then == then - 1);
    return bound || restart->insists;
}

static xmpi_pack_t lives_of(const xmpi_part_file_t *part, const char *data)
{
    return (xmpi_pack_t){.data = (char *)data + part->lives_at, .size = (size_t)part->lives_bytes};
}

static void look_at_lives(const xmpi_part_file_t *part, const char *data, restart_t *restart)
{
    xmpi_live_difference_t d;
    xmpi_pack_t lives = lives_of(part, data);
    for (int i = 0; xmpi_lives_differ(restart->loop.registry, &lives, &i, &d);)
        if (restart->status == XMPI_OK && !is_meant(restart, part, &d))
            restart->status =
                xmpi_error_set(&restart->error, XMPI_ERR_INPUT,
                               "%s, which the loop only reads, is %s, and was %s then "
                               "(XMPI_RESTART=2 goes on with %s)",
                               d.name, d.text_now, d.text_then, d.text_now);
}

static void say_lives(const xmpi_part_file_t *part, const char *data, const restart_t *restart)
{
    xmpi_live_difference_t d;
    xmpi_pack_t lives = lives_of(part, data);
    for (int i = 0; xmpi_lives_differ(restart->loop.registry, &lives, &i, &d);)
        fprintf(stderr, "xmpi: %s is %s from here on, and was %s in the checkpoint\n", d.name,
                d.text_now, d.text_then);
}

/* The arguments then, where they were others; NULL: they were these, or nobody knows. */
static const char *other_arguments(const xmpi_part_file_t *part, const char *data,
                                   const restart_t *restart)
{
    xmpi_pack_t lives = lives_of(part, data);
    for (int i = xmpi_registry_count_lives(&lives); i > 0 && lives.status == XMPI_OK; i--) {
        uint64_t size;
        const char *name, *then = xmpi_registry_view_live(&lives, &name, &size);
        if (then != NULL && size == XMPI_ARGUMENTS_MAX && strcmp(name, XMPI_ARGUMENTS) == 0 &&
            then[size - 1] == '\0' && strcmp(then, restart->loop.arguments) != 0)
            return then;
    }
    return NULL;
}

static void look_at_arguments(const xmpi_part_file_t *part, const char *data, restart_t *restart)
{
    const char *then = other_arguments(part, data, restart);
    if (then != NULL && restart->status == XMPI_OK && !restart->insists)
        restart->status = xmpi_error_set(&restart->error, XMPI_ERR_INPUT,
                                         "the arguments are \"%.160s\", and were \"%.160s\" then "
                                         "(XMPI_RESTART=2 goes on with these)",
                                         restart->loop.arguments, then);
}

static void say_arguments(const xmpi_part_file_t *part, const char *data, const restart_t *restart)
{
    const char *then = other_arguments(part, data, restart);
    if (then != NULL)
        fprintf(stderr,
                "xmpi: the arguments are \"%s\" from here on, and were \"%s\" in the checkpoint\n",
                restart->loop.arguments, then);
}

static void look_at_room(const xmpi_part_file_t *part, const char *data, restart_t *restart)
{
    if (part->part == 0 && part->pass <= 1 && xmpi_leads())
        look_at_lives(part, data, restart);
    if (part->part == 0 && xmpi_leads())
        look_at_arguments(part, data, restart);
    if (restart->status != XMPI_OK)
        return;
    if (!xmpi_part_has_room(restart->loop.registry, restart->loop.block, part, data,
                            &restart->error))
        restart->status = XMPI_ERR_INPUT;
}

static void put_in(const xmpi_part_file_t *part, const char *data, restart_t *restart)
{
    if (part->part == 0 && part->pass <= 1 && xmpi_leads())
        say_lives(part, data, restart);
    if (part->part == 0 && xmpi_leads())
        say_arguments(part, data, restart);
    xmpi_part_restore(restart->loop.registry, restart->loop.block, part, data);
}

static void go_through(restart_t *restart, part_step_t step)
{
    char path[XMPI_CHECKPOINT_PATH], *data;
    xmpi_part_file_t part;
    for (int i = 0; i < restart->found.parts && restart->status == XMPI_OK; i++) {
        if (!read_part(restart, i, path, &part))
            return;
        restart->status = xmpi_part_map(path, &part, &data, &restart->error);
        if (restart->status == XMPI_OK) {
            step(&part, data, restart);
            xmpi_part_unmap(&part, data);
        }
        xmpi_part_free(&part);
    }
}

/* Whether all have the data of the set; else what was there before is untouched. */
static bool take(restart_t *restart)
{
    restart->status = XMPI_OK;
    verify(restart);
    if (!agree(restart))
        return false;
    compare_constants(restart);
    go_through(restart, look_at_room);
    if (!agree(restart))
        return false;
    go_through(restart, put_in);
    if (!agree(restart)) /* it was whole a moment ago */
        xmpi_misuse("the checkpoint was changed while it was read: %s", restart->error.text);
    return true;
}

/* --- the loop goes on ---------------------------------------------------------------------------
 */

/* Variables that hold the rank and so on are those of this run. */
static void refresh(const xmpi_context_t *context)
{
    const xmpi_block_t block = context->shared.layout.member[xmpi_world.rank].block;
    xmpi_registry_refresh(&context->registry, XMPI_GEN_RANK, xmpi_world.rank);
    xmpi_registry_refresh(&context->registry, XMPI_GEN_SIZE, xmpi_world.size);
    xmpi_registry_refresh(&context->registry, XMPI_GEN_COUNT, block.count);
    xmpi_registry_refresh(&context->registry, XMPI_GEN_DISPL, block.displ);
}

static void go_on(xmpi_context_t *context, const restart_t *restart, double since)
{
    xmpi_progress_t *progress = &context->progress;
    const found_t *found = &restart->found;
    refresh(context);
    context->restarted = true;
    if (context->resume.on && found->set != context->resume.set) /* live values are of that one */
        xmpi_misuse("the checkpoints were changed while they were read");
    xmpi_resume_end(context);
    progress->pass = found->pass;
    progress->saves.waits = false;
    progress->iteration = progress->from = found->iteration;
    progress->saving_seconds += xmpi_clock_wall() - since;
    if (!xmpi_leads())
        return;
    const xmpi_saved_t saved = {.iteration = found->iteration,
                                .set = found->set,
                                .members = found->parts,
                                .seconds = xmpi_clock_wall() - since};
    xmpi_trace_restart(&context->trace, &context->shared, &saved);
    fprintf(stderr,
            "xmpi: %s: goes on from iteration %" PRId64 ", as the checkpoint set-%09" PRId64
            " in %s has it\n",
            context->loop, found->iteration, found->set, restart->folder);
}

/* There is none for this loop, or none yet. */
static void begin_anew(xmpi_context_t *context, const restart_t *restart, int broken)
{
    if ((broken > 0 || context->resume.on) && xmpi_leads())
        xmpi_misuse("none of the checkpoints in %s can be taken (XMPI_RESTART)", restart->folder);
    PMPI_Barrier(xmpi_world.comm);
    context->progress.saves.waits = restart->found.later;
    if (xmpi_leads() && !restart->found.later)
        fprintf(stderr, "xmpi: %s: there is no checkpoint in %s: the loop begins anew\n",
                context->loop, restart->folder);
}

bool xmpi_restart(xmpi_context_t *context)
{
    char folder[XMPI_PATH_MAX];
    const xmpi_settings_t *settings = &context->shared.settings;
    restart_t restart = {.folder = folder, .insists = settings->restart > 1};
    int64_t before = INT64_MAX;
    int broken = 0;
    bool taken = false;
    double since = xmpi_clock_wall();
    if (settings->iterations == 0) /* what the program itself says */
        restart.bound = context->progress.bound;
    xmpi_settings_path(settings, settings->checkpoint, folder);
    if (xmpi_saved_loop_open(context, &restart.loop, &restart.error) != XMPI_OK ||
        xmpi_row_files_map(restart.loop.registry, restart.loop.block, XMPI_FILES_THEMSELVES,
                           &restart.error) != XMPI_OK)
        xmpi_misuse("the loop cannot go on from a checkpoint: %s", restart.error.text);
    int unreadable = xmpi_leads() ? xmpi_set_unreadable(folder) : 0;
    if (unreadable != 0)
        xmpi_misuse("the checkpoints in %s cannot be looked at: %s (XMPI_RESTART)", folder,
                    strerror(unreadable));
    for (;;) {
        if (xmpi_leads())
            look_for(context, &restart, before, &broken);
        PMPI_Bcast(&restart.found, sizeof restart.found, MPI_BYTE, 0, xmpi_world.comm);
        if (restart.found.set == 0 || restart.found.later)
            break;
        taken = take(&restart);
        if (taken)
            break;
        if (xmpi_leads())
            refuse(&restart, restart.found.set, restart.error.text);
        before = restart.found.set;
        broken++;
    }
    xmpi_row_files_unmap(restart.loop.registry);
    if (taken) {
        xmpi_row_files_go_on(restart.loop.registry);
        xmpi_saved_loop_put(context, &restart.loop);
        go_on(context, &restart, since);
    } else
        begin_anew(context, &restart, broken);
    xmpi_part_free(&restart.head);
    xmpi_saved_loop_close(&restart.loop);
    return taken;
}
