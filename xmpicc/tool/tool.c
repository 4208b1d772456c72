/* SPDX-License-Identifier: BSD-3-Clause
 * What the commands beside xmpicc share. */
#define _GNU_SOURCE
#include "tool.h"

#include <argp.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void say(const char *format, va_list arguments)
{
    fprintf(stderr, "%s: ", program_invocation_short_name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

int tool_complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    return TOOL_MISUSED;
}

void tool_misuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    exit(TOOL_MISUSED);
}

double tool_number(const char *name, const char *text, double least)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= least && value <= 1e6))
        tool_misuse("--%s: expected a number from %g to 1000000, not \"%s\"", name, least, text);
    return value;
}

bool tool_find(const char *folder, const char *file, char *path)
{
    char self[TOOL_PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    for (int up = 0; up < 2; up++) { /* PREFIX/bin/command */
        char *slash = strrchr(self, '/');
        if (slash != NULL)
            *slash = '\0';
    }
    snprintf(path, TOOL_PATH_MAX, "%.2000s/%s/%s", self, folder, file);
    return access(path, R_OK) == 0;
}

int tool_installed(const char *folder, const char *file, char *path)
{
    if (tool_find(folder, file, path))
        return TOOL_OK;
    return tool_complain("%s: %s; install XMPI again (make install)", path, strerror(errno));
}

static void print_version(FILE *file, struct argp_state *state)
{
    (void)state;
    fprintf(file, "%s (XMPI) %s\n", program_invocation_short_name, XMPI_VERSION);
}

/* What getopt says of an option is one line; without a stream argp adds no second one to it. */
static error_t be_brief(int key, char *value, struct argp_state *state)
{
    (void)value;
    if (key == ARGP_KEY_INIT) {
        state->err_stream = NULL;
        state->child_inputs[0] = state->input;
    }
    return key == ARGP_KEY_INIT ? 0 : ARGP_ERR_UNKNOWN;
}

void tool_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input)
{
    struct argp inner = {argp->options, argp->parser, NULL, NULL, NULL, NULL, NULL};
    const struct argp_child children[] = {{&inner, 0, NULL, 0}, {0}};
    const struct argp brief = {NULL, be_brief, argp->args_doc, argp->doc, children, NULL, NULL};
    argp_program_version_hook = print_version;
    argp_err_exit_status = TOOL_MISUSED;
    if (argp_parse(&brief, argc, argv, flags, NULL, input) != 0)
        exit(TOOL_MISUSED);
}
