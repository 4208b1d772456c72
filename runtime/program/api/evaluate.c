/* SPDX-License-Identifier: BSD-3-Clause
 * The adaptive loop by hand: XMPI_Monitor_si_init, XMPI_Eval_lbalance, XMPI_Eval_reconfig and
 * XMPI_Get_data (thesis §5.4.4, Table 5.1, Fig. 5.14). What they do is what the calls do that the
 * rewriter inserts; the block is where the caller has it, and who is removed goes on to the end. */
#include <stdio.h>

#include "act/world/world.h"
#include "decide/policies/balance.h"
#include "observe/monitor.h"
#include "program/context.h"
#include "base/export.h"
#include "base/floating.h"
#include "program/loop/begin_end.h"
#include "program/loop/loop.h"
#include "xmpi.h"
#include "xmpi_gen.h"

static const char where[] = "the loop with XMPI_Eval_reconfig";

/* The rows that the registered structures share. */
static int64_t domain_of(const xmpi_registry_t *registry)
{
    for (int i = 0; i < registry->arrays; i++)
        if (registry->array[i].scheme != XMPI_GEN_REPLICATED)
            return registry->array[i].rows;
    return 0;
}

static void refresh_blocks(xmpi_context_t *context)
{
    xmpi_hand_t *hand = &context->hand;
    hand->used = true;
    if (context->registry.domain == 0)
        context->registry.domain = domain_of(&context->registry);
    xmpi_registry_add_refresh(&context->registry, XMPI_GEN_COUNT, &hand->count, sizeof hand->count);
    xmpi_registry_add_refresh(&context->registry, XMPI_GEN_DISPL, &hand->displ, sizeof hand->displ);
}

/* One double for each row of the domain, the same on all members. */
static void set_weights(xmpi_context_t *context, double *weight)
{
    context->hand.weight = weight;
    if (weight != NULL)
        context->weights =
            (xmpi_given_weights_t){&context->hand.weight, XMPI_GEN_DOUBLE, XMPI_GEN_REPLICATED};
}

/* The first iteration is over: what the loop is like is known now. */
static void begin(xmpi_context_t *context, int64_t it, int64_t maxit, const void *frame)
{
    refresh_blocks(context);
    context->bound = maxit;
    context->shared.leavers_end = true;
    xmpi_loop_begin(context, where, 0, frame);
    context->progress.iteration = context->progress.interval_start = it + 1;
    context->progress.measured_from = it + 1;
    xmpi_loop_point(context);
}

static int refuse(const char *call, int code, const char *why)
{
    fprintf(stderr, "xmpi: %s: %s\n", call, why);
    return code;
}

static int check(const char *call, const int64_t *count, const int64_t *displ)
{
    const xmpi_context_t *context = &xmpi_context;
    if (count == NULL || displ == NULL)
        return MPI_ERR_ARG;
    if (xmpi_world.state == XMPI_STATE_JOINING)
        return refuse(call, MPI_ERR_OTHER, "a new process gets its data with XMPI_Get_data first");
    if (xmpi_world.state == XMPI_STATE_REMOVED)
        return refuse(call, MPI_ERR_OTHER, "this process has been removed: its status says so");
    if (context->loop != NULL && !context->hand.used)
        return refuse(call, MPI_ERR_OTHER, "not in a loop with a pragma, which does that itself");
    return MPI_SUCCESS;
}

static int evaluate(const xmpi_policy_t *policy, int64_t it, int64_t maxit, int64_t *count,
                    int64_t *displ, double *weight, const void *frame)
{
    xmpi_context_t *context = &xmpi_context;
    xmpi_hand_t *hand = &context->hand;
    hand->count = *count;
    hand->displ = *displ;
    set_weights(context, weight);
    if (hand->marks)
        xmpi_monitor_resume(&xmpi_monitor); /* without a begin, all counts */
    if (context->loop == NULL) {
        begin(context, it, maxit, frame);
    } else {
        const xmpi_policy_t *own = context->policy;
        context->policy = policy != NULL ? policy : own;
        xmpi_loop_point(context);
        context->policy = own;
    }
    *count = hand->count;
    *displ = hand->displ;
    if (hand->marks && xmpi_world.state == XMPI_STATE_RUNNING)
        xmpi_monitor_pause(&xmpi_monitor);
    return MPI_SUCCESS;
}

XMPI_EXPORT int XMPI_Monitor_si_init(void)
{
    XMPI_OWN_FLOATING;
    xmpi_context_t *context = &xmpi_context;
    context->hand.marks = true;
    if (context->hand.used && xmpi_world.state == XMPI_STATE_RUNNING)
        xmpi_monitor_resume(&xmpi_monitor);
    return MPI_SUCCESS;
}

XMPI_EXPORT int XMPI_Eval_reconfig(int rank, int nprocs, int64_t it, int64_t maxit, int64_t *count,
                                   int64_t *displ, double *weight, char *argv[],
                                   const char *command)
{
    XMPI_OWN_FLOATING;
    (void)rank, (void)nprocs, (void)argv, (void)command;
    int code = check(__func__, count, displ);
    if (code != MPI_SUCCESS || xmpi_world.state == XMPI_STATE_PLAIN)
        return code;
    return evaluate(NULL, it, maxit, count, displ, weight, __builtin_frame_address(0));
}

XMPI_EXPORT int XMPI_Eval_lbalance(int rank, int nprocs, int64_t it, int64_t maxit, int64_t *count,
                                   int64_t *displ, double *weight)
{
    XMPI_OWN_FLOATING;
    (void)rank, (void)nprocs;
    int code = check(__func__, count, displ);
    if (code != MPI_SUCCESS || xmpi_world.state == XMPI_STATE_PLAIN)
        return code;
    return evaluate(&xmpi_policy_balance, it, maxit, count, displ, weight,
                    __builtin_frame_address(0));
}

XMPI_EXPORT int XMPI_Get_data(int64_t *it)
{
    xmpi_context_t *context = &xmpi_context;
    if (it == NULL)
        return MPI_ERR_ARG;
    if (xmpi_world.state != XMPI_STATE_JOINING)
        return refuse(__func__, MPI_ERR_OTHER,
                      "only for a process whose status is XMPI_NEWLY_SPAWNED");
    refresh_blocks(context);
    xmpi_loop_begin(context, where, 0, __builtin_frame_address(0));
    xmpi_loop_point(context);
    *it = context->progress.iteration;
    return MPI_SUCCESS;
}
