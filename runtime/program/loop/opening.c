/* SPDX-License-Identifier: BSD-3-Clause
 * The first layout of a loop that an earlier run has told of. */
#include "program/loop/opening.h"

#include <stdlib.h>

#include "act/world/world.h"
#include "base/collective.h"
#include "base/misuse.h"
#include "observe/clock.h"
#include "program/check/check_decide.h"
#include "program/loop/deciding/session.h"
#include "program/loop/deciding/verdict.h"
#include "program/members/job_log.h"
#include "program/members/members.h"
#include "trace/trace.h"

enum { KEEP, CHANGE, SEND_WEIGHTS };

/* What the leader makes of its step; it says in the log of the job why there is no change. */
static int follow(xmpi_context_t *context, xmpi_session_t *session, xmpi_layout_t *next)
{
    xmpi_step_t *step = &session->step;
    if (step->outcome == XMPI_STEP_WEIGHS)
        return SEND_WEIGHTS;
    if (step->outcome != XMPI_STEP_CHANGES) {
        if (step->plan.reason[0] != '\0')
            xmpi_job_say(context, "the loop begins with its own blocks: %s", step->plan.reason);
        return KEEP;
    }
    xmpi_session_describe(context, session);
    if (xmpi_session_lay_out(context, step, next)) {
        xmpi_trace_plan(&context->trace, &context->shared, &context->progress.under_way, next);
        return CHANGE;
    }
    xmpi_verdict_called_off(context, step->error.text);
    return KEEP;
}

static int judge(xmpi_context_t *context, xmpi_session_t *session, xmpi_sample_t *samples,
                 xmpi_layout_t *next)
{
    xmpi_leader_t *leader = &context->shared.leader;
    xmpi_session_open(context, samples, session);
    if (!xmpi_leader_can_open(leader, &session->occasion))
        return KEEP;
    xmpi_leader_open(leader, &session->occasion, samples, &session->step);
    return follow(context, session, next);
}

static int judge_again(xmpi_context_t *context, xmpi_session_t *session, xmpi_sample_t *samples,
                       xmpi_layout_t *next)
{
    bool had = xmpi_session_get_weights(context, session);
    int verdict = KEEP;
    if (xmpi_leads() && had) {
        xmpi_leader_open(&context->shared.leader, &session->occasion, samples, &session->step);
        verdict = follow(context, session, next);
    }
    return verdict == CHANGE ? CHANGE : KEEP;
}

bool xmpi_opening(xmpi_context_t *context, xmpi_layout_t *next)
{
    int verdict = KEEP;
    xmpi_session_t session = {.since = xmpi_clock_wall()};
    xmpi_sample_t *samples = NULL;
    if (xmpi_leads()) {
        samples = calloc((size_t)context->shared.layout.members, sizeof *samples);
        if (samples == NULL)
            xmpi_misuse("no memory for %d samples", context->shared.layout.members);
        verdict = judge(context, &session, samples, next);
    }
    PMPI_Bcast(&verdict, 1, MPI_INT, 0, xmpi_world.comm);
    if (verdict == SEND_WEIGHTS) {
        verdict = judge_again(context, &session, samples, next);
        PMPI_Bcast(&verdict, 1, MPI_INT, 0, xmpi_world.comm);
    }
    if (verdict == CHANGE && xmpi_leads())
        xmpi_check_decide(context, next, samples[0].wall, xmpi_session_gain(&session));
    xmpi_session_close(&session);
    free(samples);
    if (verdict == CHANGE)
        xmpi_members_announce(context, true, next);
    return verdict == CHANGE;
}
