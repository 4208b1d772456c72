/* SPDX-License-Identifier: BSD-3-Clause
 * cJSON, loaded when there is something to read or write in JSON. */
#include "base/json.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

xmpi_json_t xmpi_json;

static const char *const names[] = {XMPI_JSON_CALLS(XMPI_LIBRARY_NAME) NULL};

static xmpi_library_t library = {.file = "libcjson.so.1",
                                 .package = "libcjson1",
                                 .purpose = "reading and writing JSON",
                                 .name = names,
                                 .function = &xmpi_json};

xmpi_status_t xmpi_json_load(xmpi_error_t *error)
{
    return xmpi_library_load(&library, error);
}

char *xmpi_json_line(cJSON *object)
{
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    char *line = text != NULL ? realloc(text, strlen(text) + 2) : NULL;
    if (line != NULL)
        strcat(line, "\n");
    else
        free(text);
    return line;
}
