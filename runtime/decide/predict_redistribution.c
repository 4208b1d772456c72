/* SPDX-License-Identifier: BSD-3-Clause
 * The prediction model: redistribution of data.
 *
 * Thesis Eqs 5.8 to 5.10 price the collective operations that FLEX-MPI moves everything with. Here
 * only rows that change owner move, so that the messages of the transfer plan are priced: each
 * process sends and receives one message at a time, both at once, and the last one to be done makes
 * the time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decide/predict_parts.h"

xmpi_status_t xmpi_predictor_sort_arrays(xmpi_predictor_t *predictor)
{
    const xmpi_situation_t *at = &predictor->at;
    predictor->array = calloc((size_t)at->arrays + 1, sizeof *predictor->array);
    if (predictor->array == NULL)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < at->arrays; i++) {
        if (at->array[i].scheme == XMPI_SCHEME_REPLICATED) {
            predictor->replicated++;
            predictor->replicated_bytes += (double)at->array[i].rows * at->array[i].row_bytes;
        } else {
            predictor->array[predictor->divided++] = at->array[i];
            predictor->row_bytes += at->array[i].row_bytes;
        }
    }
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

/* A message for each array, as long as its rows are. */
static messages_t pair_messages(const xmpi_predictor_t *predictor, xmpi_link_class_t which,
                                double bytes)
{
    messages_t all = {0, 0};
    for (int i = 0; i < predictor->divided && predictor->row_bytes > 0; i++) {
        double part = predictor->array[i].row_bytes / predictor->row_bytes;
        messages_t m = messages(predictor, which, 1, part * bytes);
        all.latency += m.latency;
        all.transfer += m.transfer;
    }
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

static void add_pairs(const xmpi_predictor_t *predictor, const xmpi_transfer_size_t *size,
                      process_t *process)
{
    const xmpi_calibration_t *calibration = predictor->at.calibration;
    for (int64_t i = 0; i < size->pairs; i++) {
        const xmpi_transfer_pair_t *pair = &size->pair[i];
        bool together = process[pair->from].node == process[pair->to].node;
        messages_t m =
            pair_messages(predictor, together ? XMPI_LINK_NODE : XMPI_LINK_NETWORK, pair->bytes);
        process[pair->from].send += m.latency + m.transfer;
        process[pair->to].receive += m.transfer + pair->bytes * calibration->fresh;
        process[pair->to].latency = fmax(process[pair->to].latency, m.latency);
    }
}

/* Each joiner gets all of every replicated array, an equal share from each of the OLDS. */
static void add_replicated(const xmpi_predictor_t *predictor, int olds, int joiners,
                           process_t *process)
{
    const xmpi_calibration_t *calibration = predictor->at.calibration;
    double share = predictor->replicated_bytes / olds;
    messages_t m = messages(predictor, XMPI_LINK_NETWORK, predictor->replicated, share);
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
        seconds = fmax(seconds, fmax(process[i].send, process[i].receive + process[i].latency));
    return seconds;
}

static xmpi_status_t transfer(const xmpi_predictor_t *predictor, const xmpi_plan_t *plan,
                              process_t *process, int joiners, double *seconds)
{
    xmpi_transfer_size_t size;
    int olds = predictor->at.layout->members;
    xmpi_status_t status = xmpi_transfer_size_of_plan(predictor->at.layout, plan,
                                                      predictor->divided, predictor->array, &size);
    if (status != XMPI_OK)
        return status;
    place_processes(predictor, plan, process);
    add_pairs(predictor, &size, process);
    add_replicated(predictor, olds, joiners, process);
    *seconds = last_done(process, olds + joiners);
    xmpi_transfer_size_free(&size);
    return XMPI_OK;
}

xmpi_status_t xmpi_predict_redistribution(xmpi_predictor_t *predictor, const xmpi_plan_t *plan,
                                          double *seconds)
{
    int olds = predictor->at.layout->members, joiners = xmpi_plan_joiners(plan);
    bool same = joiners == 0 && plan->places == olds;
    process_t *process = calloc((size_t)olds + (size_t)joiners, sizeof *process);
    if (process == NULL)
        return XMPI_ERR_MEMORY;
    xmpi_status_t status = transfer(predictor, plan, process, joiners, seconds);
    free(process);
    *seconds += xmpi_predict_agreement(predictor, same ? XMPI_AGREE_REBALANCE : XMPI_AGREE_SETTLE,
                                       olds + joiners);
    if (predictor->at.model != NULL)
        *seconds *= xmpi_correction(&predictor->at.model->redistribution[same],
                                    predictor->at.calibration->trust);
    return status;
}
