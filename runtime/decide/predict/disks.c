/* SPDX-License-Identifier: BSD-3-Clause
 * Disks: what members wait for theirs. */
#include "decide/predict/disks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decide/predict/pipelines.h"

/* Bytes that a disk is asked for at a time, where memory has room: what kernels read ahead; and
 * what the runtime does, which makes of the memory of what it has on disk between so many parts and
 * twice as many (act/outofcore/paged.c). */
static const double piece = 131072, least_part = 65536, most_part = 8388608;
enum { PARTS = 16 };
/* And of these so many, at most half, are for what comes and goes; the others stay. */
enum { LEAST_PASSING = 4, MOST_PASSING = 12 };

/* --- what there is to store ---------------------------------------------------------------------
 */

/* How an iteration goes through an array: what the program's structure says; else as often as was
 * seen; else once. */
static xmpi_mheta_access_t access_of(const xmpi_moved_array_t *array)
{
    bool known = array->reads + array->writes > 0;
    double passes = array->passes > 0 ? array->passes : 1;
    return (xmpi_mheta_access_t){.reads = known ? array->reads : passes,
                                 .writes = known             ? array->writes
                                           : array->constant ? 0
                                                             : passes,
                                 .ahead = array->ahead};
}

/* What was seen of two arrays differs a little where the same is done with both. */
static bool is_as_often(double times, double other)
{
    return fabs(times - other) <= 0.05 * fmax(times, other);
}

/* Arrays that are gone through alike are one; where there is no room for more kinds the last takes
 * what comes. */
static int kind_of(const xmpi_mheta_program_t *program, const xmpi_mheta_access_t *access,
                   bool paged)
{
    for (int m = 0; m < program->arrays; m++) {
        const xmpi_mheta_access_t *other = &program->stage[0].access[m];
        if (is_as_often(other->reads, access->reads) &&
            is_as_often(other->writes, access->writes) && other->ahead == access->ahead &&
            program->array[m].paged == paged)
            return m;
    }
    return program->arrays < XMPI_MHETA_ARRAYS ? program->arrays : program->arrays - 1;
}

static void add_array(xmpi_disks_t *disks, const xmpi_moved_array_t *array)
{
    xmpi_mheta_program_t *program = &disks->program;
    xmpi_mheta_access_t access = access_of(array);
    if (array->scheme != XMPI_SCHEME_DISTRIBUTED) {
        disks->whole += (double)array->rows * array->row_bytes;
        return;
    }
    if (array->row_bytes <= 0)
        return;
    int kind = access.array = kind_of(program, &access, array->paged);
    program->array[kind].row_bytes += array->row_bytes;
    if (kind < program->arrays)
        return;
    program->array[kind].out = true;
    program->array[kind].paged = array->paged;
    program->array[kind].uses = access.reads + access.writes;
    program->stage[0].access[kind] = access;
    program->arrays++;
}

static void set_program(xmpi_predictor_t *predictor)
{
    xmpi_mheta_program_t *program = &predictor->disks.program;
    program->stages = program->sections = 1;
    program->section[0] = (xmpi_mheta_section_t){.stages = 1, .sent = -1};
    for (int i = 0; i < predictor->at.arrays; i++)
        add_array(&predictor->disks, &predictor->at.array[i]);
    program->stage[0].accesses = program->arrays;
    xmpi_pipelines_add(&predictor->pipelines, program);
}

static bool is_paged(const xmpi_mheta_program_t *program)
{
    bool paged = false;
    for (int m = 0; m < program->arrays; m++)
        paged = paged || program->array[m].paged;
    return paged;
}

static bool reads_ahead(const xmpi_mheta_program_t *program)
{
    bool ahead = false;
    for (int m = 0; m < program->arrays; m++)
        ahead = ahead || program->stage[0].access[m].ahead;
    return ahead;
}

static double row_bytes(const xmpi_mheta_program_t *program)
{
    double sum = 0;
    for (int m = 0; m < program->arrays; m++)
        sum += program->array[m].row_bytes;
    return sum;
}

/* --- places -------------------------------------------------------------------------------------
 */

static int places_of(const xmpi_disk_costs_t *costs)
{
    return costs->plan != NULL ? costs->plan->places : costs->predictor->at.layout->members;
}

/* The member of the layout that is there, -1: it comes. */
static int member_of(const xmpi_disk_costs_t *costs, int i)
{
    if (costs->plan == NULL)
        return i;
    return costs->plan->place[i].origin == XMPI_STAYS ? costs->plan->place[i].from : -1;
}

/* Its PE, -1 where nobody knows. */
static int pe_of(const xmpi_disk_costs_t *costs, int i)
{
    int member = member_of(costs, i);
    return member >= 0 ? costs->predictor->speeds.member_pe[member] : costs->plan->place[i].pe;
}

static double speed_of(const xmpi_disk_costs_t *costs, int i)
{
    int member = member_of(costs, i);
    return member >= 0 ? costs->predictor->member_speed[member]
                       : costs->predictor->speeds.pe[costs->plan->place[i].pe].speed;
}

/* Weight of all rows, as the model weighs them. */
static double weight_of_all(const xmpi_situation_t *at)
{
    return at->prefix != NULL ? at->prefix[at->layout->domain] : (double)at->layout->domain;
}

static double part_of(double memory)
{
    double part = least_part;
    while (part < most_part && 2 * part * PARTS <= memory)
        part *= 2;
    return part;
}

/* However little there is, the kernel finds room for a piece. */
static void set_memory(const xmpi_mheta_program_t *program, double memory, double bytes,
                       xmpi_mheta_node_t *node)
{
    double wanted = is_paged(program) ? part_of(memory) : piece;
    node->piece_rows = (int64_t)fmax(1, fmin(wanted, memory / 2) / bytes);
    node->memory = fmax(memory, (double)node->piece_rows * bytes);
    double pieces = node->memory / bytes / (double)node->piece_rows;
    node->passing_rows =
        node->piece_rows * (int64_t)fmax(LEAST_PASSING, fmin(MOST_PASSING, pieces / 2));
}

/* Accesses before what is read ahead, and written behind, are made meanwhile, too, and by others
 * than the program: they count as part of the bytes of a piece. */
static void set_disk(const xmpi_mheta_program_t *program, const xmpi_pe_t *at, int sharers,
                     xmpi_mheta_node_t *node)
{
    bool ahead = reads_ahead(program), paged = is_paged(program);
    node->read_seek = ahead ? 0 : at->disk_latency;
    node->write_seek = paged ? 0 : at->disk_latency;
    for (int m = 0; m < program->arrays; m++) {
        double bytes = (double)node->piece_rows * program->array[m].row_bytes;
        node->read_byte[m] = node->write_byte[m] = sharers / at->disk_bandwidth;
        if (ahead)
            node->read_byte[m] += at->disk_latency / bytes;
        if (paged)
            node->write_byte[m] += at->disk_latency / bytes;
    }
}

/* WORK: seconds in which the member would compute all rows. Whatever it computes hides I/O. */
static void set_computation(const xmpi_predictor_t *predictor, double work, double weight,
                            xmpi_mheta_node_t *node)
{
    const xmpi_pipelines_t *pipelines = &predictor->pipelines;
    double beside = 1;
    int stage = 1;
    for (int way = 0; way < 2 && pipelines->known; way++) {
        if (!(pipelines->tiles[way] > 0))
            continue;
        node->computation[stage++] = pipelines->share[way] * work / weight;
        beside -= pipelines->share[way];
    }
    node->computation[0] = fmax(0, beside) * work / weight;
    node->overlap[0] = work / (double)predictor->at.layout->domain; /* of a mean row */
}

static void set_node(const xmpi_disk_costs_t *costs, int i, int sharers, xmpi_mheta_node_t *node)
{
    const xmpi_predictor_t *predictor = costs->predictor;
    int pe = pe_of(costs, i);
    const xmpi_pe_t *at = pe >= 0 ? &predictor->at.resources->pe[pe] : NULL;
    double weight = weight_of_all(&predictor->at), bytes = row_bytes(&predictor->disks.program);
    *node = (xmpi_mheta_node_t){.memory = INFINITY, .piece_rows = 1};
    if (weight > 0)
        set_computation(predictor, predictor->disks.work / speed_of(costs, i), weight, node);
    if (at == NULL || at->memory <= 0 || at->disk_bandwidth <= 0 || bytes <= 0)
        return;
    set_memory(&predictor->disks.program, at->memory / sharers - predictor->disks.whole, bytes,
               node);
    set_disk(&predictor->disks.program, at, sharers, node);
}

/* How many places are on the node of each. */
static void set_nodes(xmpi_disk_costs_t *costs, int *sharers)
{
    const xmpi_nodes_t *nodes = &costs->predictor->nodes;
    for (int i = 0; i < places_of(costs); i++)
        if (pe_of(costs, i) >= 0)
            sharers[nodes->of_pe[pe_of(costs, i)]]++;
    for (int i = 0; i < places_of(costs); i++) {
        int pe = pe_of(costs, i);
        set_node(costs, i, pe >= 0 ? sharers[nodes->of_pe[pe]] : 1, &costs->node[i]);
    }
}

xmpi_status_t xmpi_disk_costs_make(xmpi_disk_costs_t *costs, const xmpi_predictor_t *predictor,
                                   const xmpi_plan_t *plan)
{
    *costs = (xmpi_disk_costs_t){.predictor = predictor, .plan = plan};
    size_t n = (size_t)places_of(costs);
    int *sharers = calloc((size_t)predictor->nodes.nodes + 1, sizeof *sharers);
    costs->node = calloc(n + 1, sizeof *costs->node);
    if (sharers == NULL || costs->node == NULL) {
        free(sharers);
        xmpi_disk_costs_free(costs);
        return XMPI_ERR_MEMORY;
    }
    set_nodes(costs, sharers);
    free(sharers);
    costs->model = (xmpi_mheta_t){.program = &predictor->disks.program,
                                  .n = (int)n,
                                  .node = costs->node,
                                  .prefix = predictor->at.prefix};
    return xmpi_mheta_make(&costs->model, NULL);
}

void xmpi_disk_costs_free(xmpi_disk_costs_t *costs)
{
    free(costs->node);
    costs->node = NULL;
}

/* Of the program's own I/O, of which that of a member that comes is as that of the others. */
static double own_row(const xmpi_disk_costs_t *costs, int i)
{
    const xmpi_disks_t *disks = &costs->predictor->disks;
    int member = member_of(costs, i);
    return disks->follows && member >= 0 ? disks->row[member] : costs->predictor->row_io;
}

double xmpi_disk_seconds(const xmpi_disk_costs_t *costs, int i, int64_t rows)
{
    return rows > 0
               ? xmpi_mheta_all_io(&costs->model, i, 0, rows) + own_row(costs, i) * (double)rows
               : 0;
}

/* I/O that does not follow the rows is no reason to have fewer. */
double xmpi_disk_cost(const void *context, int i, int64_t begin, int64_t end)
{
    const xmpi_disk_costs_t *costs = context;
    double own = costs->predictor->disks.follows ? own_row(costs, i) * (double)(end - begin) : 0;
    return xmpi_mheta_alone(&costs->model, i, begin, end) + own;
}

/* --- what was seen ------------------------------------------------------------------------------
 */

/* Some PE says what memory its node has. */
static bool memory_known(const xmpi_resources_t *resources)
{
    for (int i = 0; i < resources->pes; i++)
        if (resources->pe[i].memory > 0)
            return true;
    return false;
}

/* As many bytes for each row on all members, within a quarter, and no less of somebody's time than
 * may be noticed. */
static bool follows_rows(const xmpi_situation_t *at)
{
    double least = INFINITY, most = 0, share = 0;
    for (int i = 0; i < at->layout->members; i++) {
        const xmpi_operations_t *io = &at->samples[i].operations[XMPI_CLASS_IO];
        double rows = (double)at->layout->member[i].block.count;
        double bytes = rows > 0 ? (double)io->bytes / rows : 0;
        double busy = xmpi_sample_busy(&at->samples[i]);
        least = fmin(least, bytes);
        most = fmax(most, bytes);
        if (busy > 0)
            share = fmax(share, io->seconds / busy);
    }
    return least > 0 && most <= 1.25 * least && share >= 0.01;
}

/* What is left of the I/O that was seen, where memory explains some. */
static void learn_rows(xmpi_predictor_t *predictor, const xmpi_disk_costs_t *costs)
{
    const xmpi_situation_t *at = &predictor->at;
    double iterations = (double)at->samples[0].iterations, rows = 0, io = 0;
    for (int i = 0; i < at->layout->members && iterations > 0; i++) {
        int64_t count = at->layout->member[i].block.count;
        double explained = costs != NULL ? xmpi_mheta_all_io(&costs->model, i, 0, count) : 0;
        double seconds =
            fmax(0, at->samples[i].operations[XMPI_CLASS_IO].seconds / iterations - explained);
        predictor->disks.row[i] = count > 0 ? seconds / (double)count : 0;
        rows += (double)count;
        io += seconds;
    }
    predictor->row_io = rows > 0 ? io / rows : 0;
}

xmpi_status_t xmpi_disks_make(xmpi_predictor_t *predictor)
{
    const xmpi_situation_t *at = &predictor->at;
    xmpi_disks_t *disks = &predictor->disks;
    bool memory = memory_known(at->resources);
    disks->row = calloc((size_t)at->layout->members + 1, sizeof *disks->row);
    if (disks->row == NULL)
        return XMPI_ERR_MEMORY;
    disks->follows = follows_rows(at);
    disks->known = memory || disks->follows;
    set_program(predictor);
    if (!memory) {
        learn_rows(predictor, NULL);
        return XMPI_OK;
    }
    xmpi_disk_costs_t costs;
    xmpi_status_t status = xmpi_disk_costs_make(&costs, predictor, NULL);
    if (status == XMPI_ERR_MEMORY)
        return status;
    disks->known = disks->known && status == XMPI_OK;
    learn_rows(predictor, status == XMPI_OK ? &costs : NULL);
    xmpi_disk_costs_free(&costs);
    return XMPI_OK;
}
