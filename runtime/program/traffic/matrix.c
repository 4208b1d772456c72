/* SPDX-License-Identifier: BSD-3-Clause
 * Telling who sends how much to whom. */
#include "program/traffic/matrix.h"

#include "act/world/world.h"
#include "base/data/json.h"
#include "control/endpoint.h"
#include "program/traffic/traffic.h"
#include "trace/matrix.h"
#include "trace/trace.h"

/* What a request for it is answered with; malloc. NULL: no memory, or the library of JSON is not
 * there. */
static char *answer(const xmpi_context_t *context, const xmpi_traffic_t *traffic)
{
    const xmpi_shared_t *shared = &context->shared;
    if (xmpi_json_load(NULL) != XMPI_OK)
        return NULL;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddBoolToObject(object, "ok", 1);
    cJSON_AddNumberToObject(object, "iteration", (double)context->progress.iteration);
    cJSON *nodes = cJSON_AddArrayToObject(object, "nodes");
    for (int i = 0; i < traffic->ranks; i++)
        cJSON_AddItemToArray(nodes, cJSON_CreateString(xmpi_shared_pe(shared, i)->node));
    xmpi_matrix_add(object, traffic);
    return xmpi_json_line(object);
}

void xmpi_matrix_tell(xmpi_context_t *context)
{
    xmpi_traffic_t traffic;
    xmpi_status_t status = xmpi_traffic_gather(context, &traffic);
    if (status == XMPI_OK && xmpi_leads())
        status = xmpi_traffic_keep(&traffic, XMPI_MATRIX_ENTRIES);
    if (xmpi_leads() && status == XMPI_OK)
        xmpi_trace_matrix(&context->trace, &context->shared, context->progress.iteration, &traffic);
    if (xmpi_leads() && context->asked_matrix)
        xmpi_endpoint_answer(context->endpoint, XMPI_LATER_MATRIX,
                             status == XMPI_OK ? answer(context, &traffic) : NULL);
    context->asked_matrix = false;
    xmpi_traffic_free(&traffic);
}

void xmpi_matrix_end(xmpi_context_t *context)
{
    if (context->shared.settings.matrix != 0 && context->laid_out && !context->hand.used)
        xmpi_matrix_tell(context);
}
