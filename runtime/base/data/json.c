/* SPDX-License-Identifier: BSD-3-Clause
 * cJSON, loaded when there is something to read or write in JSON. */
#include "base/data/json.h"

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

/* (The library's memory is that of the C library, or of functions that the program has given it:
 * the allocator of the program, which this library uses, may be another one.) */
char *xmpi_json_line(cJSON *object)
{
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    size_t length = text != NULL ? strlen(text) : 0;
    char *line = text != NULL ? malloc(length + 2) : NULL;
    if (line != NULL) {
        memcpy(line, text, length);
        strcpy(line + length, "\n");
    }
    cJSON_free(text);
    return line;
}
