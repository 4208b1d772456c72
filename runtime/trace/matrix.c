/* SPDX-License-Identifier: BSD-3-Clause
 * Who sends how much to whom, as JSON. */
#include "trace/matrix.h"

#include "base/data/json.h"

static void add_row(cJSON *rows, const xmpi_traffic_t *traffic, int rank)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddNumberToObject(row, "rank", rank);
    if (traffic->rest[rank] > 0)
        cJSON_AddNumberToObject(row, "rest", (double)traffic->rest[rank]);
    cJSON *peers = cJSON_AddArrayToObject(row, "peers");
    cJSON *messages = cJSON_AddArrayToObject(row, "messages");
    cJSON *bytes = cJSON_AddArrayToObject(row, "bytes");
    for (int64_t i = traffic->first[rank]; i < traffic->first[rank + 1]; i++) {
        const xmpi_talk_t *talk = &traffic->talk[i];
        cJSON_AddItemToArray(peers, cJSON_CreateNumber(talk->peer));
        cJSON_AddItemToArray(messages, cJSON_CreateNumber((double)talk->messages));
        cJSON_AddItemToArray(bytes, cJSON_CreateNumber((double)talk->bytes));
    }
    cJSON_AddItemToArray(rows, row);
}

void xmpi_matrix_add(cJSON *object, const xmpi_traffic_t *traffic)
{
    cJSON_AddNumberToObject(object, "iterations", (double)traffic->iterations);
    cJSON_AddNumberToObject(object, "members", traffic->ranks);
    cJSON *rows = cJSON_AddArrayToObject(object, "rows");
    for (int rank = 0; rank < traffic->ranks; rank++)
        if (traffic->first[rank] < traffic->first[rank + 1] || traffic->rest[rank] > 0)
            add_row(rows, traffic, rank);
}
