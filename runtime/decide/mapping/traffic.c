/* SPDX-License-Identifier: BSD-3-Clause
 * Traffic: the sparse matrix of who sends how much to whom. */
#include "decide/mapping/traffic.h"

#include <stdlib.h>
#include <string.h>

void xmpi_traffic_free(xmpi_traffic_t *traffic)
{
    free(traffic->first);
    free(traffic->talk);
    free(traffic->rest);
    *traffic = (xmpi_traffic_t){0};
}

/* An empty matrix with room for ENTRIES. */
static xmpi_status_t allocate(xmpi_traffic_t *traffic, int ranks, int64_t entries,
                              xmpi_error_t *error)
{
    traffic->ranks = ranks;
    traffic->first = calloc((size_t)ranks + 1, sizeof *traffic->first);
    traffic->talk = calloc((size_t)entries + 1, sizeof *traffic->talk);
    traffic->rest = calloc((size_t)ranks + 1, sizeof *traffic->rest);
    if (traffic->first != NULL && traffic->talk != NULL && traffic->rest != NULL)
        return XMPI_OK;
    xmpi_traffic_free(traffic);
    return xmpi_error_set(error, XMPI_ERR_MEMORY,
                          "there is no memory for who sends how much to whom");
}

static int by_peer(const void *a, const void *b)
{
    int32_t x = ((const xmpi_talk_t *)a)->peer, y = ((const xmpi_talk_t *)b)->peer;
    return (x > y) - (x < y);
}

/* Puts the N entries of RANK at the end of the matrix in their order, each peer once. */
static void close_row(xmpi_traffic_t *traffic, int rank, int64_t n)
{
    int64_t begin = traffic->first[rank], end = begin;
    xmpi_talk_t *talk = traffic->talk;
    qsort(talk + begin, (size_t)n, sizeof *talk, by_peer);
    for (int64_t i = begin; i < begin + n; i++) {
        if (talk[i].peer == rank || (talk[i].messages == 0 && talk[i].bytes == 0))
            continue;
        if (end > begin && talk[end - 1].peer == talk[i].peer) {
            talk[end - 1].messages += talk[i].messages;
            talk[end - 1].bytes += talk[i].bytes;
        } else {
            talk[end++] = talk[i];
        }
    }
    traffic->first[rank + 1] = end;
}

static xmpi_status_t check(int ranks, const int32_t *rows, const xmpi_talk_t *talk,
                           const int64_t *rest, xmpi_error_t *error)
{
    for (int rank = 0; rank < ranks; rank++) {
        if (rows[rank] < 0 || (rest != NULL && rest[rank] < 0))
            return xmpi_error_set(error, XMPI_ERR_INPUT, "what rank %d sends is negative", rank);
        for (int i = 0; i < rows[rank]; i++, talk++)
            if (talk->peer < 0 || talk->peer >= ranks || talk->messages < 0 || talk->bytes < 0)
                return xmpi_error_set(error, XMPI_ERR_INPUT, "rank %d cannot send to rank %d of %d",
                                      rank, talk->peer, ranks);
    }
    return XMPI_OK;
}

xmpi_status_t xmpi_traffic_make(xmpi_traffic_t *traffic, int ranks, const int32_t *rows,
                                const xmpi_talk_t *talk, const int64_t *rest, xmpi_error_t *error)
{
    int64_t entries = 0;
    *traffic = (xmpi_traffic_t){0};
    xmpi_status_t status = check(ranks, rows, talk, rest, error);
    for (int rank = 0; rank < ranks; rank++)
        entries += rows[rank];
    if (status == XMPI_OK)
        status = allocate(traffic, ranks, entries, error);
    if (status != XMPI_OK)
        return status;
    for (int rank = 0; rank < ranks; talk += rows[rank++]) {
        if (rows[rank] > 0)
            memcpy(traffic->talk + traffic->first[rank], talk, (size_t)rows[rank] * sizeof *talk);
        close_row(traffic, rank, rows[rank]);
        traffic->rest[rank] = rest != NULL ? rest[rank] : 0;
    }
    return XMPI_OK;
}

xmpi_talk_t xmpi_traffic_between(const xmpi_traffic_t *traffic, int from, int to)
{
    const xmpi_talk_t key = {.peer = to};
    const xmpi_talk_t *row = traffic->talk + traffic->first[from];
    size_t n = (size_t)(traffic->first[from + 1] - traffic->first[from]);
    const xmpi_talk_t *found = bsearch(&key, row, n, sizeof key, by_peer);
    return found != NULL ? *found : key;
}

/* Where the entries of each row of the graph begin, each row with room for both directions. */
static void make_room(const xmpi_traffic_t *traffic, int64_t *next)
{
    memset(next, 0, ((size_t)traffic->ranks + 1) * sizeof *next);
    for (int rank = 0; rank < traffic->ranks; rank++)
        for (int64_t i = traffic->first[rank]; i < traffic->first[rank + 1]; i++) {
            next[rank + 1]++;
            next[traffic->talk[i].peer + 1]++;
        }
    for (int rank = 0; rank < traffic->ranks; rank++)
        next[rank + 1] += next[rank];
}

xmpi_status_t xmpi_traffic_both_ways(const xmpi_traffic_t *traffic, xmpi_traffic_t *sum,
                                     xmpi_error_t *error)
{
    int ranks = traffic->ranks;
    int64_t entries = traffic->first[ranks];
    int64_t *next = malloc(((size_t)ranks + 1) * sizeof *next);
    int32_t *rows = malloc(((size_t)ranks + 1) * sizeof *rows);
    xmpi_talk_t *talk = malloc((2 * (size_t)entries + 1) * sizeof *talk);
    xmpi_status_t status = XMPI_ERR_MEMORY;
    *sum = (xmpi_traffic_t){0};
    if (next != NULL && rows != NULL && talk != NULL) {
        make_room(traffic, next);
        for (int rank = 0; rank < ranks; rank++)
            rows[rank] = (int32_t)(next[rank + 1] - next[rank]);
        for (int rank = 0; rank < ranks; rank++)
            for (int64_t i = traffic->first[rank]; i < traffic->first[rank + 1]; i++) {
                xmpi_talk_t there = traffic->talk[i], back = there;
                back.peer = rank;
                talk[next[rank]++] = there;
                talk[next[there.peer]++] = back;
            }
        status = xmpi_traffic_make(sum, ranks, rows, talk, traffic->rest, error);
        sum->iterations = traffic->iterations;
    } else {
        xmpi_error_set(error, status, "there is no memory for who sends how much to whom");
    }
    free(next);
    free(rows);
    free(talk);
    return status;
}

/* The rows of the ranks that are in the part; NUMBER: of each rank its number there, or -1. */
static void copy_part(const xmpi_traffic_t *traffic, int ranks, const int *rank, const int *number,
                      int32_t *rows, xmpi_talk_t *talk, int64_t *rest)
{
    for (int i = 0; i < ranks; i++) {
        rest[i] = traffic->rest[rank[i]];
        for (int64_t k = traffic->first[rank[i]]; k < traffic->first[rank[i] + 1]; k++) {
            xmpi_talk_t one = traffic->talk[k];
            one.peer = number[one.peer];
            if (one.peer < 0) {
                rest[i] += one.bytes;
                continue;
            }
            *talk++ = one;
            rows[i]++;
        }
    }
}

xmpi_status_t xmpi_traffic_part(const xmpi_traffic_t *traffic, int ranks, const int *rank,
                                xmpi_traffic_t *part, xmpi_error_t *error)
{
    int64_t entries = 0;
    for (int i = 0; i < ranks; i++)
        entries += traffic->first[rank[i] + 1] - traffic->first[rank[i]];
    int *number = malloc(((size_t)traffic->ranks + 1) * sizeof *number);
    int32_t *rows = calloc((size_t)ranks + 1, sizeof *rows);
    int64_t *rest = calloc((size_t)ranks + 1, sizeof *rest);
    xmpi_talk_t *talk = malloc(((size_t)entries + 1) * sizeof *talk);
    xmpi_status_t status = XMPI_ERR_MEMORY;
    *part = (xmpi_traffic_t){0};
    if (number != NULL && rows != NULL && rest != NULL && talk != NULL) {
        for (int i = 0; i < traffic->ranks; i++)
            number[i] = -1;
        for (int i = 0; i < ranks; i++)
            number[rank[i]] = i;
        copy_part(traffic, ranks, rank, number, rows, talk, rest);
        status = xmpi_traffic_make(part, ranks, rows, talk, rest, error);
        part->iterations = traffic->iterations;
    } else {
        xmpi_error_set(error, status, "there is no memory for who sends how much to whom");
    }
    free(number);
    free(rows);
    free(rest);
    free(talk);
    return status;
}

xmpi_talk_t xmpi_traffic_total(const xmpi_traffic_t *traffic, const int *group)
{
    xmpi_talk_t total = {0};
    for (int rank = 0; rank < traffic->ranks; rank++)
        for (int64_t i = traffic->first[rank]; i < traffic->first[rank + 1]; i++) {
            const xmpi_talk_t *talk = &traffic->talk[i];
            if (group != NULL && group[rank] == group[talk->peer])
                continue;
            total.messages += talk->messages;
            total.bytes += talk->bytes;
        }
    return total;
}

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

/* The bytes of the last one of the MOST that have most; at EQUAL how many that have as many are
 * among them. -1: no memory. */
static int64_t least_kept(const xmpi_traffic_t *traffic, int64_t most, int64_t *equal)
{
    int64_t entries = traffic->first[traffic->ranks];
    int64_t *bytes = malloc((size_t)entries * sizeof *bytes);
    if (bytes == NULL)
        return -1;
    for (int64_t i = 0; i < entries; i++)
        bytes[i] = traffic->talk[i].bytes;
    qsort(bytes, (size_t)entries, sizeof *bytes, by_size);
    int64_t least = bytes[most - 1];
    for (*equal = 0; *equal < most && bytes[most - 1 - *equal] == least;)
        ++*equal;
    free(bytes);
    return least;
}

xmpi_status_t xmpi_traffic_keep(xmpi_traffic_t *traffic, int64_t most)
{
    int64_t equal = 0, n = 0, i = 0;
    if (traffic->first[traffic->ranks] <= most)
        return XMPI_OK;
    int64_t least = most > 0 ? least_kept(traffic, most, &equal) : INT64_MAX;
    if (least < 0)
        return XMPI_ERR_MEMORY;
    for (int rank = 0; rank < traffic->ranks; rank++) {
        for (; i < traffic->first[rank + 1]; i++) {
            int64_t bytes = traffic->talk[i].bytes;
            if (bytes > least || (bytes == least && equal-- > 0))
                traffic->talk[n++] = traffic->talk[i];
            else
                traffic->rest[rank] += bytes;
        }
        traffic->first[rank + 1] = n;
    }
    return XMPI_OK;
}
