/* SPDX-License-Identifier: BSD-3-Clause
 * Whether a change of layout is checked. */
#include "program/check/check_decide.h"

#include "program/check/check_report.h"
#include "program/members/members.h"

static int how_it_repeats(const xmpi_context_t *context)
{
    return context->repeats.said ? context->repeats.how : XMPI_GEN_MAY_REPEAT;
}

/* Whether a row has an even index in its block before and an odd one after, or the other way round:
 * the fault that is right for every second layout (red and black by the local index). */
static bool is_odd(const xmpi_layout_t *before, const xmpi_layout_t *after)
{
    int i = 0, k = 0;
    while (i < before->members && k < after->members) {
        const xmpi_block_t *one = &before->member[i].block, *other = &after->member[k].block;
        int64_t end = one->displ + one->count, other_end = other->displ + other->count;
        bool meet = one->displ < other_end && other->displ < end;
        if (meet && (one->displ - other->displ) % 2 != 0)
            return true;
        i += end <= other_end;
        k += other_end <= end;
    }
    return false;
}

/* A bit for a number of members: each up to 32 has its own, those beyond are taken together by
 * powers of two, so that a loop is not checked for ever. */
static uint64_t size_bit(int members)
{
    int bit = members <= 32 ? members - 1 : 31;
    for (int beyond = members; beyond > 32; beyond /= 2)
        bit++;
    return (uint64_t)1 << bit;
}

/* The numbers of members that a change has to do with. What is the same for some of them may differ
 * for another (1.0 / size as a whole number). */
static uint64_t sizes_of(const xmpi_layout_t *before, const xmpi_layout_t *after)
{
    return size_bit(before->members) | size_bit(after->members);
}

/* Whether NEXT is a change of a kind that was not checked in this loop. */
static bool is_new(const xmpi_context_t *context, const xmpi_layout_t *next)
{
    const xmpi_checking_t *check = &context->progress.check;
    const xmpi_layout_t *layout = &context->shared.layout;
    return check->checks == 0 || (!check->joined && xmpi_members_joiners(layout, next) > 0) ||
           (!check->odd && is_odd(layout, next)) ||
           (check->sizes & sizes_of(layout, next)) != sizes_of(layout, next);
}

/* A loop that relies on what the linked program does not show keeps its processes, so that nothing
 * of it is checked. */
static bool shown_to_repeat(const xmpi_context_t *context)
{
    const int how = how_it_repeats(context);
    return how == XMPI_GEN_REPEATS || how == XMPI_GEN_REPEATS_AS_RELIED;
}

/* What functions of other files do with their arguments, and of which kind their results are (sums,
 * largest values), is not shown but believed: the first change tells, whatever that takes. */
static bool is_first_of_believed(const xmpi_context_t *context)
{
    return how_it_repeats(context) == XMPI_GEN_REPEATS_AS_RELIED &&
           context->progress.check.checks == 0;
}

/* AUTO: where it is known to be free of side effects, and costs less than a second or a hundredth
 * of what it may spare the user. */
static bool is_wanted(const xmpi_context_t *context, const xmpi_layout_t *next, double seconds,
                      double gain)
{
    switch (context->shared.settings.check) {
    case XMPI_CHECK_OFF:
        return false;
    case XMPI_CHECK_AUTO:
        return is_new(context, next) && shown_to_repeat(context) && !context->hand.used &&
               (seconds < 1 || seconds < 0.01 * gain || is_first_of_believed(context));
    case XMPI_CHECK_FIRST:
        return is_new(context, next);
    default:
        return true;
    }
}

/* Whether the iteration runs in the old layout once more: where it was not shown that it repeats,
 * and where everything is to be checked, that as well. (A program that starts over has nothing but
 * its state in the new world: all else would show.) */
static bool is_tried(const xmpi_context_t *context)
{
    const int mode = context->shared.settings.check;
    return !context->shared.resizable && (how_it_repeats(context) != XMPI_GEN_REPEATS ||
                                          mode == XMPI_CHECK_ALL || mode == XMPI_CHECK_ABORT);
}

void xmpi_check_decide(xmpi_context_t *context, const xmpi_layout_t *next, double seconds,
                       double gain)
{
    xmpi_checking_t *check = &context->progress.check;
    const xmpi_layout_t *layout = &context->shared.layout;
    if (xmpi_members_move_programs(context, next) || !is_wanted(context, next, seconds, gain))
        return;
    check->checks++;
    check->joined |= xmpi_members_joiners(layout, next) > 0;
    check->odd |= is_odd(layout, next);
    check->sizes |= sizes_of(layout, next);
    check->iteration = context->progress.iteration;
    check->from = context->shared.layout.members;
    check->iterations = 0;
    check->seconds = 0;
    check->tries = is_tried(context);
    const char *why = context->hand.used ? "the loop is written by hand (XMPI_Eval)"
                      : how_it_repeats(context) != XMPI_GEN_NEVER_REPEATS ? NULL
                      : context->repeats.why != NULL                      ? context->repeats.why
                                                     : "the iteration cannot be repeated";
    if (why != NULL) {
        xmpi_check_tell(context, XMPI_NOT_CHECKED, why, next->members);
        xmpi_check_say_unchecked(context, why);
    } else
        check->phase = XMPI_CHECKING_FIRST;
}
