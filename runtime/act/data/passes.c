/* SPDX-License-Identifier: BSD-3-Clause
 * How often an iteration goes through the registered arrays. */
#include "act/data/passes.h"

#include <string.h>

#include "base/data/json.h"

enum { MOST = 1 << 20 };

static bool names(const cJSON *list, const char *array)
{
    for (const cJSON *name = list != NULL ? list->child : NULL; name != NULL; name = name->next)
        if (cJSON_IsString(name) && strcmp(cJSON_GetStringValue(name), array) == 0)
            return true;
    return false;
}

/* Adds what STAGE does with ARRAY; false where it is not known how often. What is written must be
 * in memory, too: a page of a file is read before some of it is changed. */
static bool add_stage(const cJSON *stage, xmpi_array_t *array)
{
    const cJSON *passes = cJSON_GetObjectItemCaseSensitive(stage, "passes");
    double times = cJSON_IsNumber(passes) ? passes->valuedouble : 1;
    bool reads = names(cJSON_GetObjectItemCaseSensitive(stage, "reads"), array->name);
    bool writes = names(cJSON_GetObjectItemCaseSensitive(stage, "writes"), array->name);
    if (!reads && !writes)
        return true;
    if (!(times >= 1) || times > MOST - array->reads || times > MOST - array->writes)
        return false;
    array->reads += (int)times;
    array->writes += writes ? (int)times : 0;
    return true;
}

static void count(const cJSON *structure, xmpi_array_t *array)
{
    bool known = true;
    const cJSON *sections = cJSON_GetObjectItemCaseSensitive(structure, "sections");
    for (const cJSON *section = sections != NULL ? sections->child : NULL; section != NULL;
         section = section->next) {
        const cJSON *stages = cJSON_GetObjectItemCaseSensitive(section, "stages");
        for (const cJSON *stage = stages != NULL ? stages->child : NULL; stage != NULL;
             stage = stage->next)
            known = known && add_stage(stage, array);
    }
    if (!known)
        array->reads = array->writes = 0;
}

static bool is_of(const cJSON *structure, const char *loop)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(structure, "loop");
    return cJSON_IsString(name) && strcmp(cJSON_GetStringValue(name), loop) == 0;
}

void xmpi_passes_count(xmpi_registry_t *registry, const char *const *structure, int n,
                       const char *loop)
{
    xmpi_error_t error;
    for (int i = 0; i < registry->arrays; i++)
        registry->array[i].reads = registry->array[i].writes = 0;
    if (n == 0 || xmpi_json_load(&error) != XMPI_OK)
        return;
    for (int k = 0; k < n; k++) {
        cJSON *parsed = strstr(structure[k], loop) != NULL ? cJSON_Parse(structure[k]) : NULL;
        if (parsed != NULL && is_of(parsed, loop))
            for (int i = 0; i < registry->arrays; i++)
                count(parsed, &registry->array[i]);
        cJSON_Delete(parsed);
    }
}
