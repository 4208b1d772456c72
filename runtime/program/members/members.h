/* SPDX-License-Identifier: BSD-3-Clause
 * Changing the members: calling those that join, and carrying the change out. What the adaptive
 * loop and the calls by hand (XMPI_Spawn, XMPI_Remove) have in common. */
#ifndef XMPI_PROGRAM_MEMBERS_MEMBERS_H
#define XMPI_PROGRAM_MEMBERS_MEMBERS_H

#include "act/processes/call.h"
#include "act/execute.h"
#include "program/context.h"

/* The layout NEXT (act/members/lay_out.h) of the plan in which all members stay, and have the
 * BLOCKS. */
xmpi_status_t xmpi_members_lay_out_blocks(xmpi_shared_t *shared, const xmpi_block_t *blocks,
                                          xmpi_layout_t *next, xmpi_error_t *error);

/* Tells everybody the next layout, the processes that belong to it, and what is to be put into the
 * trace; whether there is one (CHANGE, read at the leader). Collective over the world. */
bool xmpi_members_announce(xmpi_context_t *context, bool change, xmpi_layout_t *next);

/* How many of NEXT are not in LAYOUT. */
int xmpi_members_joiners(const xmpi_layout_t *layout, const xmpi_layout_t *next);

/* Sends away those that come after their call was called off. Leader only. */
void xmpi_members_turn_away(xmpi_context_t *context);

/* What the caller, who leads, calls with. */
xmpi_caller_t xmpi_members_caller(xmpi_context_t *context);

/* Starts to get the processes that join NEXT: COMMAND is what is spawned (NULL: this program), WHEN
 * they join. Leader only. */
xmpi_status_t xmpi_members_begin(xmpi_context_t *context, const xmpi_layout_t *next,
                                 const xmpi_command_line_t *command, xmpi_order_t when,
                                 xmpi_error_t *error);

/* Gets the processes that join NEXT, unless they are there already. When one cannot be had nothing
 * has changed, and everybody has the ERROR. Collective over the world. */
xmpi_status_t xmpi_members_call(xmpi_context_t *context, const xmpi_layout_t *next,
                                const xmpi_command_line_t *command, xmpi_order_t when,
                                xmpi_error_t *error);

/* Whether whole programs change their processes by NEXT, and nothing else does. */
bool xmpi_members_move_programs(const xmpi_context_t *context, const xmpi_layout_t *next);

/* Carries the change out; a joiner takes part with its own NEXT. What REGISTRY holds
 * moves with it: that of the context, or an empty one where joiners register their data later.
 * Accounts for it in the progress. Collective over the members and the joiners. Inside the adaptive
 * loop it can be XMPI_UNDER_WAY for those that are members. */
xmpi_outcome_t xmpi_members_change(xmpi_context_t *context, xmpi_layout_t *next,
                                   xmpi_registry_t *registry);

/* The same of what the program moves by hand, where all stay: what is agreed on before anything
 * moves is by CONSENT. */
xmpi_outcome_t xmpi_members_move(xmpi_context_t *context, xmpi_layout_t *next,
                                 const xmpi_consent_t *consent);

/* After XMPI_STARTS: see xmpi_execute_started. Collective over all that take part. */
xmpi_outcome_t xmpi_members_started(xmpi_context_t *context, const char *why);

/* Asks whether a change that is under way can be finished, and does that; or gives it up.
 * Collective over the members. */
xmpi_outcome_t xmpi_members_ask(xmpi_context_t *context, bool give_up);

/* Groups of which nobody is left need not park any more. */
void xmpi_members_end_groups(xmpi_context_t *context);

/* Members of a new world may share cores, or not any more (observe/wait.h). Collective over it. */
void xmpi_members_choose_waiting(xmpi_context_t *context);

#endif
