/* SPDX-License-Identifier: BSD-3-Clause
 * Idle PEs are seen. */
#include "program/members/idle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "act/doors/line.h"
#include "act/machine/rate.h"
#include "act/world/world.h"
#include "base/process/remote_shell.h"
#include "decide/layout/nodes.h"
#include "decide/policies/catalogue.h"
#include "observe/clock.h"
#include "observe/wait.h"
#include "program/members/inquiry.h"

/* A share of the leader's time. */
static const double asking_share = 0.0005;

/* Machines may become slower and quicker, as they become hot; rarely. */
static const double rate_lasts = 1000;

/* --- who is parked -----------------------------------------------------------------------------
 */

static const char *own_node(const xmpi_context_t *context)
{
    int pe = xmpi_resources_pe_of(&context->shared.resources, context->process);
    return pe >= 0 ? context->shared.resources.pe[pe].node : "";
}

static void look(xmpi_context_t *context, xmpi_glance_t *glance)
{
    *glance = (xmpi_glance_t){.at = xmpi_clock_wall(), .cpu = xmpi_clock_cpu()};
    xmpi_cpu_use(context->shared.settings.proc, own_node(context), &glance->use);
}

static xmpi_load_t load_since(const xmpi_glance_t *before, const xmpi_glance_t *now, double rate)
{
    return (xmpi_load_t){.rate = rate,
                         .cores = now->use.cores,
                         .busy = now->use.busy - before->use.busy,
                         .seconds = now->at - before->at};
}

/* Seldom enough that it does not count beside looking, which is done all the time. */
static double own_rate(xmpi_context_t *context)
{
    xmpi_rate_t *rate = &context->rate;
    double now = xmpi_clock_wall();
    if (!(rate->at > 0) || now - rate->at > rate_lasts)
        *rate = (xmpi_rate_t){.value = xmpi_rate_measure(), .at = now};
    return rate->value;
}

void xmpi_idle_begin(xmpi_context_t *context)
{
    if (context->shared.settings.watch_idle != XMPI_WATCH_OFF)
        own_rate(context);
    look(context, &context->glance);
    xmpi_agents_end(&context->agents);
}

void xmpi_idle_answer(xmpi_context_t *context)
{
    xmpi_pack_t pack = {0};
    xmpi_glance_t before = context->glance;
    double rate = own_rate(context);
    look(context, &context->glance);
    const xmpi_glance_t *now = &context->glance;
    xmpi_load_t load = load_since(&before, now, rate);
    load.rest = (now->cpu - before.cpu) / xmpi_idle_answering_share;
    xmpi_pack_put(&pack, &load, sizeof load);
    xmpi_line_say(context->line, XMPI_WORD_LOAD, &pack);
    xmpi_pack_free(&pack);
}

static bool is_wanted(const xmpi_context_t *context)
{
    xmpi_watch_idle_t watch = context->shared.settings.watch_idle;
    return watch == XMPI_WATCH_ON || watch == XMPI_WATCH_AGENTS ||
           (watch == XMPI_WATCH_AUTO && xmpi_policy_uses(context->policy, XMPI_OF_IDLE));
}

/* --- members -----------------------------------------------------------------------------------
 */

static bool is_parked(const xmpi_pe_t *pe)
{
    return pe->process >= 0 && pe->parked && !pe->withdrawn;
}

/* Whether this member is to tell of its node: some of it is idle, nobody is parked there, and no
 * member of lower rank is. */
static bool is_teller(const xmpi_context_t *context)
{
    const xmpi_resources_t *resources = &context->shared.resources;
    const char *node = own_node(context);
    bool some = false;
    for (int i = 0; i < resources->pes && node[0] != '\0'; i++) {
        const xmpi_pe_t *pe = &resources->pe[i];
        if (strcmp(pe->node, node) != 0)
            continue;
        int rank = pe->process >= 0 ? xmpi_layout_rank(&context->shared.layout, pe->process) : -1;
        if (is_parked(pe) || (rank >= 0 && rank < xmpi_world.rank))
            return false;
        some |= xmpi_pe_usable(resources, i);
    }
    return some;
}

void xmpi_idle_tell(xmpi_context_t *context, xmpi_sample_t *sample)
{
    double start = xmpi_clock_wall();
    if (!xmpi_leads())
        xmpi_agents_end(&context->agents);
    if (!is_wanted(context) || start < context->look_from)
        return;
    xmpi_glance_t before = context->glance;
    bool tells = is_teller(context);
    context->glance = (xmpi_glance_t){.at = 0};
    if (tells)
        look(context, &context->glance);
    context->look_from = start + (xmpi_clock_wall() - start) / asking_share;
    if (tells && before.at > 0)
        sample->load = load_since(&before, &context->glance, own_rate(context));
}

/* --- the leader --------------------------------------------------------------------------------
 */

/* What is known of the nodes. The arrays are malloc. */
typedef struct {
    const xmpi_resources_t *resources;
    xmpi_nodes_t nodes;
    int *members;      /* of each node */
    double *used;      /* of each node: cores that they use */
    int *parked;       /* of each node: a PE with a process that can be asked, or -1 */
    int *teller;       /* of each node: a PE from which its load was told, or -1 */
    xmpi_load_t *load; /* of each node */
} survey_t;

static void survey_free(survey_t *survey)
{
    free(survey->members);
    free(survey->used);
    free(survey->parked);
    free(survey->teller);
    free(survey->load);
    xmpi_nodes_free(&survey->nodes);
}

/* Cores that the process of a member uses: who does not wait asleep spins. */
static double cores_of(const xmpi_sample_t *sample)
{
    double waiting = xmpi_wait_sleeps() ? 0 : sample->wall - sample->computation;
    double busy = sample->cpu > 0 ? sample->cpu : sample->computation;
    return sample->wall > 0 ? (busy + waiting) / sample->wall : 0;
}

/* What a member of a node where nobody is parked has told. */
static void hear_member(survey_t *survey, int pe, const xmpi_sample_t *sample)
{
    int n = survey->nodes.of_pe[pe];
    if (!(sample->load.seconds > 0))
        return;
    survey->load[n] = sample->load;
    survey->teller[n] = pe;
}

static bool survey_make(survey_t *survey, const xmpi_shared_t *shared, const xmpi_sample_t *samples)
{
    const xmpi_resources_t *resources = &shared->resources;
    size_t pes = (size_t)resources->pes + 1;
    *survey = (survey_t){.resources = resources,
                         .members = calloc(pes, sizeof *survey->members),
                         .used = calloc(pes, sizeof *survey->used),
                         .parked = calloc(pes, sizeof *survey->parked),
                         .teller = calloc(pes, sizeof *survey->teller),
                         .load = calloc(pes, sizeof *survey->load)};
    int *pe = xmpi_members_pes(&shared->layout, resources);
    bool made = survey->members != NULL && survey->used != NULL && survey->parked != NULL &&
                survey->teller != NULL && survey->load != NULL && pe != NULL &&
                xmpi_nodes_make(&survey->nodes, resources->pes, resources->pe,
                                XMPI_UNNAMED_APART) == XMPI_OK;
    for (int n = 0; made && n < survey->nodes.nodes; n++)
        survey->parked[n] = survey->teller[n] = -1;
    for (int i = 0; made && i < shared->layout.members; i++)
        if (pe[i] >= 0) {
            survey->members[survey->nodes.of_pe[pe[i]]]++;
            survey->used[survey->nodes.of_pe[pe[i]]] += cores_of(&samples[i]);
            hear_member(survey, pe[i], &samples[i]);
        }
    for (int i = resources->pes - 1; made && i >= 0; i--)
        if (is_parked(&resources->pe[i]))
            survey->parked[survey->nodes.of_pe[i]] = i;
    free(pe);
    return made;
}

/* --- agents ------------------------------------------------------------------------------------
 */

static bool has_agents(const xmpi_context_t *context)
{
    return context->shared.settings.watch_idle == XMPI_WATCH_AGENTS;
}

/* A PE of node N to which a process could come, where nobody is who tells of the node; -1: none. */
static int untold_pe(const survey_t *survey, int n)
{
    const xmpi_resources_t *resources = survey->resources;
    if (survey->members[n] > 0 || survey->parked[n] >= 0)
        return -1;
    for (int i = 0; i < resources->pes; i++)
        if (survey->nodes.of_pe[i] == n && resources->pe[i].node[0] != '\0' &&
            xmpi_pe_usable(resources, i))
            return i;
    return -1;
}

/* Seconds that it took to start some: once, so that asking is not put off for it. */
static double ask_agents(xmpi_context_t *context, const survey_t *survey)
{
    double start = xmpi_clock_wall();
    int started = 0;
    const xmpi_settings_t *settings = &context->shared.settings;
    const char *shell = getenv(XMPI_REMOTE_SHELL_NAME);
    int nodes = 0;
    const char **node = calloc((size_t)survey->nodes.nodes + 1, sizeof *node);
    for (int n = 0; n < survey->nodes.nodes && node != NULL; n++) {
        int pe = untold_pe(survey, n);
        if (pe >= 0)
            node[nodes++] = survey->resources->pe[pe].node;
    }
    if (node != NULL)
        started = xmpi_agents_ask(&context->agents, shell != NULL ? shell : XMPI_REMOTE_SHELL,
                                  settings->proc, node, nodes, xmpi_clock_wall());
    free(node);
    return started > 0 ? xmpi_clock_wall() - start : 0;
}

static void hear_agents(xmpi_context_t *context, survey_t *survey)
{
    for (int n = 0; n < survey->nodes.nodes && has_agents(context); n++) {
        int pe = untold_pe(survey, n);
        const xmpi_load_t *load =
            pe >= 0 ? xmpi_agents_take(&context->agents, survey->resources->pe[pe].node) : NULL;
        if (load == NULL || !(load->seconds > 0))
            continue;
        survey->load[n] = *load;
        survey->teller[n] = pe;
    }
}

/* What those have answered who are parked on the same PEs still. */
static void hear_parked(survey_t *survey, const xmpi_inquiry_t *inquiry)
{
    for (int i = 0; i < inquiry->n; i++) {
        const xmpi_asked_t *asked = &inquiry->asked[i];
        int pes = survey->resources->pes;
        const xmpi_pe_t *pe = asked->pe < pes ? &survey->resources->pe[asked->pe] : NULL;
        if (!(asked->load.seconds > 0) || pe == NULL || !is_parked(pe) ||
            pe->process != asked->process)
            continue;
        survey->load[survey->nodes.of_pe[asked->pe]] = asked->load;
        survey->teller[survey->nodes.of_pe[asked->pe]] = asked->pe;
    }
}

static bool is_alike(const xmpi_resources_t *resources, int pe, int other)
{
    return resources->pe[pe].class_index == resources->pe[other].class_index;
}

/* What follows for each PE; seconds for which nobody is to be asked. */
static double conclude(const survey_t *survey, xmpi_idle_t *seen)
{
    double rest = 0;
    for (int i = 0; i < survey->resources->pes; i++) {
        int n = survey->nodes.of_pe[i];
        const xmpi_load_t *load = &survey->load[n];
        seen[i] = (xmpi_idle_t){.share = xmpi_load_share(load, survey->members[n], survey->used[n]),
                                .seconds = load->seconds};
        if (survey->teller[n] >= 0 && is_alike(survey->resources, i, survey->teller[n]))
            seen[i].rate = load->rate;
        rest = fmax(rest, load->rest);
    }
    return rest;
}

/* The leader's own CPU tells what work of ours is in that of the program. */
static void add_own_rate(xmpi_context_t *context)
{
    int own = xmpi_resources_pe_of(&context->shared.resources, context->process);
    if (own >= 0)
        context->seen[own].rate = own_rate(context);
}

static bool any_tells(const xmpi_context_t *context, const xmpi_sample_t *samples)
{
    for (int i = 0; i < context->shared.layout.members; i++)
        if (samples[i].load.seconds > 0)
            return true;
    return false;
}

/* Nobody is asked again before all that it took is the share of the time since it began. */
static void end_inquiry(xmpi_context_t *context, double rest)
{
    const xmpi_inquiry_t *inquiry = &context->inquiry;
    context->ask_from =
        fmax(inquiry->began + inquiry->took / asking_share, xmpi_clock_wall() + rest);
    xmpi_inquiry_end(context);
}

/* Takes in what members have told, and what was answered where the inquiry is OVER. */
static void take_in(xmpi_context_t *context, survey_t *survey, bool over)
{
    context->seen = calloc((size_t)context->shared.resources.pes + 1, sizeof *context->seen);
    if (context->seen == NULL)
        return;
    if (over)
        hear_parked(survey, &context->inquiry);
    hear_agents(context, survey);
    double rest = conclude(survey, context->seen);
    add_own_rate(context);
    if (over)
        end_inquiry(context, rest);
}

/* Asks where that is DUE, and proceeds where it has begun. */
static void look_around(xmpi_context_t *context, const xmpi_sample_t *samples, bool due)
{
    xmpi_inquiry_t *inquiry = &context->inquiry;
    double start = xmpi_clock_wall();
    survey_t survey = {0};
    bool over = inquiry->n > 0 && xmpi_inquiry_proceed(context, asking_share);
    bool heard =
        has_agents(context) && xmpi_agents_hear(&context->agents, start, xmpi_idle_answering_share);
    bool told = over || heard || any_tells(context, samples);
    if ((due || told) && survey_make(&survey, &context->shared, samples)) {
        if (due) {
            xmpi_inquiry_begin(context, survey.nodes.nodes, survey.parked);
            over = xmpi_inquiry_proceed(context, asking_share);
            if (has_agents(context))
                start += ask_agents(context, &survey);
        }
        inquiry->took += xmpi_clock_wall() - start;
        if (over || told)
            take_in(context, &survey, over);
    } else {
        inquiry->took += xmpi_clock_wall() - start;
    }
    survey_free(&survey);
}

const xmpi_idle_t *xmpi_idle_ask(xmpi_context_t *context, const xmpi_sample_t *samples)
{
    free(context->seen);
    context->seen = NULL;
    if (is_wanted(context))
        look_around(context, samples,
                    context->inquiry.n == 0 && xmpi_clock_wall() >= context->ask_from);
    else
        xmpi_inquiry_end(context);
    if (!has_agents(context))
        xmpi_agents_end(&context->agents);
    return context->seen;
}
