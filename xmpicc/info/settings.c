/* SPDX-License-Identifier: BSD-3-Clause
 * The settings. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "info.h"
#include "tool/tool.h"
#include "settings/settings.h"

int info_settings(void)
{
    size_t length;
    xmpi_settings_t settings;
    xmpi_error_t error;
    const xmpi_setting_t *table = xmpi_settings_table(&length);
    printf("Settings\n");
    for (size_t i = 0; i < length; i++) {
        const char *value = getenv(table[i].name);
        printf("  %-22s %-24s %s\n", table[i].name,
               value != NULL                  ? value
               : table[i].standard[0] != '\0' ? table[i].standard
                                              : "-",
               value != NULL ? "environment" : "default");
    }
    xmpi_settings_warn_unknown(environ, stdout);
    fflush(stdout);
    if (xmpi_settings_read(environ, &settings, &error) == XMPI_OK)
        return TOOL_OK;
    return tool_complain("%s", error.text);
}

static void print_range(const xmpi_setting_t *setting)
{
    if (setting->type == XMPI_SETTING_CHOICE)
        printf("%s", setting->choices);
    else if (setting->type != XMPI_SETTING_TEXT)
        printf("%.10g to %.10g%s", setting->least, setting->most,
               setting->type == XMPI_SETTING_MIB || setting->type == XMPI_SETTING_REAL_MIB
                   ? " MiB, also 512K, 512M, 4G or 1T"
                   : "");
}

/* A | in a cell of a table would end it. */
static void print_cell(const char *text)
{
    for (; *text != '\0'; text++)
        printf(*text == '|' ? "\\|" : "%c", *text);
}

void info_settings_page(void)
{
    size_t length;
    const xmpi_setting_t *table = xmpi_settings_table(&length);
    printf(
        "# Settings\n\n"
        "Every setting is a variable of the environment, and an option of `xmpirun`: `XMPI_MAX=8`\n"
        "is `xmpirun --max 8`. But `XMPI_ACTIVE`, `XMPI_NODE` and `XMPI_SPENT` are none: `xmpirun` "
        "sets\n"
        "what it needs of them (`--spares`), and `--restart` is `XMPI_RESTART=1`. `XMPI_RSH`, the "
        "remote\n"
        "shell by which other nodes are reached (`ssh`), is a variable alone, also of `xmpictl` "
        "and\n"
        "`xmpi-share`. `xmpi-info` shows the settings in force. (This page is the output of\n"
        "`xmpi-info --settings-page`.)\n\n"
        "| setting | default | range | meaning |\n|---|---|---|---|\n");
    for (size_t i = 0; i < length; i++) {
        printf("| `%s` | ", table[i].name);
        if (table[i].standard[0] != '\0')
            printf("`%s`", table[i].standard);
        printf(" | ");
        print_range(&table[i]);
        printf(" | ");
        print_cell(table[i].help);
        printf(" |\n");
    }
}
