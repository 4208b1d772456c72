/* SPDX-License-Identifier: BSD-3-Clause
 * The last lines of a job. */
#include "control/log.h"

#include "base/data/json.h"

void xmpi_log_say(xmpi_log_t *log, const xmpi_log_line_t *line)
{
    log->line[log->lines++ % XMPI_LOG_LINES] = *line;
}

static cJSON *object_of(const xmpi_log_line_t *line, int64_t number)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "number", (double)number);
    cJSON_AddNumberToObject(object, "time", line->seconds);
    cJSON_AddNumberToObject(object, "iteration", (double)line->iteration);
    if (line->request > 0) {
        cJSON_AddNumberToObject(object, "request", (double)line->request);
        cJSON_AddBoolToObject(object, "refused", line->refused);
    }
    cJSON_AddStringToObject(object, "text", line->text);
    return object;
}

char *xmpi_log_answer(const xmpi_log_t *log, int64_t known)
{
    if (xmpi_json_load(NULL) != XMPI_OK)
        return NULL;
    int64_t gone = log->lines > XMPI_LOG_LINES ? log->lines - XMPI_LOG_LINES : 0;
    int64_t from = known > gone ? known : gone;
    cJSON *answer = cJSON_CreateObject();
    cJSON_AddBoolToObject(answer, "ok", 1);
    cJSON_AddNumberToObject(answer, "said", (double)log->lines);
    cJSON *lines = cJSON_AddArrayToObject(answer, "lines");
    for (int64_t i = from; i < log->lines; i++)
        cJSON_AddItemToArray(lines, object_of(&log->line[i % XMPI_LOG_LINES], i + 1));
    return xmpi_json_line(answer);
}
