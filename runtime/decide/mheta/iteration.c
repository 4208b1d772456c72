/* SPDX-License-Identifier: BSD-3-Clause
 * MHETA: an iteration of all members, section by section: who waits for whom (5.3 to 5.12). */
#include <math.h>
#include <string.h>

#include "decide/mheta/member.h"
#include "decide/mheta/mheta.h"

/* A section that is looked at. A member has done its stages at READY, and is done with all at END,
 * which is where the next section begins. */
typedef struct {
    const xmpi_mheta_t *model;
    const xmpi_block_t *blocks;
    const xmpi_mheta_section_t *section;
    int first_stage;
    double *begin, *ready, *end;
    xmpi_mheta_time_t *member; /* or NULL */
} run_t;

static double transfer(const run_t *run, int from, int to)
{
    if (run->model->link == NULL)
        return 0;
    const xmpi_mheta_link_t *link = &run->model->link[from * run->model->n + to];
    return link->latency + run->section->message_bytes * link->byte_seconds;
}

static double send(const run_t *run, int i)
{
    int in_core = xmpi_mheta_in_core(run->model, i, run->blocks[i].count);
    return xmpi_mheta_send(run->model, i, run->section, in_core);
}

static double receive(const run_t *run, int i)
{
    return run->model->node[i].receive;
}

static void add(const run_t *run, int i, double overhead, double waiting)
{
    if (run->member == NULL)
        return;
    run->member[i].overhead += overhead;
    run->member[i].waiting += waiting;
}

static void stages(run_t *run, int i)
{
    const xmpi_mheta_t *model = run->model;
    const xmpi_block_t *block = &run->blocks[i];
    int in_core = xmpi_mheta_in_core(model, i, block->count);
    double weight = xmpi_mheta_weight(model, block->displ, block->displ + block->count);
    double computation = 0, io = in_core < 0 ? INFINITY : 0;
    for (int s = run->first_stage; s < run->first_stage + run->section->stages; s++) {
        computation += model->node[i].computation[s] * weight;
        if (in_core >= 0 && in_core < model->outs)
            io += xmpi_mheta_io(model, i, s, block->count, in_core);
    }
    run->ready[i] = run->begin[i] + computation + io;
    if (run->member != NULL) {
        run->member[i].computation += computation;
        run->member[i].io += io;
    }
}

/* When a message of member FROM is at its neighbour TO: the one before is sent to first. */
static double arrival(const run_t *run, int from, int to)
{
    int sent = to < from ? 1 : xmpi_mheta_neighbours(run->model, from);
    return run->ready[from] + sent * send(run, from) + transfer(run, from, to);
}

/* All has been sent before anything is waited for. */
static void neighbours(run_t *run)
{
    int n = run->model->n;
    for (int i = 0; i < n; i++) {
        int peers = xmpi_mheta_neighbours(run->model, i);
        double sent = run->ready[i] + peers * send(run, i), waiting = 0;
        if (i > 0)
            waiting = fmax(waiting, arrival(run, i - 1, i) - sent);
        if (i < n - 1)
            waiting = fmax(waiting, arrival(run, i + 1, i) - sent);
        run->end[i] = sent + waiting + peers * receive(run, i);
        add(run, i, peers * (send(run, i) + receive(run, i)), waiting);
    }
}

static void reduction(run_t *run)
{
    int n = run->model->n;
    double waiting = 0;
    for (int i = 1; i < n; i++)
        waiting = fmax(waiting, run->ready[i] + send(run, i) + transfer(run, i, 0) - run->ready[0]);
    double taking = (n - 1) * (receive(run, 0) + run->model->node[0].reduce), giving = send(run, 0);
    double reduced = run->ready[0] + waiting + taking;
    for (int i = 1; i < n; i++) {
        double back = reduced + i * giving + transfer(run, 0, i);
        run->end[i] = back + receive(run, i);
        add(run, i, send(run, i) + receive(run, i), back - run->ready[i] - send(run, i));
    }
    run->end[0] = reduced + (n - 1) * giving;
    add(run, 0, taking + (n - 1) * giving, waiting);
}

/* The member at PLACE of a pipeline. */
static int placed(const run_t *run, int place)
{
    return run->section->pattern == XMPI_MHETA_PIPELINE_BACK ? run->model->n - 1 - place : place;
}

/* When the member at PLACE has done its last tile. Each tile waits for the one before and for its
 * own at the member before: so it is the longest way from a begin to there, which is at each of
 * the members between for one tile at least, and for all others where they take longest. */
static double last_tile(const run_t *run, const double *own, int place)
{
    double sum = 0, most = 0, transfers = 0, end = 0;
    for (int k = place; k >= 0; k--) {
        int i = placed(run, k);
        sum += own[i];
        most = fmax(most, own[i]);
        double others = run->section->tiles > 1 ? (run->section->tiles - 1) * most : 0;
        end = fmax(end, run->begin[i] + transfers + sum + others);
        if (k > 0)
            transfers += transfer(run, placed(run, k - 1), i);
    }
    return end;
}

/* Computation and I/O are the same in every tile. */
static void pipeline(run_t *run)
{
    int n = run->model->n, tiles = run->section->tiles;
    double *own = run->ready; /* seconds of a tile */
    for (int place = 0; place < n; place++) {
        int i = placed(run, place);
        double overhead = (place > 0 ? receive(run, i) : 0) + (place < n - 1 ? send(run, i) : 0);
        own[i] = overhead + (run->ready[i] - run->begin[i]) / tiles;
        run->end[i] = last_tile(run, own, place);
        add(run, i, tiles * overhead, fmax(0, run->end[i] - run->begin[i] - tiles * own[i]));
    }
}

static void finish(run_t *run)
{
    switch (run->section->pattern) {
    case XMPI_MHETA_NEIGHBOURS:
        neighbours(run);
        return;
    case XMPI_MHETA_REDUCTION:
        reduction(run);
        return;
    case XMPI_MHETA_PIPELINE:
    case XMPI_MHETA_PIPELINE_BACK:
        pipeline(run);
        return;
    case XMPI_MHETA_ALONE:
        memcpy(run->end, run->ready, (size_t)run->model->n * sizeof *run->end);
    }
}

double xmpi_mheta_iteration(const xmpi_mheta_t *model, const xmpi_block_t *blocks, double *clock,
                            xmpi_mheta_time_t *member)
{
    size_t n = (size_t)model->n;
    run_t run = {.model = model,
                 .blocks = blocks,
                 .begin = clock,
                 .ready = clock + n,
                 .end = clock + 2 * n,
                 .member = member};
    double last = 0;
    memset(run.begin, 0, n * sizeof *run.begin);
    if (member != NULL)
        memset(member, 0, n * sizeof *member);
    for (int t = 0; t < model->program->sections; t++) {
        run.section = &model->program->section[t];
        for (int i = 0; i < model->n; i++)
            stages(&run, i);
        finish(&run);
        run.first_stage += run.section->stages;
        memcpy(run.begin, run.end, n * sizeof *run.begin);
    }
    for (int i = 0; i < model->n; i++)
        last = fmax(last, run.begin[i]);
    return last;
}
