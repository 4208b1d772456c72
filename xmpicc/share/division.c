/* SPDX-License-Identifier: BSD-3-Clause
 * Dividing what there is among the jobs. */
#include "division.h"

#include <math.h>
#include <stdlib.h>

#include "base/process/seconds.h"

/* The processing elements that MEMBERS take where only whole nodes are had. */
static int pes_of(const division_t *division, int members)
{
    return (members + division->unit - 1) / division->unit * division->unit;
}

/* Whether JOB takes part. Who does not answer, or does not do what it was told, keeps what it has,
 * and others have the rest. */
static bool takes_part(const claims_t *claims, const claim_t *claim, double now)
{
    bool answers = claim->answered_at > 0 && now - claim->answered_at <= claims->patience;
    bool follows = claim->told == 0 || now - claim->told_at <= claims->patience;
    return !claim->apart && claim->claim.options > 0 && answers && follows;
}

/* Who takes part, and how many processing elements they share; whether that has changed. */
static bool look(division_t *division, claims_t *claims, double now)
{
    int left = division->pes, jobs = 0;
    bool changed = false;
    for (int i = 0; i < claims->claims; i++) {
        claim_t *claim = &claims->claim[i];
        if (claim->told > 0 && now - claim->told_at > division->settle + claims->patience)
            claim->told = 0; /* it may be told again */
        claim->claims = takes_part(claims, claim, now);
        left -= claim->claims ? 0 : pes_of(division, claim_held(claim));
        changed = changed || claim->claims != claim->claimed;
        claim->claimed = claim->claims;
        jobs += claim->claims;
    }
    changed = changed || left != division->left || jobs != division->jobs;
    division->left = left;
    division->jobs = jobs;
    return changed;
}

/* Room for the question and its answer, in which members are counted by units. */
typedef struct {
    claim_t **claim; /* those who take part; malloc, like the others */
    xmpi_claimant_t *claimant;
    int *members, jobs;
} question_t;

static void free_question(question_t *question)
{
    for (int i = 0; i < question->jobs && question->claimant != NULL; i++)
        free((xmpi_worth_t *)question->claimant[i].option);
    free(question->claim);
    free(question->claimant);
    free(question->members);
}

/* Who has more comes first, so that what is equal stays where it is. */
static void enter(question_t *question, claim_t *claim)
{
    int at = question->jobs++;
    for (; at > 0 && question->claim[at - 1]->members < claim->members; at--)
        question->claim[at] = question->claim[at - 1];
    question->claim[at] = claim;
}

/* What whole nodes are worth: the best of what can be done with them. */
static xmpi_status_t count_by_units(const division_t *division, const xmpi_claimant_t *claim,
                                    xmpi_claimant_t *claimant)
{
    xmpi_worth_t *option = calloc((size_t)claim->options, sizeof *option);
    *claimant = (xmpi_claimant_t){.option = option, .due = claim->due};
    if (option == NULL)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < claim->options; i++) {
        int units = pes_of(division, claim->option[i].members) / division->unit;
        xmpi_worth_t *last = &option[claimant->options - 1];
        if (claimant->options > 0 && last->members == units)
            last->seconds = fmin(last->seconds, claim->option[i].seconds);
        else
            option[claimant->options++] = (xmpi_worth_t){units, claim->option[i].seconds};
    }
    return XMPI_OK;
}

static xmpi_status_t make_question(const division_t *division, const claims_t *claims,
                                   question_t *question)
{
    size_t room = (size_t)claims->claims + 1;
    xmpi_status_t status = XMPI_OK;
    *question = (question_t){.claim = calloc(room, sizeof(claim_t *)),
                             .claimant = calloc(room, sizeof *question->claimant),
                             .members = calloc(room, sizeof *question->members)};
    if (question->claim == NULL || question->claimant == NULL || question->members == NULL)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < claims->claims; i++)
        if (claims->claim[i].claims)
            enter(question, &claims->claim[i]);
    for (int i = 0; i < question->jobs && status == XMPI_OK; i++)
        status = count_by_units(division, &question->claim[i]->claim, &question->claimant[i]);
    return status;
}

/* Where there is not enough for the least of all, each has that. */
static xmpi_status_t answer(const division_t *division, question_t *question)
{
    xmpi_sharing_t sharing = {.aim = division->aim,
                              .pes = division->left / division->unit,
                              .busy = division->busy * division->unit,
                              .idle = division->idle * division->unit,
                              .jobs = question->jobs,
                              .job = question->claimant};
    xmpi_status_t status = xmpi_share_out(&sharing, question->members);
    return status == XMPI_ERR_INPUT ? XMPI_OK : status;
}

/* The members that a job is to have on so many units: those with which it is done first. */
static int members_of(const division_t *division, const claim_t *claim, int units)
{
    const xmpi_worth_t *best = NULL;
    for (int i = 0; i < claim->claim.options; i++) {
        const xmpi_worth_t *option = &claim->claim.option[i];
        if (pes_of(division, option->members) == units * division->unit &&
            (best == NULL || option->seconds < best->seconds))
            best = option;
    }
    return best != NULL ? best->members : claim->members;
}

xmpi_status_t division_make(division_t *division, claims_t *claims)
{
    double now = xmpi_seconds_now();
    question_t question;
    bool changed = look(division, claims, now);
    if (!changed && now - division->divided_at < division->holds)
        return XMPI_OK;
    /* What is worth a change to a job that has just begun is seen again and again at first. */
    division->holds = changed ? division->period : fmin(2 * division->holds, division->settle);
    xmpi_status_t status = make_question(division, claims, &question);
    if (status == XMPI_OK && question.jobs > 0)
        status = answer(division, &question);
    for (int i = 0; i < claims->claims && status == XMPI_OK; i++)
        claims->claim[i].share = claim_held(&claims->claim[i]);
    for (int i = 0; i < question.jobs && status == XMPI_OK; i++)
        question.claim[i]->share = members_of(division, question.claim[i], question.members[i]);
    division->divided_at = now;
    free_question(&question);
    return status;
}

static void tell(claim_t *claim, void (*say)(const claim_t *claim, int before))
{
    int before = claim->members;
    claim_tell(claim, claim->share);
    say(claim, before);
}

void division_tell(const division_t *division, claims_t *claims,
                   void (*say)(const claim_t *claim, int before))
{
    int room = division->pes;
    for (int i = 0; i < claims->claims; i++) {
        claim_t *claim = &claims->claim[i];
        int is_to_have = claim->told > 0 ? claim->told : claim->members;
        if (claim->claims && claim->share < is_to_have)
            tell(claim, say);
        room -= pes_of(division, claim_held(claim));
    }
    for (int i = 0; i < claims->claims; i++) {
        claim_t *claim = &claims->claim[i];
        int more = pes_of(division, claim->share) - pes_of(division, claim_held(claim));
        if (!claim->claims || claim->share <= claim_held(claim) || (more > 0 && more > room))
            continue;
        tell(claim, say);
        room -= more;
    }
}
