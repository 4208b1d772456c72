/* SPDX-License-Identifier: BSD-3-Clause
 * The prediction model: redistribution of data.
 *
 * Thesis Eqs 5.8 to 5.10 price the collective operations that FLEX-MPI moves everything with. Here
 * only rows that change owner move, so that the messages of the transfer plan are priced: each
 * process makes one call at a time, bytes come and go at once, and the last one to be done makes
 * the time. */
#include "decide/predict/redistribution.h"

#include <stdlib.h>
#include <string.h>

#include "decide/predict/processes.h"
#include "decide/layout/transfer.h"

/* --- what moves -------------------------------------------------------------------------------
 */

static bool moves_alike(const xmpi_moved_array_t *a, const xmpi_moved_array_t *b)
{
    return (a->scheme == XMPI_SCHEME_OWNED) == (b->scheme == XMPI_SCHEME_OWNED) &&
           a->halo == b->halo && a->rows == b->rows && a->lengths == b->lengths &&
           a->when == b->when;
}

/* Arrays of which the same rows move stand one behind the other, so that one walk over the members
 * serves them all. */
static void add_divided(xmpi_predictor_t *predictor, const xmpi_moved_array_t *array)
{
    int at = predictor->divided;
    for (int i = 0; i < predictor->divided; i++)
        if (moves_alike(&predictor->array[i], array))
            at = i + 1;
    memmove(predictor->array + at + 1, predictor->array + at,
            (size_t)(predictor->divided - at) * sizeof *predictor->array);
    predictor->array[at] = *array;
    predictor->divided++;
}

xmpi_status_t xmpi_predictor_sort_arrays(xmpi_predictor_t *predictor)
{
    const xmpi_situation_t *at = &predictor->at;
    predictor->array = calloc((size_t)at->arrays + 1, sizeof *predictor->array);
    predictor->whole = calloc((size_t)at->arrays + 1, sizeof *predictor->whole);
    predictor->whole_constant = calloc((size_t)at->arrays + 1, sizeof *predictor->whole);
    if (predictor->array == NULL || predictor->whole == NULL || predictor->whole_constant == NULL)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < at->arrays; i++) {
        const xmpi_moved_array_t *array = &at->array[i];
        double bytes = (double)array->rows * array->row_bytes;
        if (array->scheme != XMPI_SCHEME_REPLICATED) {
            add_divided(predictor, array);
            continue;
        }
        predictor->whole_constant[predictor->replicated] = array->constant ? bytes : 0;
        predictor->whole[predictor->replicated++] = bytes;
    }
    return XMPI_OK;
}

/* --- messages ---------------------------------------------------------------------------------
 */

/* A process of the change. Seconds. */
typedef struct {
    int node;
    bool joins;
    double calls;   /* for messages, whatever their length: one after the other */
    double out, in; /* for the bytes, which come and go at the same time */
    double latency; /* of the message with most, of those it receives */
} process_t;

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* N messages of BYTES each, one after the other. A long message is announced, the receiver answers,
 * and then it goes: the announcement and the data take their sender, the answer its receiver, while
 * each of them goes on with others. Where the runtime has other ways than messages, the receiver
 * fetches the bytes itself. */
static inline void add_messages(const xmpi_calibration_t *calibration, int n, double bytes,
                                process_t *from, process_t *to)
{
    xmpi_link_class_t which = from->node == to->node ? XMPI_LINK_NODE : XMPI_LINK_NETWORK;
    const xmpi_link_t *link = &calibration->link[which];
    double latency = link->alpha, transfer = bytes * link->beta, answer = 0;
    bool fetched = calibration->move_beta[which] > 0;
    if (fetched) {
        transfer = bytes * calibration->move_beta[which];
    } else if (bytes > link->eager) {
        latency = link->long_alpha;
        transfer = bytes * link->long_beta;
        answer = larger(0, (link->long_alpha - link->alpha) / 2);
    }
    from->calls += n * (latency - answer);
    from->out += fetched ? 0 : n * transfer;
    to->calls += n * answer;
    to->in += n * transfer;
    to->latency = larger(to->latency, n * latency);
}

/* A joiner has no connections yet: the first message to it makes one, by a short one each way. */
static inline void add_connection(const xmpi_calibration_t *calibration, process_t *from,
                                  process_t *to)
{
    xmpi_link_class_t which = from->node == to->node ? XMPI_LINK_NODE : XMPI_LINK_NETWORK;
    from->calls += calibration->link[which].alpha;
    to->calls += calibration->link[which].alpha;
}

/* Old members in rank order, then those that join. */
static void place_processes(const xmpi_predictor_t *predictor, const xmpi_plan_t *plan,
                            process_t *process)
{
    int n = predictor->at.layout->members;
    for (int i = 0; i < n; i++) {
        int pe = predictor->speeds.member_pe[i];
        process[i].node = pe >= 0 ? predictor->nodes.of_pe[pe] : -1;
    }
    for (int i = 0; i < plan->places; i++)
        if (plan->place[i].origin != XMPI_STAYS)
            process[n++] =
                (process_t){.node = predictor->nodes.of_pe[plan->place[i].pe], .joins = true};
}

/* Which arrays move at a point of the change. */
typedef enum {
    MOVE_LENGTHS, /* of rows, which say how much others have to move */
    MOVE_ALL,     /* that were not among those */
    MOVE_OTHERS,  /* of these, those that are not constant */
    MOVE_CONSTANT
} moving_t;

static inline bool moves(const xmpi_predictor_t *predictor, const xmpi_moved_array_t *array,
                         moving_t what)
{
    if (array->when == (predictor->images ? XMPI_MOVES_AS_ROWS : XMPI_MOVES_AS_IMAGE))
        return false;
    if (what == MOVE_LENGTHS || array->lengths)
        return what == MOVE_LENGTHS && array->lengths;
    return what == MOVE_ALL || (what == MOVE_CONSTANT) == (array->constant != 0);
}

/* Arrays FIRST to END, which move alike, in ROUNDS. */
typedef struct {
    int first, end;
    moving_t what;
    int rounds;
    bool connects; /* they are the first that go to joiners */
    bool joined;   /* to a joiner their small pieces go with those of replicated arrays */
} group_t;

/* Entries of a sparse matrix in the rows from BEGIN to END; -1: only their mean is known. */
static double entries_of(const xmpi_predictor_t *predictor, int64_t begin, int64_t end)
{
    const double *prefix = predictor->at.prefix;
    return prefix != NULL && predictor->at.prefix_of_entries ? prefix[end] - prefix[begin] : -1;
}

static void add_rows(const xmpi_predictor_t *predictor, const group_t *group, int64_t begin,
                     int64_t end, process_t *from, process_t *to)
{
    const xmpi_calibration_t *calibration = predictor->at.calibration;
    double small = 0, all = 0, rows = (double)(end - begin);
    double entries = entries_of(predictor, begin, end);
    for (int i = group->first; i < group->end; i++) {
        const xmpi_moved_array_t *array = &predictor->array[i];
        if (!moves(predictor, array, group->what))
            continue;
        bool counted = array->entry_bytes > 0 && entries >= 0;
        double bytes = counted ? entries * array->entry_bytes : rows * array->row_bytes;
        all += bytes;
        bytes /= group->rounds;
        if (bytes <= XMPI_SMALL_BYTES)
            small += bytes;
        else
            add_messages(calibration, group->rounds, bytes, from, to);
    }
    if (small > 0 && !(group->joined && to->joins))
        add_messages(calibration, group->rounds, small, from, to);
    if (group->connects && to->joins)
        add_connection(calibration, from, to);
    to->in += all * calibration->fresh; /* storage that is filled for the first time */
}

static int64_t end_of(const xmpi_block_t *block)
{
    return block->displ + block->count;
}

/* What old members send to the receiver TO, which needs the rows from LOW to HIGH; FIRST: the first
 * old member that may have some. */
static void add_receiver(const xmpi_predictor_t *predictor, const group_t *group, int first,
                         int64_t low, int64_t high, int to, process_t *process)
{
    const xmpi_layout_t *layout = predictor->at.layout;
    xmpi_block_t wanted = {.count = high - low, .displ = low};
    for (int from = first; from < layout->members; from++) {
        const xmpi_block_t *block = &layout->member[from].block;
        xmpi_block_t rows = xmpi_blocks_common(*block, wanted);
        if (block->displ >= high)
            return;
        if (from != to && rows.count > 0)
            add_rows(predictor, group, rows.displ, end_of(&rows), &process[from], &process[to]);
    }
}

/* The pairs of decide/plan/transfer_size.h, added up by process: blocks follow one another in the
 * order of ranks on both sides, so that one walk finds them all. A policy asks for thousands of
 * plans. */
static void add_group(const xmpi_predictor_t *predictor, const xmpi_plan_t *plan,
                      const group_t *group, process_t *process)
{
    const xmpi_layout_t *layout = predictor->at.layout;
    const xmpi_moved_array_t *array = &predictor->array[group->first];
    int joiner = layout->members, first = 0;
    bool whole = array->scheme == XMPI_SCHEME_OWNED; /* every member needs all rows */
    for (int i = 0; i < plan->places; i++) {
        const xmpi_place_t *place = &plan->place[i];
        int to = place->origin == XMPI_STAYS ? place->from : joiner++;
        int64_t low = whole ? 0 : place->block.displ - array->halo;
        int64_t high = whole ? array->rows : end_of(&place->block) + array->halo;
        if (place->block.count == 0 && !whole)
            continue;
        while (first < layout->members && end_of(&layout->member[first].block) <= low)
            first++;
        add_receiver(predictor, group, first, low, high, to, process);
    }
}

static bool on_one_node(const process_t *process, int n)
{
    for (int i = 1; i < n; i++)
        if (process[i].node != process[0].node)
            return false;
    return true;
}

static double share_bytes(const xmpi_predictor_t *predictor, const group_t *group, int i)
{
    bool constant = predictor->whole_constant[i] > 0;
    bool moved = group->what == MOVE_ALL || (group->what == MOVE_CONSTANT) == constant;
    return moved ? predictor->whole[i] / predictor->at.layout->members / group->rounds : 0;
}

/* What an old member sends a joiner of replicated arrays, an equal share of each: the small ones in
 * one message (small pieces of other arrays, if there are any, do not make it much longer). */
static void add_shares(const xmpi_predictor_t *predictor, const group_t *group, process_t *from,
                       process_t *to)
{
    const xmpi_calibration_t *calibration = predictor->at.calibration;
    double small = 0;
    for (int i = 0; i < predictor->replicated; i++) {
        double share = share_bytes(predictor, group, i);
        to->in += group->rounds * share * calibration->fresh;
        if (share <= XMPI_SMALL_BYTES)
            small += share;
        else
            add_messages(calibration, group->rounds, share, from, to);
    }
    if (small > 0)
        add_messages(calibration, group->rounds, small, from, to);
    add_connection(calibration, from, to);
}

/* Each joiner gets all of every replicated array, from each of the OLDS alike. */
static void add_replicated(const xmpi_predictor_t *predictor, const group_t *group, int olds,
                           int joiners, process_t *process)
{
    bool same_node = on_one_node(process, olds + joiners);
    process_t from = {.node = 0}, to = {.node = same_node ? 0 : 1};
    add_shares(predictor, group, &from, &to);
    for (int i = 0; i < olds; i++) {
        process[i].calls += joiners * from.calls;
        process[i].out += joiners * from.out;
    }
    for (int i = olds; i < olds + joiners; i++) {
        process[i].calls += olds * to.calls;
        process[i].in += olds * to.in;
        process[i].latency = larger(process[i].latency, to.latency);
    }
}

static bool has_small(const xmpi_predictor_t *predictor, const group_t *group)
{
    for (int i = 0; i < predictor->replicated; i++) {
        double share = share_bytes(predictor, group, i);
        if (share > 0 && share <= XMPI_SMALL_BYTES)
            return true;
    }
    return false;
}

static bool has_lengths(const xmpi_predictor_t *predictor)
{
    for (int i = 0; i < predictor->divided; i++)
        if (predictor->array[i].lengths)
            return true;
    return false;
}

static bool has_other_replicated(const xmpi_predictor_t *predictor, const group_t *group)
{
    for (int i = 0; i < predictor->replicated; i++)
        if (share_bytes(predictor, group, i) > 0)
            return true;
    return false;
}

/* --- rounds ------------------------------------------------------------------------------------
 */

/* Bytes of a row and of an entry of what moves: those of the arrays that get new storage where a
 * block begins elsewhere, and nothing else. */
typedef struct {
    double row, entry;
} density_t;

static density_t density_of(const xmpi_predictor_t *predictor, moving_t what)
{
    bool known = entries_of(predictor, 0, 0) >= 0;
    density_t density = {0, 0};
    for (int i = 0; i < predictor->divided; i++) {
        const xmpi_moved_array_t *array = &predictor->array[i];
        bool alone = array->scheme == XMPI_SCHEME_DISTRIBUTED && array->halo == 0;
        if (!alone || !moves(predictor, array, what))
            continue;
        if (known && array->entry_bytes > 0)
            density.entry += array->entry_bytes;
        else
            density.row += array->row_bytes;
    }
    return density;
}

static inline double bytes_between(const xmpi_predictor_t *predictor, density_t density,
                                   int64_t begin, int64_t end)
{
    if (end <= begin)
        return 0;
    double entries = density.entry > 0 ? entries_of(predictor, begin, end) : 0;
    return (double)(end - begin) * density.row + entries * density.entry;
}

static double bytes_of(const xmpi_predictor_t *predictor, density_t density,
                       const xmpi_block_t *block)
{
    return bytes_between(predictor, density, block->displ, end_of(block));
}

/* Of the rows that are in both blocks. */
static double bytes_common(const xmpi_predictor_t *predictor, density_t density,
                           const xmpi_block_t *a, const xmpi_block_t *b)
{
    return bytes_between(predictor, density, a->displ > b->displ ? a->displ : b->displ,
                         end_of(a) < end_of(b) ? end_of(a) : end_of(b));
}

/* In how many rounds all move: those of the member that can reuse most. */
static int rounds_of(const xmpi_predictor_t *predictor, const xmpi_plan_t *plan, moving_t what)
{
    density_t density = density_of(predictor, what);
    xmpi_block_t all = {.count = predictor->at.layout->domain};
    double most = 0;
    if (xmpi_transfer_rounds((int64_t)bytes_of(predictor, density, &all)) == 1)
        return 1;
    for (int i = 0; i < plan->places; i++) {
        const xmpi_place_t *place = &plan->place[i];
        if (place->origin != XMPI_STAYS)
            continue;
        const xmpi_block_t *now = &place->block;
        const xmpi_block_t *old = &predictor->at.layout->member[place->from].block;
        if (old->displ == now->displ)
            continue;
        double kept = bytes_common(predictor, density, old, now);
        double sent = bytes_of(predictor, density, old) - kept;
        double received = bytes_of(predictor, density, now) - kept;
        most = larger(most, sent < received ? sent : received);
    }
    return xmpi_transfer_rounds((int64_t)most);
}

/* --- all of it ---------------------------------------------------------------------------------
 */

/* While the first message comes a process can make its own calls. */
static double last_done(const process_t *process, int n)
{
    double seconds = 0;
    for (int i = 0; i < n; i++) {
        const process_t *p = &process[i];
        seconds = larger(seconds, larger(p->calls, p->latency) + larger(p->out, p->in));
    }
    return seconds;
}

/* What arrays that move as WHAT take; PROCESS: scratch. */
static double stage(const xmpi_predictor_t *predictor, const xmpi_plan_t *plan, moving_t what,
                    process_t *process, int joiners)
{
    int olds = predictor->at.layout->members;
    memset(process, 0, (size_t)(olds + joiners) * sizeof *process);
    place_processes(predictor, plan, process);
    bool behind = what == MOVE_CONSTANT;
    group_t group = {.what = what,
                     .rounds =
                         what == MOVE_LENGTHS || behind ? 1 : rounds_of(predictor, plan, what)};
    bool shares = what != MOVE_LENGTHS && joiners > 0 && has_other_replicated(predictor, &group);
    group.joined = shares && has_small(predictor, &group);
    bool by_shares = joiners > 0 && predictor->replicated > 0; /* of all pairs, maybe later */
    group.connects = !by_shares && !behind && (what == MOVE_LENGTHS) == has_lengths(predictor);
    for (; group.first < predictor->divided; group.first = group.end) {
        const xmpi_moved_array_t *array = &predictor->array[group.first];
        group.end = group.first + 1;
        while (group.end < predictor->divided && moves_alike(&predictor->array[group.end], array))
            group.end++;
        if (!moves(predictor, array, what) && array->when != XMPI_MOVES_EVER)
            continue;
        if (array->lengths != (what == MOVE_LENGTHS))
            continue;
        add_group(predictor, plan, &group, process);
        group.connects = false;
    }
    if (shares)
        add_replicated(predictor, &group, olds, joiners, process);
    return last_done(process, olds + joiners);
}

/* Bytes of constant arrays that PLAN moves. */
static double constant_bytes(const xmpi_predictor_t *predictor, const xmpi_plan_t *plan,
                             int joiners)
{
    density_t density = density_of(predictor, MOVE_CONSTANT);
    xmpi_block_t all = {.count = predictor->at.layout->domain};
    double bytes = bytes_of(predictor, density, &all);
    for (int i = 0; i < plan->places; i++) {
        const xmpi_place_t *place = &plan->place[i];
        if (place->origin == XMPI_STAYS)
            bytes -= bytes_common(predictor, density,
                                  &predictor->at.layout->member[place->from].block, &place->block);
    }
    for (int i = 0; i < predictor->replicated; i++)
        bytes += joiners * predictor->whole_constant[i];
    return bytes;
}

/* What is agreed on besides, in rounds of all: lengths; and before a move in the background, that
 * it begins, that all have the memory, and in how many rounds (twice), with the shapes of arrays
 * for those that join. */
static double further_rounds(const xmpi_predictor_t *predictor, bool behind, int joiners)
{
    enum { LENGTHS = 1, BEHIND = 4, SHAPES = 2 };
    const xmpi_link_t *link = &predictor->at.calibration->link[XMPI_LINK_NETWORK];
    int rounds = has_lengths(predictor) ? LENGTHS : 0;
    if (behind)
        rounds += BEHIND + (joiners > 0 ? SHAPES : 0);
    return rounds * xmpi_round_seconds(predictor->at.layout->members + joiners, link);
}

/* Members that were created, and would end; those that mpiexec started keep their connections. */
static int created(const xmpi_predictor_t *predictor, int member)
{
    const xmpi_situation_t *at = &predictor->at;
    return at->resources->can_spawn && at->layout->member[member].process >= at->resources->started;
}

/* Connections between those who leave and those who stay end, each by a message either way, and all
 * processes send theirs at the same time. All are connected that have got or given their shares of
 * a replicated array. */
static double closing_seconds(const xmpi_predictor_t *predictor, const xmpi_plan_t *plan)
{
    int leave = 0;
    for (int i = 0; i < predictor->at.layout->members; i++)
        leave += created(predictor, i);
    for (int i = 0; i < plan->places; i++)
        if (plan->place[i].origin == XMPI_STAYS)
            leave -= created(predictor, plan->place[i].from);
    double messages = predictor->replicated > 0 ? 2.0 * leave * plan->places : 0;
    return messages / (leave + plan->places) *
           predictor->at.calibration->link[XMPI_LINK_NETWORK].alpha;
}

/* What all processes do together besides. */
static double together(const xmpi_predictor_t *predictor, const xmpi_plan_t *plan, int joiners)
{
    int olds = predictor->at.layout->members;
    if (joiners > 0)
        return xmpi_predict_agreement(predictor, XMPI_AGREE_JOINED, olds, olds + joiners);
    if (plan->places < olds)
        return xmpi_predict_agreement(predictor, XMPI_AGREE_LEFT, olds, plan->places) +
               closing_seconds(predictor, plan);
    return xmpi_predict_agreement(predictor, XMPI_AGREE_REBALANCE, olds, olds) +
           xmpi_predict_communicator(predictor);
}

xmpi_status_t xmpi_predict_redistribution(xmpi_predictor_t *predictor, const xmpi_plan_t *plan,
                                          xmpi_prediction_t *prediction)
{
    const xmpi_situation_t *at = &predictor->at;
    predictor->images = plan->moves;
    int olds = at->layout->members, joiners = xmpi_plan_joiners(plan);
    bool same = joiners == 0 && plan->places == olds;
    bool behind = at->background > 0 && constant_bytes(predictor, plan, joiners) >= at->background;
    process_t *process = calloc((size_t)olds + (size_t)joiners, sizeof *process);
    if (process == NULL)
        return XMPI_ERR_MEMORY;
    double seconds = stage(predictor, plan, behind ? MOVE_OTHERS : MOVE_ALL, process, joiners);
    if (has_lengths(predictor))
        seconds += stage(predictor, plan, MOVE_LENGTHS, process, joiners);
    prediction->behind = behind ? stage(predictor, plan, MOVE_CONSTANT, process, joiners) : 0;
    free(process);
    seconds += together(predictor, plan, joiners) + further_rounds(predictor, behind, joiners);
    if (at->model != NULL)
        seconds *= xmpi_correction(&at->model->redistribution[xmpi_change_kind(joiners > 0, same)],
                                   at->calibration->trust);
    prediction->redistribution = seconds;
    return XMPI_OK;
}
