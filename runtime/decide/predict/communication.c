/* SPDX-License-Identifier: BSD-3-Clause
 * The prediction model: communication (thesis §5.3.2). */
#include "decide/predict/communication.h"

#include <math.h>
#include <stdlib.h>

#include "decide/predict/company.h"

/* --- how bytes depend on the rows of a member -------------------------------------------------
 */

static double bytes_per_call(const xmpi_observed_t *observed)
{
    return observed->calls > 0 ? (double)observed->bytes / (double)observed->calls : 0;
}

/* The calls of SAMPLE that are the NUMBERth of this kind; all members make them in this order. */
static const xmpi_observed_t *find(const xmpi_sample_t *sample, const xmpi_observed_t *like,
                                   int number)
{
    for (int i = 0; i < sample->observed_kinds; i++) {
        const xmpi_observed_t *observed = &sample->observed[i];
        if (observed->kind == like->kind && observed->posted == like->posted && number-- == 0)
            return observed;
    }
    return NULL;
}

static int number_of(const xmpi_sample_t *sample, const xmpi_observed_t *observed)
{
    int number = 0;
    for (const xmpi_observed_t *o = sample->observed; o < observed; o++)
        number += o->kind == observed->kind && o->posted == observed->posted;
    return number;
}

/* What the calls of all members have in common: bytes per row, and bytes per call. */
typedef struct {
    bool by_rows, constant; /* the same bytes for each row; for each call */
    bool unequal;           /* the members have unequal numbers of rows */
} scaling_t;

static bool near(double a, double b)
{
    return fabs(a - b) <= 0.01 * fmax(fabs(a), fabs(b));
}

static scaling_t look_at_members(const xmpi_situation_t *at, int reference,
                                 const xmpi_observed_t *observed)
{
    scaling_t scaling = {.by_rows = true, .constant = true};
    double rows = (double)at->layout->member[reference].block.count;
    double bytes = bytes_per_call(observed);
    int number = number_of(&at->samples[reference], observed);
    if (rows <= 0)
        scaling.by_rows = false;
    for (int i = 0; i < at->layout->members; i++) {
        const xmpi_observed_t *same = find(&at->samples[i], observed, number);
        double others = (double)at->layout->member[i].block.count;
        scaling.unequal = scaling.unequal || (int64_t)others != (int64_t)rows;
        if (same == NULL)
            continue; /* a root, or an end of the domain, may make fewer calls */
        scaling.by_rows = scaling.by_rows && near(bytes_per_call(same) * rows, bytes * others);
        scaling.constant = scaling.constant && near(bytes_per_call(same), bytes);
    }
    return scaling;
}

/* With blocks of one size nothing can be seen: then parts of something whole follow the rows where
 * they are a whole number of bytes for each. */
static bool follows_rows(const xmpi_situation_t *at, int reference, const xmpi_observed_t *observed)
{
    scaling_t scaling = look_at_members(at, reference, observed);
    double rows = (double)at->layout->member[reference].block.count;
    if (observed->bytes == 0 || !scaling.by_rows)
        return false;
    if (scaling.unequal && !scaling.constant)
        return true;
    return xmpi_kind_divides((xmpi_kind_t)observed->kind) &&
           fmod(bytes_per_call(observed), rows) == 0;
}

/* --- estimates --------------------------------------------------------------------------------
 */

static double estimate(const xmpi_predictor_t *predictor, const xmpi_calls_t *exchange,
                       const xmpi_company_t *company)
{
    xmpi_mpi_call_t call = {.kind = exchange->kind, .members = company->members};
    if (exchange->members > 0 && exchange->members < call.members)
        call.members = exchange->members;
    call.bytes = exchange->bytes;
    if (exchange->row_bytes > 0) {
        call.bytes = exchange->row_bytes * (double)company->group[0];
        call.group_bytes = exchange->row_bytes;
        call.group = company->group;
        call.groups = XMPI_GROUPS;
        call.total = exchange->row_bytes * (double)predictor->at.layout->domain;
    }
    return exchange->calls * xmpi_mpi_seconds(&call,
                                              &predictor->at.calibration->link[company->link],
                                              predictor->at.calibration->gamma);
}

double xmpi_exchange_seconds(const xmpi_predictor_t *predictor, const xmpi_company_t *company)
{
    double seconds = company->members > 1 ? predictor->other : 0;
    for (int i = 0; i < predictor->exchanges; i++) {
        const xmpi_calls_t *exchange = &predictor->exchange[i];
        seconds += estimate(predictor, exchange, company) *
                   predictor->correction[exchange->kind][exchange->posted];
    }
    return seconds;
}

double xmpi_predict_communication(const xmpi_predictor_t *predictor, int members)
{
    xmpi_company_t company = predictor->now;
    int64_t domain = predictor->at.layout->domain;
    company.members = members;
    for (int k = 0; k < XMPI_GROUPS && members > 0; k++) {
        int64_t group = 1 << k < members ? 1 << k : members;
        company.group[k] = (domain * group + members - 1) / members;
    }
    if (predictor->now.members < 2) /* alone it has no link yet: the one to others */
        company.link = XMPI_LINK_NETWORK;
    if (members > predictor->now.members && predictor->elsewhere)
        company.link = XMPI_LINK_NETWORK;
    return xmpi_exchange_seconds(predictor, &company);
}

/* --- what is exchanged ------------------------------------------------------------------------
 */

static xmpi_calls_t exchange_of(const xmpi_situation_t *at, int reference,
                                const xmpi_observed_t *observed)
{
    double iterations = (double)at->samples[reference].iterations;
    xmpi_calls_t exchange = {.kind = (xmpi_kind_t)observed->kind,
                             .posted = observed->posted,
                             .calls = (double)observed->calls / iterations,
                             .bytes = bytes_per_call(observed)};
    if (observed->members != at->layout->members)
        exchange.members = observed->members;
    if (follows_rows(at, reference, observed))
        exchange.row_bytes = exchange.bytes / (double)at->layout->member[reference].block.count;
    return exchange;
}

/* Seconds per iteration, estimated and measured, of each kind. What was started costs its start and
 * the waiting for it, which is all that is not hidden behind computation. */
typedef struct {
    double estimated[XMPI_KINDS][2], measured[XMPI_KINDS][2];
    double waited, posted; /* measured waiting, and all that is estimated of what was posted */
} seconds_t;

static void add_exchange(xmpi_predictor_t *predictor, int reference,
                         const xmpi_observed_t *observed, seconds_t *seconds)
{
    double iterations = (double)predictor->at.samples[reference].iterations;
    double measured = observed->seconds / iterations;
    if (observed->kind == XMPI_KIND_WAIT)
        seconds->waited += measured;
    if (observed->kind == XMPI_KIND_WAIT || observed->kind == XMPI_KIND_FILE)
        return;
    xmpi_calls_t exchange = exchange_of(&predictor->at, reference, observed);
    double estimated = estimate(predictor, &exchange, &predictor->now);
    predictor->exchange[predictor->exchanges++] = exchange;
    seconds->estimated[exchange.kind][exchange.posted] += estimated;
    seconds->measured[exchange.kind][exchange.posted] += measured;
    if (exchange.posted)
        seconds->posted += estimated;
}

/* Lambda (Eqs 5.4, 5.5: the estimate is multiplied by measured / estimated), the mean of the last
 * one and this interval's. A run that has communicated with nobody yet keeps the estimate. */
static double lambda(double before, double estimated, double measured)
{
    double now = measured / estimated;
    if (!(estimated > 0) || !(measured > 0) || !isfinite(now) || now < 1e-4 || now > 1e4)
        return before > 0 ? before : 1;
    return before > 0 ? (before + now) / 2 : now;
}

/* What members wait for as pipelines have them begin late is no transfer: SKEW seconds of what was
 * measured of messages that are waited for, and of calls in which all meet; less where less was
 * seen, as the model knows no better. */
static void take_out_skew(xmpi_predictor_t *predictor, double skew, seconds_t *seconds)
{
    double there = 0;
    for (int kind = 0; kind < XMPI_KINDS; kind++)
        if (kind == XMPI_KIND_RECV || xmpi_kind_meets((xmpi_kind_t)kind))
            there += seconds->measured[kind][0];
    if (!(skew > 0))
        return;
    predictor->pipelines.seen = fmin(1, there / skew);
    for (int kind = 0; kind < XMPI_KINDS && there > 0; kind++)
        if (kind == XMPI_KIND_RECV || xmpi_kind_meets((xmpi_kind_t)kind))
            seconds->measured[kind][0] *= 1 - predictor->pipelines.seen * skew / there;
}

static void correct(xmpi_predictor_t *predictor, seconds_t *seconds)
{
    const xmpi_model_t *model = predictor->at.model;
    predictor->other = seconds->posted > 0 ? 0 : seconds->waited;
    for (int kind = 0; kind < XMPI_KINDS; kind++)
        for (int posted = 0; posted < 2; posted++) {
            double estimated = seconds->estimated[kind][posted];
            double measured = seconds->measured[kind][posted];
            if (posted && seconds->posted > 0) /* waiting in proportion to what was waited for */
                measured += seconds->waited * estimated / seconds->posted;
            predictor->correction[kind][posted] =
                lambda(model != NULL ? model->correction[kind][posted] : 0, estimated, measured);
        }
}

/* Whether members that come may be on another node than the first one. */
static bool can_grow_elsewhere(const xmpi_predictor_t *predictor)
{
    const xmpi_resources_t *resources = predictor->at.resources;
    int here = predictor->speeds.member_pe[0] >= 0
                   ? predictor->nodes.of_pe[predictor->speeds.member_pe[0]]
                   : -1;
    for (int pe = 0; pe < resources->pes; pe++)
        if (predictor->nodes.of_pe[pe] != here && xmpi_pe_usable(resources, pe))
            return true;
    return false;
}

void xmpi_predictor_exchanges(xmpi_predictor_t *predictor, double skew)
{
    const xmpi_situation_t *at = &predictor->at;
    int reference = xmpi_reference_member(at->samples, at->layout->members);
    const xmpi_sample_t *sample = &at->samples[reference];
    seconds_t seconds = {0};
    predictor->now = xmpi_company_of_layout(predictor);
    predictor->elsewhere = can_grow_elsewhere(predictor);
    if (sample->iterations <= 0)
        return;
    for (int i = 0; i < sample->observed_kinds; i++)
        add_exchange(predictor, reference, &sample->observed[i], &seconds);
    take_out_skew(predictor, skew, &seconds);
    correct(predictor, &seconds);
}
