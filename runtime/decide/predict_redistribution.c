/* SPDX-License-Identifier: BSD-3-Clause
 * The prediction model: redistribution of data.
 *
 * Thesis Eqs 5.8 to 5.10 price the collective operations that FLEX-MPI moves everything with. Here
 * only rows that change owner move, so that the messages of the transfer plan are priced: each
 * process sends and receives one message at a time, both at once, and the last one to be done makes
 * the time. */
#include <stdlib.h>
#include <string.h>

#include "decide/predict_parts.h"

/* Arrays that are divided and stored alike move the same rows: they are one with longer rows. */
static void add_divided(xmpi_predictor_t *predictor, const xmpi_moved_array_t *array)
{
    predictor->part[predictor->divided++] = array->row_bytes;
    for (int i = 0; i < predictor->moved; i++) {
        xmpi_moved_array_t *like = &predictor->array[i];
        if (like->scheme != array->scheme || like->halo != array->halo || like->rows != array->rows)
            continue;
        like->row_bytes += array->row_bytes;
        return;
    }
    predictor->array[predictor->moved++] = *array;
}

static const double small_bytes = 32 << 10;

xmpi_status_t xmpi_predictor_sort_arrays(xmpi_predictor_t *predictor)
{
    const xmpi_situation_t *at = &predictor->at;
    double row_bytes = 0;
    predictor->array = calloc((size_t)at->arrays + 1, sizeof *predictor->array);
    predictor->part = calloc((size_t)at->arrays + 1, sizeof *predictor->part);
    if (predictor->array == NULL || predictor->part == NULL)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < at->arrays; i++) {
        if (at->array[i].scheme == XMPI_SCHEME_REPLICATED) {
            predictor->replicated++;
            predictor->replicated_bytes += (double)at->array[i].rows * at->array[i].row_bytes;
        } else {
            add_divided(predictor, &at->array[i]);
            row_bytes += at->array[i].row_bytes;
        }
    }
    for (int i = 0; i < predictor->divided && row_bytes > 0; i++)
        predictor->part[i] /= row_bytes;
    return XMPI_OK;
}

/* A process of the change. */
typedef struct {
    int node;
    double send;    /* seconds, the latency of each message in them */
    double receive; /* without latencies: those of several senders pass together */
    double latency; /* of the message with most, of those it receives */
} process_t;

typedef struct {
    double latency, transfer; /* seconds of all */
} messages_t;

static messages_t messages(const xmpi_predictor_t *predictor, xmpi_link_class_t which, double n,
                           double bytes)
{
    const xmpi_calibration_t *calibration = predictor->at.calibration;
    const xmpi_link_t *link = &calibration->link[which];
    if (calibration->move_beta[which] > 0) /* the runtime has other ways than messages */
        return (messages_t){n * link->alpha, bytes * calibration->move_beta[which]};
    if (bytes > n * link->eager)
        return (messages_t){n * link->long_alpha, bytes * link->long_beta};
    return (messages_t){n * link->alpha, bytes * link->beta};
}

static void add_messages(messages_t *all, messages_t m)
{
    all->latency += m.latency;
    all->transfer += m.transfer;
}

/* A message for each array, as long as its rows are; small pieces of all arrays go together
 * (small_bytes of act/exchange_p2p.c). */
static messages_t pair_messages(const xmpi_predictor_t *predictor, xmpi_link_class_t which,
                                double bytes)
{
    messages_t all = {0, 0};
    double small = 0;
    for (int i = 0; i < predictor->divided; i++) {
        double part = predictor->part[i] * bytes;
        if (part <= small_bytes)
            small += part;
        else
            add_messages(&all, messages(predictor, which, 1, part));
    }
    if (small > 0)
        add_messages(&all, messages(predictor, which, 1, small));
    return all;
}

/* Old members in rank order, then those that join. */
static void place_processes(const xmpi_predictor_t *predictor, const xmpi_plan_t *plan,
                            process_t *process)
{
    int n = predictor->at.layout->members;
    for (int i = 0; i < n; i++) {
        int pe = predictor->member_pe[i];
        process[i].node = pe >= 0 ? predictor->node[pe] : -1;
    }
    for (int i = 0; i < plan->places; i++)
        if (plan->place[i].origin != XMPI_STAYS)
            process[n++].node = predictor->node[plan->place[i].pe];
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void add_bytes(const xmpi_predictor_t *predictor, double bytes, process_t *from,
                      process_t *to)
{
    messages_t m = pair_messages(
        predictor, from->node == to->node ? XMPI_LINK_NODE : XMPI_LINK_NETWORK, bytes);
    from->send += m.latency + m.transfer;
    to->receive += m.transfer + bytes * predictor->at.calibration->fresh;
    to->latency = larger(to->latency, m.latency);
}

static int64_t end_of(const xmpi_block_t *block)
{
    return block->displ + block->count;
}

/* What old members send to the receiver TO, which needs the rows from LOW to HIGH; FIRST: the first
 * old member that may have some. */
static void add_receiver(const xmpi_predictor_t *predictor, const xmpi_moved_array_t *array,
                         int first, int64_t low, int64_t high, int to, process_t *process)
{
    const xmpi_layout_t *layout = predictor->at.layout;
    for (int from = first; from < layout->members; from++) {
        const xmpi_block_t *block = &layout->member[from].block;
        int64_t begin = block->displ > low ? block->displ : low;
        int64_t end = end_of(block) < high ? end_of(block) : high;
        if (block->displ >= high)
            return;
        if (from != to && end > begin)
            add_bytes(predictor, (double)(end - begin) * array->row_bytes, &process[from],
                      &process[to]);
    }
}

/* The pairs of decide/transfer_size.h, added up by process: blocks follow one another in the order
 * of ranks on both sides, so that one walk finds them all. A policy asks for thousands of plans. */
static void add_array(const xmpi_predictor_t *predictor, const xmpi_plan_t *plan,
                      const xmpi_moved_array_t *array, process_t *process)
{
    const xmpi_layout_t *layout = predictor->at.layout;
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
        add_receiver(predictor, array, first, low, high, to, process);
    }
}

/* Each joiner gets all of every replicated array, an equal share from each of the OLDS. */
static void add_replicated(const xmpi_predictor_t *predictor, int olds, int joiners,
                           process_t *process)
{
    const xmpi_calibration_t *calibration = predictor->at.calibration;
    double share = predictor->replicated_bytes / olds;
    bool small = share <= predictor->replicated * small_bytes;
    messages_t m = messages(predictor, XMPI_LINK_NETWORK,
                            small && share > 0 ? 1 : predictor->replicated, share);
    double fresh = predictor->replicated_bytes * calibration->fresh;
    for (int i = 0; i < olds; i++)
        process[i].send += joiners * (m.latency + m.transfer);
    for (int i = olds; i < olds + joiners; i++) {
        process[i].receive += olds * m.transfer + fresh;
        process[i].latency += m.latency;
    }
}

static double last_done(const process_t *process, int n)
{
    double seconds = 0;
    for (int i = 0; i < n; i++)
        seconds = larger(seconds, larger(process[i].send, process[i].receive + process[i].latency));
    return seconds;
}

static double transfer(const xmpi_predictor_t *predictor, const xmpi_plan_t *plan,
                       process_t *process, int joiners)
{
    int olds = predictor->at.layout->members;
    place_processes(predictor, plan, process);
    for (int i = 0; i < predictor->moved; i++)
        add_array(predictor, plan, &predictor->array[i], process);
    add_replicated(predictor, olds, joiners, process);
    return last_done(process, olds + joiners);
}

xmpi_status_t xmpi_predict_redistribution(xmpi_predictor_t *predictor, const xmpi_plan_t *plan,
                                          double *seconds)
{
    int olds = predictor->at.layout->members, joiners = xmpi_plan_joiners(plan);
    bool same = joiners == 0 && plan->places == olds;
    process_t *process = calloc((size_t)olds + (size_t)joiners, sizeof *process);
    if (process == NULL)
        return XMPI_ERR_MEMORY;
    *seconds = transfer(predictor, plan, process, joiners);
    free(process);
    *seconds += xmpi_predict_agreement(predictor, same ? XMPI_AGREE_REBALANCE : XMPI_AGREE_SETTLE,
                                       olds + joiners);
    if (predictor->at.model != NULL)
        *seconds *= xmpi_correction(&predictor->at.model->redistribution[same],
                                    predictor->at.calibration->trust);
    return XMPI_OK;
}
