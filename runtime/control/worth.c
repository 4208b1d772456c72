/* SPDX-License-Identifier: BSD-3-Clause
 * What numbers of members are worth, as a message. */
#include "control/worth.h"

#include <float.h>
#include <math.h>

#include "base/data/json.h"

enum { MEMBERS_MAX = 1000000 };

char *xmpi_worth_line(int members, const xmpi_claimant_t *claim)
{
    if (xmpi_json_load(NULL) != XMPI_OK)
        return NULL;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddBoolToObject(object, "ok", 1);
    cJSON_AddNumberToObject(object, "members", members);
    if (isfinite(claim->due))
        cJSON_AddNumberToObject(object, "due", claim->due);
    cJSON *list = cJSON_AddArrayToObject(object, "worth");
    for (int i = 0; i < claim->options; i++) {
        cJSON *option = cJSON_CreateObject();
        cJSON_AddNumberToObject(option, "members", claim->option[i].members);
        cJSON_AddNumberToObject(option, "seconds", claim->option[i].seconds);
        cJSON_AddItemToArray(list, option);
    }
    return xmpi_json_line(object);
}

/* The number NAME of OBJECT if it is from LEAST to MOST; NAN. */
static double number_of(const cJSON *object, const char *name, double least, double most)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    double value = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    return value >= least && value <= most ? value : NAN;
}

/* A number of members above BEFORE; 0: it is none. */
static int members_of(const cJSON *object, int before)
{
    double value = number_of(object, "members", before + 1, MEMBERS_MAX);
    return isnan(value) || floor(value) < value ? 0 : (int)value;
}

static bool read_options(const cJSON *list, xmpi_worth_t *option, int *options)
{
    const cJSON *item;
    int before = 0;
    *options = 0;
    if (list == NULL)
        return false;
    for (item = list->child; item != NULL; item = item->next) {
        double seconds = number_of(item, "seconds", 0, DBL_MAX);
        int members = members_of(item, before);
        if (members == 0 || isnan(seconds) || *options == XMPI_WORTHS_MAX)
            return false;
        option[(*options)++] = (xmpi_worth_t){members, seconds};
        before = members;
    }
    return true;
}

bool xmpi_worth_read(const char *line, int *members, xmpi_worth_t *option, xmpi_claimant_t *claim)
{
    if (xmpi_json_load(NULL) != XMPI_OK)
        return false;
    cJSON *object = cJSON_Parse(line);
    const cJSON *due = cJSON_GetObjectItemCaseSensitive(object, "due");
    *claim = (xmpi_claimant_t){.option = option,
                               .due = cJSON_IsNumber(due) ? due->valuedouble : INFINITY};
    *members = members_of(object, 0);
    bool whole = *members > 0 && read_options(cJSON_GetObjectItemCaseSensitive(object, "worth"),
                                              option, &claim->options);
    cJSON_Delete(object);
    return whole;
}
