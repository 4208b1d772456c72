/* SPDX-License-Identifier: BSD-3-Clause
 * xmpi-info: what a bug report needs. */
#define _GNU_SOURCE
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

#include "info.h"
#include "tool/tool.h"

enum { KEY_PAGE = 300 };

typedef struct {
    bool page, only_settings;
} request_t;

static const struct argp_option options[] = {
    {"settings", 's', NULL, 0, "Only the settings, with their values and origins", 0},
    {"settings-page", KEY_PAGE, NULL, 0, "The reference of all settings, as Markdown", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    request_t *request = state->input;
    switch (key) {
    case 's':
        request->only_settings = true;
        return 0;
    case KEY_PAGE:
        request->page = true;
        return 0;
    case ARGP_KEY_ARG:
        tool_misuse("\"%s\" is one word too many", value);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse_option,
        NULL,
        "Says which XMPI and which MPI this is and what they can do here: what a bug report needs.",
        NULL,
        NULL,
        NULL};
    request_t request = {false, false};
    tool_parse(&argp, argc, argv, 0, &request);
    if (request.page) {
        info_settings_page();
        return TOOL_OK;
    }
    if (!request.only_settings) {
        printf("XMPI %s\n", XMPI_VERSION);
        info_mpi();
        info_counters();
        info_nodes();
        info_calibration();
    }
    return info_settings();
}
