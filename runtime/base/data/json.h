/* SPDX-License-Identifier: BSD-3-Clause
 * cJSON, loaded when there is something to read or write in JSON. To be included by what calls it,
 * not by headers: whoever else uses cJSON has it linked. */
#ifndef XMPI_BASE_DATA_JSON_H
#define XMPI_BASE_DATA_JSON_H

#include <cjson/cJSON.h>

#include "base/process/library.h"

#define XMPI_JSON_CALLS(X)                                                                         \
    X(cJSON_AddArrayToObject)                                                                      \
    X(cJSON_AddBoolToObject)                                                                       \
    X(cJSON_AddItemToArray) X(cJSON_AddItemToObject) X(cJSON_AddNumberToObject)                    \
        X(cJSON_AddObjectToObject) X(cJSON_AddRawToObject) X(cJSON_AddStringToObject)              \
            X(cJSON_CreateArray) X(cJSON_CreateDoubleArray) X(cJSON_CreateNumber)                  \
                X(cJSON_CreateString) X(cJSON_CreateObject) X(cJSON_CreateRaw) X(cJSON_Delete)     \
                    X(cJSON_GetArrayItem) X(cJSON_GetObjectItemCaseSensitive)                      \
                        X(cJSON_GetStringValue) X(cJSON_IsNumber) X(cJSON_IsObject)                \
                            X(cJSON_IsString) X(cJSON_IsTrue) X(cJSON_Parse) X(cJSON_Print)        \
                                X(cJSON_PrintUnformatted) X(cJSON_free)

typedef struct {
    XMPI_JSON_CALLS(XMPI_LIBRARY_ADDRESS)
} xmpi_json_t;

/* The functions, when they have been loaded. */
extern xmpi_json_t xmpi_json;

xmpi_status_t xmpi_json_load(xmpi_error_t *error);

/* OBJECT, which is deleted, as a line with a newline; malloc. NULL: no memory. */
char *xmpi_json_line(cJSON *object);

#define cJSON_AddArrayToObject xmpi_json.cJSON_AddArrayToObject
#define cJSON_AddBoolToObject xmpi_json.cJSON_AddBoolToObject
#define cJSON_AddItemToArray xmpi_json.cJSON_AddItemToArray
#define cJSON_AddItemToObject xmpi_json.cJSON_AddItemToObject
#define cJSON_AddNumberToObject xmpi_json.cJSON_AddNumberToObject
#define cJSON_AddObjectToObject xmpi_json.cJSON_AddObjectToObject
#define cJSON_AddRawToObject xmpi_json.cJSON_AddRawToObject
#define cJSON_AddStringToObject xmpi_json.cJSON_AddStringToObject
#define cJSON_CreateArray xmpi_json.cJSON_CreateArray
#define cJSON_CreateDoubleArray xmpi_json.cJSON_CreateDoubleArray
#define cJSON_CreateNumber xmpi_json.cJSON_CreateNumber
#define cJSON_CreateObject xmpi_json.cJSON_CreateObject
#define cJSON_CreateRaw xmpi_json.cJSON_CreateRaw
#define cJSON_CreateString xmpi_json.cJSON_CreateString
#define cJSON_Delete xmpi_json.cJSON_Delete
#define cJSON_GetArrayItem xmpi_json.cJSON_GetArrayItem
#define cJSON_GetObjectItemCaseSensitive xmpi_json.cJSON_GetObjectItemCaseSensitive
#define cJSON_GetStringValue xmpi_json.cJSON_GetStringValue
#define cJSON_IsNumber xmpi_json.cJSON_IsNumber
#define cJSON_IsObject xmpi_json.cJSON_IsObject
#define cJSON_IsString xmpi_json.cJSON_IsString
#define cJSON_IsTrue xmpi_json.cJSON_IsTrue
#define cJSON_Parse xmpi_json.cJSON_Parse
#define cJSON_Print xmpi_json.cJSON_Print
#define cJSON_PrintUnformatted xmpi_json.cJSON_PrintUnformatted
#define cJSON_free xmpi_json.cJSON_free

#endif
