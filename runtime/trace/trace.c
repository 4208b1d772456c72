/* SPDX-License-Identifier: BSD-3-Clause
 * Trace: what happened and why, as JSON lines. */
#include "trace/trace.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/layout/nodes.h"
#include "base/data/json.h"
#include "trace/matrix.h"

static const char *const class_names[XMPI_CLASSES] = {"p2p", "collective", "wait", "post", "io"};
static const char *const kind_names[XMPI_KINDS] = {
    "send",      "recv",           "sendrecv",  "barrier",    "bcast",    "gather",    "gatherv",
    "scatter",   "scatterv",       "allgather", "allgatherv", "alltoall", "alltoallv", "reduce",
    "allreduce", "reduce_scatter", "scan",      "neighbor",   "wait",     "file"};
static const char *const interference_names[] = {"none", "burst", "long-term"};

xmpi_status_t xmpi_trace_open(xmpi_trace_t *trace, const xmpi_shared_t *shared, bool first,
                              xmpi_error_t *error)
{
    char path[XMPI_PATH_MAX];
    xmpi_error_t why;
    if (shared->settings.trace[0] == '\0' || trace->file != NULL)
        return XMPI_OK;
    xmpi_settings_path(&shared->settings, shared->settings.trace, path);
    trace->limit = shared->settings.trace_limit << 20;
    trace->events = trace->left_out = 0;
    xmpi_status_t status = xmpi_writer_open(path, first, trace->limit, &trace->file, &why);
    return status == XMPI_OK ? XMPI_OK
                             : xmpi_error_set(error, status, "XMPI_TRACE: %.400s", why.text);
}

/* Whether there is room for an event of a kind that comes again and again. They become rarer as the
 * file grows: all of them in the first half of the limit, every second one in the next quarter,
 * every fourth in the next eighth, so that a run of any length is told of to its end. The size is
 * an estimate while lines are queued; that the limit holds is the writer's business. */
static bool has_room(xmpi_trace_t *trace)
{
    if (trace->file == NULL)
        return false;
    int64_t size = xmpi_writer_size(trace->file), mark = trace->limit / 2, stride = 1;
    for (int64_t part = mark; size >= mark && part > 1; part /= 2, mark += part)
        stride *= 2;
    bool room = trace->events++ % stride == 0;
    trace->left_out += !room;
    return room;
}

/* Whole nanoseconds: digits beyond them say nothing and make lines long. */
static void add_seconds(cJSON *object, const char *name, double seconds)
{
    cJSON_AddNumberToObject(object, name, round(seconds * 1e9) / 1e9);
}

static cJSON *event(const xmpi_shared_t *shared, const char *name)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "event", name);
    add_seconds(object, "time", xmpi_trace_clock() - shared->started);
    return object;
}

static void write_event(xmpi_trace_t *trace, cJSON *object)
{
    if (!xmpi_writer_put(trace->file, object, false))
        trace->left_out++;
}

static void write_recurring(xmpi_trace_t *trace, cJSON *object)
{
    if (!xmpi_writer_put(trace->file, object, true))
        trace->left_out++;
}

/* Where the MPI chose the node, the process has told it. */
static const char *node_of(const xmpi_shared_t *shared, int process)
{
    const xmpi_process_t *entry = &shared->process[process];
    const char *node = shared->resources.pe[entry->pe].node;
    return node[0] != '\0' ? node : entry->door.host;
}

static void add_place(cJSON *object, const xmpi_shared_t *shared, const xmpi_member_t *member)
{
    const xmpi_pe_t *pe = &shared->resources.pe[shared->process[member->process].pe];
    cJSON_AddNumberToObject(object, "process", member->process);
    cJSON_AddNumberToObject(object, "pe", shared->process[member->process].pe);
    cJSON_AddStringToObject(object, "node", node_of(shared, member->process));
    cJSON_AddStringToObject(object, "class", shared->resources.class_name[pe->class_index]);
    cJSON_AddNumberToObject(object, "count", (double)member->block.count);
    cJSON_AddNumberToObject(object, "displ", (double)member->block.displ);
}

/* The layout of a change that is only beginning: processes that are still to come have no node. */
static void add_next_layout(cJSON *object, const xmpi_shared_t *shared, const xmpi_layout_t *next)
{
    cJSON *places = cJSON_AddArrayToObject(object, "layout");
    for (int i = 0; i < next->members; i++) {
        cJSON *place = cJSON_CreateObject();
        add_place(place, shared, &next->member[i]);
        cJSON_AddItemToArray(places, place);
    }
}

static void add_operations(cJSON *object, const xmpi_sample_t *sample)
{
    cJSON *classes = cJSON_AddObjectToObject(object, "operations");
    for (int i = 0; i < XMPI_CLASSES; i++) {
        const xmpi_operations_t *operations = &sample->operations[i];
        if (operations->calls == 0)
            continue;
        cJSON *entry = cJSON_AddObjectToObject(classes, class_names[i]);
        cJSON_AddNumberToObject(entry, "calls", (double)operations->calls);
        cJSON_AddNumberToObject(entry, "bytes", (double)operations->bytes);
        add_seconds(entry, "seconds", operations->seconds);
    }
}

/* What the member is taken for after all intervals so far, in units of work per second. */
static void add_speed(cJSON *object, const xmpi_shared_t *shared, int rank)
{
    int pe = (int)(xmpi_shared_pe(shared, rank) - shared->resources.pe);
    if (pe < shared->leader.history.pes && shared->leader.history.speed[pe].speed > 0)
        cJSON_AddNumberToObject(object, "speed", shared->leader.history.speed[pe].speed);
}

static cJSON *member_json(const xmpi_shared_t *shared, const xmpi_sample_t *samples, int rank)
{
    cJSON *object = cJSON_CreateObject();
    add_place(object, shared, &shared->layout.member[rank]);
    if (samples != NULL) {
        cJSON_AddNumberToObject(object, "work", samples[rank].work);
        add_seconds(object, "computation", samples[rank].computation);
        add_seconds(object, "deviation", samples[rank].deviation);
        add_seconds(object, "cpu", samples[rank].cpu);
        add_seconds(object, "communication", samples[rank].wall - samples[rank].computation);
        add_seconds(object, "waiting", xmpi_sample_waiting(samples, shared->layout.members, rank));
        add_operations(object, &samples[rank]);
        add_speed(object, shared, rank);
        if (samples[rank].image > 0)
            cJSON_AddNumberToObject(object, "image", samples[rank].image);
        const xmpi_tiles_t *tiles = samples[rank].tiles;
        if (tiles[0].number + tiles[1].number > 0)
            cJSON_AddItemToObject(
                object, "tiles",
                cJSON_CreateDoubleArray(
                    (const double[]){(double)tiles[0].number, (double)tiles[1].number}, 2));
    }
    return object;
}

static void add_members(cJSON *object, const xmpi_shared_t *shared, const char *name,
                        const xmpi_sample_t *samples)
{
    cJSON *members = cJSON_AddArrayToObject(object, name);
    for (int i = 0; i < shared->layout.members; i++)
        cJSON_AddItemToArray(members, member_json(shared, samples, i));
}

void xmpi_trace_start(xmpi_trace_t *trace, const xmpi_shared_t *shared, const char *where,
                      const char *counter, int64_t interval, int64_t iterations)
{
    if (trace->file == NULL)
        return;
    cJSON *object = event(shared, "start");
    cJSON_AddNumberToObject(object, "version", XMPI_TRACE_VERSION);
    if (!xmpi_trace_is_simulated())
        add_seconds(object, "began", shared->started);
    cJSON_AddStringToObject(object, "loop", where);
    cJSON_AddNumberToObject(object, "members", shared->layout.members);
    cJSON_AddNumberToObject(object, "domain", (double)shared->layout.domain);
    if (shared->rowless)
        cJSON_AddBoolToObject(object, "rowless", 1);
    cJSON_AddStringToObject(object, "policy", shared->settings.policy);
    cJSON_AddStringToObject(object, "backend", shared->resources.can_spawn ? "spawn" : "pool");
    cJSON_AddStringToObject(object, "counter", counter);
    cJSON_AddNumberToObject(object, "interval", (double)interval);
    if (iterations > 0)
        cJSON_AddNumberToObject(object, "iterations", (double)iterations);
    cJSON_AddStringToObject(object, "calibration", shared->leader.calibration.origin);
    add_members(object, shared, "layout", NULL);
    write_event(trace, object);
}

static void add_interval_prediction(cJSON *object, const xmpi_prediction_t *predicted)
{
    cJSON *entry = cJSON_AddObjectToObject(object, "predicted");
    add_seconds(entry, "computation", predicted->computation);
    add_seconds(entry, "communication", predicted->communication);
    add_seconds(entry, "io", predicted->io);
    add_seconds(entry, "total", predicted->total);
}

static void add_change_prediction(cJSON *object, const xmpi_prediction_t *predicted)
{
    cJSON *entry = cJSON_AddObjectToObject(object, "predicted");
    add_seconds(entry, "processes", predicted->process);
    add_seconds(entry, "redistribution", predicted->redistribution);
    if (predicted->behind > 0)
        add_seconds(entry, "moving", predicted->behind);
    if (predicted->start > 0)
        add_seconds(entry, "start", predicted->start);
    add_seconds(entry, "total", xmpi_predicted_standstill(predicted));
}

/* Mean and spread of the errors, in percent. */
static void add_model(cJSON *object, const xmpi_model_t *model)
{
    cJSON *phases = cJSON_AddObjectToObject(object, "model");
    for (int i = 0; i < XMPI_PHASES; i++) {
        const xmpi_error_sum_t *error = &model->error[i];
        if (error->n == 0)
            continue;
        cJSON *entry = cJSON_AddObjectToObject(phases, xmpi_phase_name((xmpi_phase_t)i));
        cJSON_AddNumberToObject(entry, "mean", 100 * xmpi_error_mean(error));
        cJSON_AddNumberToObject(entry, "spread", 100 * xmpi_error_spread(error));
        cJSON_AddNumberToObject(entry, "n", (double)error->n);
    }
}

/* PEs without a member that were seen. */
static void add_idle(cJSON *object, const xmpi_shared_t *shared)
{
    const xmpi_resources_t *resources = &shared->resources;
    const xmpi_history_t *history = &shared->leader.history;
    cJSON *list = NULL;
    for (int i = 0; i < resources->pes && i < history->pes; i++) {
        const xmpi_pe_t *pe = &resources->pe[i];
        if (!history->speed[i].idle || (pe->process >= 0 && !pe->parked))
            continue;
        cJSON *item = cJSON_CreateObject();
        cJSON_AddNumberToObject(item, "pe", i);
        cJSON_AddStringToObject(item, "node", pe->node);
        cJSON_AddStringToObject(item, "class", resources->class_name[pe->class_index]);
        cJSON_AddNumberToObject(item, "speed", history->speed[i].speed);
        add_seconds(item, "age", history->speed[i].age);
        list = list != NULL ? list : cJSON_AddArrayToObject(object, "idle");
        cJSON_AddItemToArray(list, item);
    }
}

/* The calls of one member, by kind: of different sizes together. */
static void add_calls(cJSON *object, const xmpi_sample_t *sample)
{
    if (sample->observed_kinds == 0)
        return;
    cJSON *list = cJSON_AddArrayToObject(object, "calls");
    for (int i = 0; i < sample->observed_kinds; i++) {
        const xmpi_observed_t *observed = &sample->observed[i];
        cJSON *call = cJSON_CreateObject();
        cJSON_AddStringToObject(call, "kind", kind_names[observed->kind]);
        if (observed->members > 0)
            cJSON_AddNumberToObject(call, "members", observed->members);
        cJSON_AddNumberToObject(call, "calls", (double)observed->calls);
        cJSON_AddNumberToObject(call, "bytes", (double)observed->bytes);
        cJSON_AddItemToArray(list, call);
    }
}

void xmpi_trace_interval(xmpi_trace_t *trace, const xmpi_shared_t *shared, int64_t number,
                         int64_t iteration, const xmpi_sample_t *samples, double cost, double state,
                         const char *kept, const xmpi_prediction_t *predicted)
{
    if (!has_room(trace))
        return;
    cJSON *object = event(shared, "interval");
    cJSON_AddNumberToObject(object, "number", (double)number);
    cJSON_AddNumberToObject(object, "iteration", (double)iteration);
    cJSON_AddNumberToObject(object, "iterations", (double)samples[0].iterations);
    add_seconds(object, "seconds", samples[0].wall);
    cJSON_AddNumberToObject(object, "cost", cost);
    cJSON_AddStringToObject(object, "interference",
                            interference_names[xmpi_history_interference(&shared->leader.history)]);
    if (kept[0] != '\0')
        cJSON_AddStringToObject(object, "kept", kept);
    if (predicted != NULL)
        add_interval_prediction(object, predicted);
    if (state > 0)
        cJSON_AddNumberToObject(object, "state", state);
    add_calls(object, &samples[0]);
    add_idle(object, shared);
    add_members(object, shared, "members", samples);
    write_recurring(trace, object);
}

void xmpi_trace_plan(xmpi_trace_t *trace, const xmpi_shared_t *shared,
                     const xmpi_reconfiguration_t *r, const xmpi_layout_t *next)
{
    if (!has_room(trace))
        return;
    cJSON *object = event(shared, "plan");
    cJSON_AddNumberToObject(object, "iteration", (double)r->iteration);
    cJSON_AddStringToObject(object, "kind", r->kind);
    cJSON_AddNumberToObject(object, "from", r->from);
    cJSON_AddNumberToObject(object, "to", r->to);
    cJSON_AddStringToObject(object, "reason", r->reason);
    add_seconds(object, "scheduling", r->scheduling);
    add_next_layout(object, shared, next);
    write_recurring(trace, object);
}

void xmpi_trace_reconfiguration(xmpi_trace_t *trace, const xmpi_shared_t *shared,
                                const xmpi_reconfiguration_t *r)
{
    if (!has_room(trace))
        return;
    cJSON *object = event(shared, "reconfiguration");
    cJSON_AddNumberToObject(object, "iteration", (double)r->iteration);
    cJSON_AddStringToObject(object, "kind", r->kind);
    cJSON_AddNumberToObject(object, "from", r->from);
    cJSON_AddNumberToObject(object, "to", r->to);
    add_seconds(object, "seconds", r->seconds);
    add_seconds(object, "processes", r->processes);
    add_seconds(object, "redistribution", r->redistribution);
    if (r->parting > 0)
        add_seconds(object, "parting", r->parting);
    if (r->start > 0)
        add_seconds(object, "start", r->start);
    add_seconds(object, "background", r->background);
    add_seconds(object, "moving", r->moving);
    cJSON_AddNumberToObject(object, "bytes", (double)r->bytes);
    cJSON_AddNumberToObject(object, "messages", (double)r->messages);
    if (r->predicted.total > 0)
        add_change_prediction(object, &r->predicted);
    cJSON_AddStringToObject(object, "outcome", r->done ? "done" : "called off");
    cJSON_AddStringToObject(object, "reason", r->reason);
    if (r->done)
        add_members(object, shared, "layout", NULL);
    write_recurring(trace, object);
}

void xmpi_trace_check(xmpi_trace_t *trace, const xmpi_shared_t *shared,
                      const xmpi_checked_t *checked)
{
    static const char *const outcome[XMPI_CHECK_RESULTS] = {"equal", "different", "not checked"};
    if (!has_room(trace))
        return;
    cJSON *object = event(shared, "check");
    cJSON_AddNumberToObject(object, "iteration", (double)checked->iteration);
    cJSON_AddNumberToObject(object, "from", checked->from);
    cJSON_AddNumberToObject(object, "to", checked->to);
    cJSON_AddStringToObject(object, "outcome", outcome[checked->outcome]);
    if (checked->why[0] != '\0')
        cJSON_AddStringToObject(object, "why", checked->why);
    add_seconds(object, "seconds", checked->seconds);
    cJSON_AddNumberToObject(object, "iterations", (double)checked->iterations);
    write_recurring(trace, object);
}

void xmpi_trace_pinned(xmpi_trace_t *trace, const xmpi_shared_t *shared, int64_t iteration,
                       const char *why)
{
    if (trace->file == NULL)
        return;
    cJSON *object = event(shared, "pinned");
    cJSON_AddNumberToObject(object, "iteration", (double)iteration);
    cJSON_AddStringToObject(object, "why", why);
    write_event(trace, object);
}

void xmpi_trace_checkpoint(xmpi_trace_t *trace, const xmpi_shared_t *shared,
                           const xmpi_saved_t *saved)
{
    if (trace->file == NULL)
        return;
    cJSON *object = event(shared, "checkpoint");
    cJSON_AddNumberToObject(object, "iteration", (double)saved->iteration);
    cJSON_AddNumberToObject(object, "set", (double)saved->set);
    cJSON_AddNumberToObject(object, "members", saved->members);
    cJSON_AddNumberToObject(object, "stall", saved->stall);
    cJSON_AddNumberToObject(object, "seconds", saved->seconds);
    cJSON_AddBoolToObject(object, "whole", saved->whole);
    write_event(trace, object);
}

void xmpi_trace_restart(xmpi_trace_t *trace, const xmpi_shared_t *shared, const xmpi_saved_t *saved)
{
    if (trace->file == NULL)
        return;
    cJSON *object = event(shared, "restart");
    cJSON_AddNumberToObject(object, "iteration", (double)saved->iteration);
    cJSON_AddNumberToObject(object, "set", (double)saved->set);
    cJSON_AddNumberToObject(object, "members", saved->members);
    cJSON_AddNumberToObject(object, "seconds", saved->seconds);
    write_event(trace, object);
}

/* 64 bits are more than a number of JSON holds. */
static void add_hash(cJSON *object, const char *name, uint64_t hash)
{
    char text[20];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    cJSON_AddStringToObject(object, name, text);
}

void xmpi_trace_add_fingerprint(cJSON *values, const char *name, const char *kind,
                                const xmpi_fingerprint_t *f)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", name);
    cJSON_AddStringToObject(object, "kind", kind);
    add_hash(object, "bits", f->bits);
    add_hash(object, "exact", f->exact);
    cJSON_AddNumberToObject(object, "values", (double)f->values);
    cJSON_AddNumberToObject(object, "precision", f->narrow > 0 ? FLT_MANT_DIG : DBL_MANT_DIG);
    cJSON_AddNumberToObject(object, "norm", sqrt(f->squares));
    cJSON_AddItemToObject(object, "sketch", cJSON_CreateDoubleArray(f->sketch, XMPI_SKETCHES));
    cJSON_AddItemToArray(values, object);
}

void xmpi_trace_data(xmpi_trace_t *trace, const xmpi_shared_t *shared, int64_t iteration,
                     cJSON *values, cJSON *files)
{
    if (!has_room(trace)) {
        cJSON_Delete(values);
        cJSON_Delete(files);
        return;
    }
    cJSON *object = event(shared, "data");
    cJSON_AddNumberToObject(object, "iteration", (double)iteration);
    cJSON_AddItemToObject(object, "values", values);
    if (files != NULL)
        cJSON_AddItemToObject(object, "files", files);
    write_recurring(trace, object);
}

void xmpi_trace_matrix(xmpi_trace_t *trace, const xmpi_shared_t *shared, int64_t iteration,
                       const xmpi_traffic_t *traffic)
{
    if (!has_room(trace))
        return;
    cJSON *object = event(shared, "matrix");
    cJSON_AddNumberToObject(object, "iteration", (double)iteration);
    xmpi_matrix_add(object, traffic);
    write_recurring(trace, object);
}

static void add_node_seconds(cJSON *object, const xmpi_node_seconds_t *nodes)
{
    if (nodes == NULL)
        return;
    cJSON *seconds = cJSON_AddObjectToObject(object, "node_seconds");
    add_seconds(seconds, "held", nodes->held);
    add_seconds(seconds, "used", nodes->used);
    add_seconds(seconds, "lost", nodes->lost);
    add_seconds(seconds, "given_back", nodes->given_back);
}

void xmpi_trace_end(xmpi_trace_t *trace, const xmpi_shared_t *shared, int64_t from,
                    int64_t iterations, double seconds, int64_t reconfigurations,
                    double reconfiguration_seconds, double cost, double static_seconds,
                    const xmpi_node_seconds_t *nodes)
{
    if (trace->file == NULL)
        return;
    xmpi_writer_drain(trace->file);
    cJSON *object = event(shared, "end");
    cJSON_AddNumberToObject(object, "iterations", (double)iterations);
    if (from > 0)
        cJSON_AddNumberToObject(object, "from", (double)from);
    add_seconds(object, "seconds", seconds);
    cJSON_AddNumberToObject(object, "members", shared->layout.members);
    cJSON_AddNumberToObject(object, "reconfigurations", (double)reconfigurations);
    add_seconds(object, "reconfiguration_seconds", reconfiguration_seconds);
    cJSON_AddNumberToObject(object, "left_out",
                            (double)(trace->left_out + xmpi_writer_omitted(trace->file)));
    cJSON_AddNumberToObject(object, "cost", cost);
    if (static_seconds > 0)
        add_seconds(object, "static_seconds", static_seconds);
    add_node_seconds(object, nodes);
    add_model(object, &shared->leader.model);
    write_event(trace, object);
    xmpi_writer_drain(trace->file); /* whether all has been written is known then */
}

static cJSON *alternative_json(const xmpi_alternative_t *alternative)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "label", alternative->label);
    cJSON_AddNumberToObject(object, "members", alternative->members);
    add_seconds(object, "seconds", alternative->seconds);
    add_seconds(object, "reconfiguration", alternative->reconfiguration);
    cJSON_AddNumberToObject(object, "cost", alternative->cost);
    cJSON_AddBoolToObject(object, "feasible", alternative->feasible);
    if (alternative->payback > 0 && isfinite(alternative->payback))
        cJSON_AddNumberToObject(object, "payback", alternative->payback);
    return object;
}

void xmpi_trace_decision(xmpi_trace_t *trace, const xmpi_shared_t *shared, int64_t iteration,
                         const xmpi_decision_t *decision)
{
    if (!has_room(trace))
        return;
    cJSON *object = event(shared, "decision");
    cJSON_AddNumberToObject(object, "iteration", (double)iteration);
    cJSON_AddStringToObject(object, "policy", shared->settings.policy);
    cJSON_AddStringToObject(object, "reason", decision->reason);
    cJSON_AddNumberToObject(object, "chosen", decision->chosen);
    cJSON *alternatives = cJSON_AddArrayToObject(object, "alternatives");
    for (int i = 0; i < decision->alternatives; i++)
        cJSON_AddItemToArray(alternatives, alternative_json(&decision->alternative[i]));
    write_recurring(trace, object);
}

/* What is told of a node. */
typedef struct {
    int pes, members, withdrawn;
} node_t;

static cJSON *node_json(const xmpi_resources_t *resources, const xmpi_pe_t *first,
                        const node_t *node)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "node", first->node);
    cJSON_AddStringToObject(object, "class", resources->class_name[first->class_index]);
    cJSON_AddNumberToObject(object, "cost", first->cost);
    cJSON_AddNumberToObject(object, "pes", node->pes);
    cJSON_AddNumberToObject(object, "members", node->members);
    cJSON_AddNumberToObject(object, "withdrawn", node->withdrawn);
    return object;
}

static void count_on_nodes(const xmpi_resources_t *resources, const xmpi_nodes_t *nodes,
                           node_t *node)
{
    for (int i = 0; i < resources->pes; i++) {
        const xmpi_pe_t *pe = &resources->pe[i];
        node_t *here = &node[nodes->of_pe[i]];
        here->pes++;
        here->members += pe->process >= 0 && !pe->parked;
        here->withdrawn += pe->withdrawn;
    }
}

/* Without memory the list stays empty. */
static void add_nodes(cJSON *list, const xmpi_resources_t *resources)
{
    xmpi_nodes_t nodes = {0};
    node_t *node = calloc((size_t)resources->pes + 1, sizeof *node);
    if (node != NULL &&
        xmpi_nodes_make(&nodes, resources->pes, resources->pe, XMPI_UNNAMED_TOGETHER) == XMPI_OK)
        count_on_nodes(resources, &nodes, node);
    for (int i = 0; i < nodes.nodes; i++)
        cJSON_AddItemToArray(list, node_json(resources, &resources->pe[nodes.first[i]], &node[i]));
    xmpi_nodes_free(&nodes);
    free(node);
}

void xmpi_trace_resources(xmpi_trace_t *trace, const xmpi_shared_t *shared, int64_t iteration,
                          const char *source, const xmpi_availability_t *change)
{
    const xmpi_resources_t *resources = &shared->resources;
    if (!has_room(trace))
        return;
    cJSON *object = event(shared, "resources");
    cJSON_AddNumberToObject(object, "iteration", (double)iteration);
    cJSON_AddStringToObject(object, "source", source);
    cJSON_AddNumberToObject(object, "added", change->added);
    cJSON_AddNumberToObject(object, "returned", change->returned);
    cJSON_AddNumberToObject(object, "withdrawn", change->withdrawn);
    cJSON *nodes = cJSON_AddArrayToObject(object, "nodes");
    add_nodes(nodes, resources);
    write_recurring(trace, object);
}

bool xmpi_trace_is_broken(const xmpi_trace_t *trace)
{
    return trace->file != NULL && xmpi_writer_failed(trace->file);
}

void xmpi_trace_close(xmpi_trace_t *trace)
{
    xmpi_writer_close(trace->file);
    trace->file = NULL;
}
