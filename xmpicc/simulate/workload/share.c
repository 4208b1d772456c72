/* SPDX-License-Identifier: BSD-3-Clause
 * Malleable jobs give and take. */
#include "simulate/workload/share.h"

#include <stdlib.h>

/* Whether JOB has said what it can use, and is not changing. */
static bool is_claimant(const sim_machine_t *machine, int job)
{
    const sim_place_t *place = &machine->place[job];
    return place->program != NULL && !place->changing && place->program->worths > 0;
}

static xmpi_claimant_t claimant_of(const sim_machine_t *machine, int job)
{
    const sim_malleable_t *program = machine->place[job].program;
    return (xmpi_claimant_t){.options = program->worths,
                             .option = program->worth,
                             .due = machine->jobs.job[job].due - machine->now};
}

xmpi_status_t sim_share_ask(sim_machine_t *machine, xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    for (int i = 0; i < machine->runs && status == XMPI_OK; i++) {
        int job = machine->running[i];
        sim_place_t *place = &machine->place[job];
        if (place->program != NULL && !place->changing)
            status =
                sim_malleable_ask(place->program, &machine->jobs.job[job], machine->now, error);
    }
    return status;
}

int sim_share_reclaimable(const sim_machine_t *machine, int job)
{
    if (!is_claimant(machine, job))
        return 0;
    const xmpi_claimant_t claimant = claimant_of(machine, job);
    int spare = machine->place[job].pes - xmpi_share_fewest(machine->technique->aim, &claimant);
    return spare > 0 ? spare : 0;
}

/* Room for the question and its answer. */
typedef struct {
    xmpi_sharing_t sharing;
    xmpi_claimant_t *claimant; /* of each */
    int *job, *members;        /* the same */
} question_t;

static void free_question(question_t *question)
{
    free(question->claimant);
    free(question->job);
    free(question->members);
}

static xmpi_status_t make_question(const sim_machine_t *machine, int promised, question_t *question)
{
    size_t room = (size_t)machine->runs + 1;
    *question = (question_t){.claimant = calloc(room, sizeof *question->claimant),
                             .job = calloc(room, sizeof *question->job),
                             .members = calloc(room, sizeof *question->members)};
    if (question->claimant == NULL || question->job == NULL || question->members == NULL)
        return XMPI_ERR_MEMORY;
    xmpi_sharing_t *sharing = &question->sharing;
    *sharing = (xmpi_sharing_t){.aim = machine->technique->aim,
                                .pes = machine->free - promised,
                                .busy = machine->values->power_busy,
                                .idle = machine->values->power_idle,
                                .job = question->claimant};
    for (int i = 0; i < machine->runs; i++) {
        int job = machine->running[i];
        if (!is_claimant(machine, job))
            continue;
        question->claimant[sharing->jobs] = claimant_of(machine, job);
        question->job[sharing->jobs++] = job;
        sharing->pes += machine->place[job].pes;
    }
    return XMPI_OK;
}

/* Who gives does so first; who is to have more than are free yet has them when they are. */
static xmpi_status_t carry_out(sim_machine_t *machine, const question_t *question, int promised,
                               xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    for (int i = 0; i < question->sharing.jobs && status == XMPI_OK; i++)
        if (question->members[i] < machine->place[question->job[i]].pes)
            status = sim_machine_resize(machine, question->job[i], question->members[i], error);
    for (int i = 0; i < question->sharing.jobs && status == XMPI_OK; i++) {
        int more = question->members[i] - machine->place[question->job[i]].pes;
        if (more > 0 && more <= machine->free - promised)
            status = sim_machine_resize(machine, question->job[i], question->members[i], error);
    }
    return status;
}

xmpi_status_t sim_share_out(sim_machine_t *machine, int promised, xmpi_error_t *error)
{
    question_t question;
    xmpi_status_t status = XMPI_OK;
    if (!machine->technique->shares)
        return XMPI_OK;
    status = make_question(machine, promised, &question);
    if (status == XMPI_OK && question.sharing.jobs > 0)
        status = xmpi_share_out(&question.sharing, question.members);
    if (status == XMPI_OK)
        status = carry_out(machine, &question, promised, error);
    else if (status == XMPI_ERR_INPUT)
        status = XMPI_OK; /* others have been promised all: jobs keep what they have */
    else
        xmpi_error_set(error, status, "no memory to share out the machine");
    free_question(&question);
    return status;
}
