/* SPDX-License-Identifier: BSD-3-Clause
 * What is seen of a simulated interval, and decided. */
#define _GNU_SOURCE
#include "simulate/program/decide.h"

#include <math.h>
#include <stddef.h>
#include <time.h>

#include "decide/policies/catalogue.h"
#include "libraries/glpk_library.h"
#include "settings/wishes.h"
#include "simulate/program/change.h"
#include "simulate/program/iterate.h"

/* What is seen of rows on disk. */
static void observe_files(const sim_member_t *member, xmpi_sample_t *sample)
{
    if (member->accesses == 0)
        return;
    xmpi_observed_t *observed = &sample->observed[sample->observed_kinds++];
    *observed = (xmpi_observed_t){.kind = XMPI_KIND_FILE,
                                  .calls = member->accesses,
                                  .bytes = (int64_t)member->moved,
                                  .seconds = member->files};
    sample->operations[XMPI_CLASS_IO] =
        (xmpi_operations_t){member->accesses, (int64_t)member->moved, member->files};
}

/* So many calls of a KIND are seen, and in their class. */
static void observe(xmpi_sample_t *sample, xmpi_kind_t kind, int members, double calls,
                    double bytes, double seconds)
{
    bool together = kind != XMPI_KIND_SENDRECV;
    xmpi_operations_t *operations =
        &sample->operations[together ? XMPI_CLASS_COLLECTIVE : XMPI_CLASS_P2P];
    xmpi_observed_t *observed = &sample->observed[sample->observed_kinds++];
    *observed = (xmpi_observed_t){.kind = (int16_t)kind,
                                  .members = together ? members : 0,
                                  .calls = (int64_t)fmax(1, round(calls)),
                                  .bytes = (int64_t)bytes,
                                  .seconds = seconds};
    operations->calls += observed->calls;
    operations->bytes += observed->bytes;
    operations->seconds += seconds;
}

/* What would be seen of a member by the load of the moment: it would have gone on so all the time.
 */
static void see_moment(sim_run_t *run, int rank, xmpi_sample_t *sample)
{
    int others = sim_loads_at(&run->loads, sim_node(run, rank), run->now);
    sample->computation = sample->cpu * (1 + others);
    sample->wall += sample->computation - run->member[rank].computation;
}

/* What its monitor would have seen: all that is no computation is in MPI, in the calls that take
 * longest most of it. */
static void sample_of(sim_run_t *run, int rank, xmpi_sample_t *sample)
{
    const sim_values_t *v = run->values;
    const sim_member_t *member = &run->member[rank];
    int64_t iterations = run->iteration - run->measured_from;
    int members = run->shared.layout.members;
    double share = (double)run->shared.layout.member[rank].block.count / (double)v->rows;
    double wall = run->now - run->measured_began, times = (double)iterations;
    bool all = v->pattern == SIM_PATTERN_ALL, talks = sim_messages_most(run) > 0;
    *sample = (xmpi_sample_t){.iterations = iterations,
                              .wall = wall,
                              .computation = member->computation,
                              .cpu = member->cpu,
                              .work = member->work};
    if (run->technique->moment)
        see_moment(run, rank, sample);
    else if (iterations > 1)
        sample->deviation = sqrt(member->squares / (double)(2 * (iterations - 1)));
    double rest = wall - member->computation - member->files, calls = talks ? run->messages : 0;
    double each = run->communication > 0 ? rest / run->communication : 0;
    if (talks)
        observe(sample, all ? XMPI_KIND_ALLTOALL : XMPI_KIND_SENDRECV, members, times,
                times * sim_messages_most(run) * floor(v->bytes),
                run->sums + run->gathers > 0 ? each * calls : rest);
    if (v->sums > 0)
        observe(sample, XMPI_KIND_ALLREDUCE, members, times * v->sums,
                times * v->sums * v->sum_bytes, each * run->sums);
    if (v->gathers > 0)
        observe(sample, XMPI_KIND_ALLGATHERV, members, times * v->gathers,
                times * v->gathers * v->gather_bytes * share, each * run->gathers);
    observe_files(member, sample);
}

/* Whether parked processes may say something again. */
static bool is_look_due(const sim_run_t *run)
{
    return run->now - run->looked >= run->values->look / xmpi_idle_answering_share;
}

/* What parked processes say of their nodes: since they said so last. */
static void look(sim_run_t *run)
{
    const xmpi_resources_t *resources = &run->shared.resources;
    double cores = (double)run->values->cores, seconds = run->now - run->looked;
    for (int first = 0; first < resources->pes; first += (int)run->values->cores) {
        int node = first / (int)run->values->cores, members = 0;
        for (int i = first; i < first + (int)run->values->cores; i++)
            members += resources->pe[i].process >= 0 && !resources->pe[i].parked;
        double busy = sim_loads_busy(&run->loads, node, run->looked, run->now);
        if (run->technique->moment)
            busy = sim_loads_at(&run->loads, node, run->now) > 0 ? seconds : 0;
        double others = busy * (cores - members); /* members have theirs, as far as is seen */
        const xmpi_load_t load = {
            .cores = cores, .busy = members * seconds + others, .seconds = seconds};
        for (int i = first; i < first + (int)run->values->cores; i++)
            run->idle[i] = (xmpi_idle_t){.share = xmpi_load_share(&load, members, members),
                                         .seconds = seconds,
                                         .rate = run->speed[i]};
    }
    run->looked = run->now;
}

double sim_cost_per_second(const sim_run_t *run)
{
    double cost = 0;
    for (int i = 0; i < run->shared.layout.members; i++)
        cost += xmpi_shared_pe(&run->shared, i)->cost;
    return cost / 3600;
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static xmpi_occasion_t occasion_of(sim_run_t *run, const xmpi_wishes_t *wishes)
{
    xmpi_error_t error; /* has been said when the settings were read */
    bool watches = run->shared.settings.watch_idle == XMPI_WATCH_ON ||
                   (run->shared.settings.watch_idle == XMPI_WATCH_AUTO &&
                    xmpi_policy_uses(run->policy, XMPI_OF_IDLE));
    bool looks = watches && is_look_due(run);
    if (looks)
        look(run);
    return (xmpi_occasion_t){.policy = run->policy,
                             .wishes = wishes,
                             .layout = &run->shared.layout,
                             .resources = &run->shared.resources,
                             .samples = run->samples,
                             .idle = looks ? run->idle : NULL,
                             .arrays = 1,
                             .array = &run->array,
                             .glpk = xmpi_policy_uses(run->policy, XMPI_OF_GLPK) ? xmpi_glpk(&error)
                                                                                 : NULL,
                             .has_moves = true,
                             .iteration = run->iteration,
                             .interval_start = run->interval_start,
                             .loop = 1,
                             .bound = run->values->iterations,
                             .first = run->result.intervals == 0,
                             .now = run->now,
                             .cost = run->result.cost,
                             .interval_cost = run->technique->pause,
                             .wanted = run->wanted,
                             .wanted_class = XMPI_ANY_CLASS};
}

static void begin_measuring(sim_run_t *run)
{
    for (int i = 0; i < run->shared.layout.members; i++)
        run->member[i] = (sim_member_t){.late = run->member[i].late};
    run->measured_from = run->iteration;
    run->measured_began = run->now;
}

void sim_begin_interval(sim_run_t *run)
{
    begin_measuring(run);
    run->interval_start = run->iteration;
    run->interval_began = run->now;
}

void sim_settle(sim_run_t *run)
{
    if (run->settling && run->interval > 1)
        begin_measuring(run);
    run->settling = false;
}

static void tell(sim_run_t *run, const xmpi_step_t *step)
{
    xmpi_trace_simulate(run->now);
    if (step->decision.alternatives > 0)
        xmpi_trace_decision(&run->trace, &run->shared, run->iteration, &step->decision);
    xmpi_trace_interval(&run->trace, &run->shared, run->result.intervals, run->iteration,
                        run->samples, run->result.cost,
                        (double)run->array.rows * run->array.row_bytes,
                        step->outcome == XMPI_STEP_KEEPS ? step->plan.reason : "",
                        step->was_expected ? &step->expected : NULL);
}

/* Nobody's rows weigh more than others', and traffic is not simulated: it is decided without. */
static void decide(sim_run_t *run, xmpi_occasion_t *occasion, xmpi_step_t *step)
{
    xmpi_leader_step(&run->shared.leader, occasion, step);
    if (step->outcome == XMPI_STEP_TALKS || step->outcome == XMPI_STEP_WEIGHS) {
        occasion->traffic_asked = true;
        xmpi_leader_step_again(&run->shared.leader, occasion, step);
    }
}

/* What the members saw, and what is made of it. */
static void see_and_decide(sim_run_t *run, xmpi_occasion_t *occasion, xmpi_step_t *step)
{
    for (int i = 0; i < run->shared.layout.members; i++)
        sample_of(run, i, &run->samples[i]);
    run->result.cost += sim_cost_per_second(run) * (run->now - run->interval_began);
    double before = cpu_seconds();
    decide(run, occasion, step);
    run->result.deciding += cpu_seconds() - before;
    tell(run, step);
    run->result.intervals++;
    run->interval = step->interval;
}

static xmpi_wishes_t wishes_of(const sim_run_t *run)
{
    const xmpi_settings_t *settings = &run->shared.settings;
    xmpi_wishes_t wishes = xmpi_wishes(settings, &run->shared.schedule, settings->interval, false,
                                       settings->machines[0] != '\0');
    if (run->technique->certain)
        wishes.swap.doubt = 0;
    return wishes;
}

xmpi_status_t sim_end_interval(sim_run_t *run, xmpi_error_t *error)
{
    xmpi_wishes_t wishes = wishes_of(run);
    xmpi_occasion_t occasion = occasion_of(run, &wishes);
    xmpi_step_t step;
    xmpi_status_t status = XMPI_OK;
    see_and_decide(run, &occasion, &step);
    if (step.outcome == XMPI_STEP_FAILED)
        status = xmpi_error_set(error, XMPI_ERR_INTERNAL, "%s", step.error.text);
    else if (step.outcome == XMPI_STEP_CHANGES)
        status = sim_change(run, &step, error);
    xmpi_step_free(&step);
    return status;
}

xmpi_status_t sim_ask_worth(sim_run_t *run, int most, xmpi_worth_t *worth, int *worths,
                            xmpi_error_t *error)
{
    xmpi_wishes_t wishes = wishes_of(run);
    xmpi_occasion_t occasion = occasion_of(run, &wishes);
    xmpi_step_t step;
    occasion.policy = NULL;
    see_and_decide(run, &occasion, &step);
    xmpi_status_t status =
        xmpi_leader_worth(&run->shared.leader, &occasion, &step, most, worth, worths);
    xmpi_step_free(&step);
    return status == XMPI_OK ? status : xmpi_error_set(error, status, "no memory to ask a job");
}
