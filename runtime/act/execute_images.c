/* SPDX-License-Identifier: BSD-3-Clause
 * Whole programs change their processes. */
#include "act/execute_images.h"

#include <stdlib.h>

#include "act/doors/doorbell.h"
#include "act/execute_steps.h"
#include "act/handles/handles.h"
#include "base/collective.h"
#include "base/misuse.h"

/* Why a move does not happen, beyond what images can have (xmpi_image_fault_t). */
enum { MESSAGES = XMPI_IMAGE_LOST + 1, NOT_MADE, HELD };

static const char *const reasons[] = {
    [XMPI_IMAGE_FINE] = "the loop has ended",
    [XMPI_IMAGE_NO_MEMORY] = "a process had no memory for its new program",
    [XMPI_IMAGE_NOT_WHOLE] = "something of a program could not be had in another process",
    [XMPI_IMAGE_LOST] = "a process that was to take over has ended, or did not answer",
    [MESSAGES] = "a message between members is under way",
    [NOT_MADE] = "an object of MPI could not be made again",
    [HELD] = "a program has come to have something open that cannot be moved",
};

/* --- agreeing -----------------------------------------------------------------------------------
 */

/* What all who have programs say together: the most of it. */
static int most(const xmpi_parts_t *parts, int mine)
{
    return xmpi_step_most(parts->world->comm, mine);
}

static bool is_gone(const void *context, int rank)
{
    const xmpi_execution_t *e = context;
    return xmpi_doorbell_is_gone(&e->shared->process[e->change.process[rank]].door);
}

/* One that mpiexec has started is not there any more for anybody; where others would be spawned
 * they still can be. */
static void note_lost(const xmpi_parts_t *parts, const xmpi_execution_t *e)
{
    xmpi_shared_t *shared = parts->shared;
    int *lost = calloc((size_t)e->change.transit, sizeof *lost);
    if (lost == NULL)
        xmpi_misuse("no memory for a list of %d processes", e->change.transit);
    if (e->move.fault == XMPI_IMAGE_LOST)
        lost[e->move.to] = 1;
    PMPI_Allreduce(MPI_IN_PLACE, lost, e->change.transit, MPI_INT, MPI_MAX, parts->world->comm);
    for (int i = e->change.olds; i < e->change.transit; i++) {
        const xmpi_process_t *process = &shared->process[e->change.process[i]];
        if (lost[i] && process->initial_rank >= 0)
            shared->resources.pe[process->pe].withdrawn = shared->resources.pe[process->pe].lost =
                true;
    }
    free(lost);
}

/* The programs stay. MPI would wait for one that is lost when others part from it. */
static xmpi_outcome_t stay(const xmpi_parts_t *parts, xmpi_execution_t *e, int why)
{
    bool joins = e->me >= e->change.olds, lost = why == XMPI_IMAGE_LOST;
    if (!joins && lost)
        note_lost(parts, e);
    if (!joins)
        xmpi_image_tell(&e->move, lost ? XMPI_IMAGE_ABANDONED : XMPI_IMAGE_OFF);
    if (!joins && why != XMPI_IMAGE_FINE)
        xmpi_error_set(&e->error, XMPI_ERR_PROCESS, "%s%s%s", reasons[why],
                       e->move.why[0] != '\0' ? ": " : "", e->move.why);
    xmpi_handles_cancel();
    xmpi_image_cancel(&e->move);
    xmpi_connect_end(&e->connect, lost);
    e->abandoned = lost;
    return xmpi_step_call_off(parts, e);
}

/* --- together -----------------------------------------------------------------------------------
 */

/* What the programs have of MPI, in the world to come. */
static xmpi_status_t make_objects(const xmpi_execution_t *e, MPI_Comm world)
{
    const xmpi_change_t *change = &e->change;
    bool *moved = calloc((size_t)change->transit + 1, sizeof *moved);
    xmpi_status_t status = xmpi_handles_move(e->transit, e->move.to, e->move.from);
    for (int i = 0; moved != NULL && i < change->transit; i++)
        if (change->new_rank[i] >= 0)
            moved[change->new_rank[i]] = change->new_rank[i] != i;
    if (moved == NULL)
        status = XMPI_ERR_MEMORY;
    if (xmpi_step_all_agree(e->transit, status) && world != MPI_COMM_NULL)
        status = xmpi_handles_make(world, moved);
    else if (status == XMPI_OK && world != MPI_COMM_NULL)
        status = XMPI_ERR_PROCESS;
    free(moved);
    return status;
}

/* Everything is where it is to go: from here on all are needed. What joiners have to know comes
 * before the last agreement: behind it each goes on by itself, beside those that are not there yet.
 */
static xmpi_outcome_t go(const xmpi_parts_t *parts, xmpi_execution_t *e, double start)
{
    if (e->me < e->change.olds && parts->commits != NULL)
        parts->commits(parts->context, &e->next);
    xmpi_connect_end(&e->connect, false);
    MPI_Comm world = xmpi_join_finish(&e->change, e->transit);
    xmpi_status_t made = make_objects(e, world);
    if (e->change.joiners > 0)
        xmpi_step_hand_over(parts, e);
    e->others.bytes = e->move.bytes + e->move.ahead;
    e->others.messages = e->move.messages;
    if (!xmpi_step_all_agree_last(e, made)) {
        xmpi_outcome_t outcome = stay(parts, e, NOT_MADE);
        if (world != MPI_COMM_NULL)
            PMPI_Comm_disconnect(&world);
        return outcome;
    }
    double agreed = PMPI_Wtime();
    xmpi_image_commit(&e->move);
    if (world != MPI_COMM_NULL)
        xmpi_handles_switch();
    else
        xmpi_handles_leave();
    xmpi_step_use_world(parts, e, world);
    xmpi_shared_commit(parts->shared, &e->next);
    xmpi_outcome_t outcome = xmpi_step_conclude(parts, e, start);
    e->cost.parting = PMPI_Wtime() - agreed;
    xmpi_image_release(&e->move);
    return outcome;
}

/* --- who joins ----------------------------------------------------------------------------------
 */

static xmpi_outcome_t join(const xmpi_parts_t *parts, xmpi_execution_t *e)
{
    xmpi_image_word_t word;
    double began = PMPI_Wtime();
    xmpi_connect_take(&e->change, e->transit, e->me, &e->connect);
    xmpi_image_serve(&e->move, &word);
    bool ahead = e->move.ahead > 0;
    double start = ahead ? e->move.last_at : began; /* from then on the program stands still */
    e->cost.background = ahead ? start - began : 0;
    if (word == XMPI_IMAGE_LAST)
        word = xmpi_image_hear(&e->move);
    return word == XMPI_IMAGE_GO
               ? go(parts, e, start)
               : stay(parts, e, word == XMPI_IMAGE_ABANDONED ? XMPI_IMAGE_LOST : XMPI_IMAGE_FINE);
}

/* --- who has a program --------------------------------------------------------------------------
 */

/* The programs stand still. (A process that is killed later ends the job: with it all make the new
 * world, and while MPICH's ch3 (4.0.2) does that, it tells none of them that one has ended.) */
static xmpi_outcome_t finish(const xmpi_parts_t *parts, xmpi_execution_t *e)
{
    xmpi_error_t why;
    double start = PMPI_Wtime();
    bool under_way =
        xmpi_handles_unreceived(parts->world->comm, e->transit, why.text, sizeof why.text);
    int wrong = most(parts, under_way ? MESSAGES : 0);
    if (wrong == 0)
        wrong = most(parts, (int)xmpi_image_last(&e->move));
    if (wrong == 0 && e->change.joiners > 0)
        wrong = most(parts, (int)xmpi_image_look_again(&e->move));
    if (wrong != 0)
        return stay(parts, e, wrong);
    xmpi_image_tell(&e->move, XMPI_IMAGE_GO);
    return go(parts, e, start);
}

/* Whether images are so large that they go ahead: the leader says from where on; below 0, of which
 * all know, they do not. */
static bool pays(const xmpi_parts_t *parts, const xmpi_execution_t *e, int64_t least)
{
    int64_t mine[2] = {e->move.to_joiner && least != 0 ? xmpi_image_bytes(parts->image) : 0,
                       e->me == 0 ? least : INT64_MIN};
    int64_t all[2];
    PMPI_Allreduce(mine, all, 2, MPI_INT64_T, MPI_MAX, parts->world->comm);
    return all[1] >= 0 && all[0] >= all[1];
}

xmpi_outcome_t xmpi_execute_images(const xmpi_parts_t *parts, int64_t background,
                                   xmpi_execution_t *execution)
{
    xmpi_execution_t *e = execution;
    double start = PMPI_Wtime();
    if (e->change.joiners > 0)
        PMPI_Comm_set_errhandler(e->transit, MPI_ERRORS_RETURN);
    e->shared = parts->shared;
    xmpi_image_open(parts->image, &e->change, e->transit, e->me, parts->registry->strategy,
                    (double)parts->shared->settings.timeout, is_gone, e, &e->move);
    if (e->me >= e->change.olds)
        return join(parts, e);
    xmpi_connect_begin(parts->marks, &e->change, parts->world->comm, e->transit, e->me,
                       &e->connect);
    e->cost.move = PMPI_Wtime() - start;
    if (e->change.joiners == 0 || background < 0 || !pays(parts, e, background) ||
        most(parts, xmpi_image_ahead(&e->move)) == 0)
        return finish(parts, e);
    e->under_way = true;
    e->started = PMPI_Wtime();
    e->cost.move = e->started - start;
    return XMPI_UNDER_WAY;
}

/* Whether the program has something now that it had not when the move was decided on. */
static bool is_held(const xmpi_parts_t *parts, const xmpi_execution_t *e)
{
    char why[XMPI_IMAGE_WHY_MAX] = "";
    xmpi_holds_t held = xmpi_handles_hold(why, sizeof why);
    if (held == XMPI_HOLDS_NOTHING && e->move.to >= 0)
        parts->image->held(why);
    return held == XMPI_HOLDS_ALL || (e->move.to >= 0 && why[0] != '\0');
}

/* In order: the most of all decides. */
enum { ARRIVED, MOVING, GIVE_UP };

/* A program that has something open for a while is waited for. */
static int state_of(const xmpi_parts_t *parts, bool give_up, xmpi_execution_t *e)
{
    enum { PATIENCE = 200 };
    bool arrived = xmpi_image_tend(&e->move);
    if (give_up || e->move.fault != XMPI_IMAGE_FINE)
        return GIVE_UP;
    if (!arrived)
        return MOVING;
    e->held = is_held(parts, e) ? e->held + 1 : 0;
    return e->held == 0 ? ARRIVED : e->held < PATIENCE ? MOVING : GIVE_UP;
}

xmpi_outcome_t xmpi_execute_ask_images(const xmpi_parts_t *parts, bool give_up,
                                       xmpi_execution_t *execution)
{
    xmpi_execution_t *e = execution;
    int all = most(parts, state_of(parts, give_up, e));
    if (all == MOVING)
        return XMPI_UNDER_WAY;
    e->cost.background = PMPI_Wtime() - e->started;
    if (all == ARRIVED)
        return finish(parts, e);
    return stay(parts, e,
                most(parts, e->move.fault != XMPI_IMAGE_FINE ? (int)e->move.fault
                            : e->held > 0 && !give_up        ? HELD
                                                             : XMPI_IMAGE_FINE));
}

double xmpi_execute_image_bytes(const xmpi_image_t *image, xmpi_image_size_t *size)
{
    return (double)xmpi_image_touched(image, size);
}
