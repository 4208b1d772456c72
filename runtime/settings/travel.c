/* SPDX-License-Identifier: BSD-3-Clause
 * Settings on their way to other processes. */
#include "settings/settings.h"

#include <string.h>

static size_t size_of(const xmpi_setting_t *setting)
{
    return setting->type == XMPI_SETTING_CHOICE ? sizeof(int) : sizeof(int64_t);
}

void xmpi_settings_put(xmpi_pack_t *pack, const xmpi_settings_t *settings)
{
    size_t length;
    const xmpi_setting_t *table = xmpi_settings_table(&length);
    for (size_t i = 0; i < length; i++) {
        const char *value = (const char *)settings + table[i].offset;
        if (table[i].type == XMPI_SETTING_TEXT)
            xmpi_pack_put_text(pack, value);
        else
            xmpi_pack_put(pack, value, size_of(&table[i]));
    }
    xmpi_pack_put_text(pack, settings->folder);
    xmpi_pack_put(pack, &settings->goal, sizeof settings->goal);
    xmpi_pack_put(pack, &settings->given, sizeof settings->given);
    xmpi_pack_put(pack, &settings->by_pragma, sizeof settings->by_pragma);
}

static void get_text(xmpi_pack_t *pack, char *to)
{
    const char *text = xmpi_pack_view_text(pack);
    if (text != NULL && strlen(text) < XMPI_TEXT_MAX)
        strcpy(to, text);
    else if (pack->status == XMPI_OK)
        pack->status = XMPI_ERR_INTERNAL;
}

static void get_choice(xmpi_pack_t *pack, const xmpi_setting_t *setting, int *to)
{
    int choices = 1;
    for (const char *c = setting->choices; *c != '\0'; c++)
        choices += *c == ' ';
    xmpi_pack_get(pack, to, sizeof *to);
    if ((*to < 0 || *to >= choices) && pack->status == XMPI_OK)
        pack->status = XMPI_ERR_INTERNAL;
}

void xmpi_settings_get(xmpi_pack_t *pack, xmpi_settings_t *settings)
{
    size_t length;
    const xmpi_setting_t *table = xmpi_settings_table(&length);
    memset(settings, 0, sizeof *settings);
    for (size_t i = 0; i < length; i++) {
        void *to = (char *)settings + table[i].offset;
        if (table[i].type == XMPI_SETTING_TEXT)
            get_text(pack, to);
        else if (table[i].type == XMPI_SETTING_CHOICE)
            get_choice(pack, &table[i], to);
        else
            xmpi_pack_get(pack, to, size_of(&table[i]));
    }
    get_text(pack, settings->folder);
    xmpi_pack_get(pack, &settings->goal, sizeof settings->goal);
    xmpi_pack_get(pack, &settings->given, sizeof settings->given);
    xmpi_pack_get(pack, &settings->by_pragma, sizeof settings->by_pragma);
}
