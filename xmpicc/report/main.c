/* SPDX-License-Identifier: BSD-3-Clause
 * xmpi-report: a trace as a page, as SVG files, for Perfetto, or as CSV. */
#define _GNU_SOURCE
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool/tool.h"
#include "write.h"

typedef enum { FORM_PAGE, FORM_CSV, FORM_CHROME, FORM_SVG } form_t;

typedef struct {
    const char *trace;
    const char *output; /* NULL: by the name of the trace */
    form_t form;
} request_t;

static const char *const endings[] = {".html", ".csv", ".chrome.json", ".figures"};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0,
     "Write to FILE (- for standard output; a folder with --svg) instead of beside the trace", 0},
    {"csv", 'c', NULL, 0, "Write comma-separated values: a line for each interval and member", 0},
    {"chrome", 'C', NULL, 0, "Write Chrome's trace format, which ui.perfetto.dev opens", 0},
    {"svg", 's', NULL, 0, "Write each figure as an SVG file into a folder (needs node)", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    request_t *request = state->input;
    switch (key) {
    case 'o':
        request->output = value;
        return 0;
    case 'c':
        request->form = FORM_CSV;
        return 0;
    case 'C':
        request->form = FORM_CHROME;
        return 0;
    case 's':
        request->form = FORM_SVG;
        return 0;
    case ARGP_KEY_ARG:
        if (request->trace != NULL)
            tool_misuse("one trace at a time, and \"%s\" is a second one", value);
        request->trace = value;
        return 0;
    case ARGP_KEY_END:
        if (request->trace == NULL)
            tool_misuse("no trace: a run writes one to the file that XMPI_TRACE names");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int write_form(const request_t *request, const events_t *events, FILE *file)
{
    if (request->form == FORM_CSV)
        return write_csv(events, file);
    if (request->form == FORM_CHROME)
        return write_chrome(events, file);
    return write_page(events, file);
}

/* A file that was not there: whatever others have put into this folder, a link say, is not written
 * through. Its NAME is malloc. */
static FILE *create_beside(const char *output, char **name)
{
    enum { TRIES = 100 };
    for (int i = 0, fd; i < TRIES; i++) {
        if (asprintf(name, "%s.%ld-%d.new", output, (long)getpid(), i) < 0) {
            *name = NULL;
            return NULL;
        }
        fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd >= 0)
            return fdopen(fd, "w");
        int reason = errno;
        free(*name);
        *name = NULL;
        errno = reason;
        if (errno != EEXIST)
            return NULL;
    }
    return NULL;
}

/* A device, as /dev/null, or a pipe: written to, and never replaced. (A link is neither.) */
static bool is_device(const char *output)
{
    struct stat info;
    return lstat(output, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode);
}

/* A new file that takes its name when it is complete. */
static int write_file(const request_t *request, const events_t *events, const char *output)
{
    char *unfinished = NULL;
    if (strcmp(output, "-") == 0)
        return write_form(request, events, stdout);
    FILE *file = is_device(output) ? fopen(output, "we") : create_beside(output, &unfinished);
    int status = file == NULL ? tool_complain("%s: %s", output, strerror(errno))
                              : write_form(request, events, file);
    if (file != NULL && (fflush(file) != 0 || ferror(file)))
        status = tool_complain("%s: %s", output, strerror(errno));
    if (file != NULL)
        fclose(file);
    if (status == TOOL_OK && unfinished != NULL && rename(unfinished, output) != 0)
        status = tool_complain("%s: %s", output, strerror(errno));
    if (status != TOOL_OK && file != NULL && unfinished != NULL)
        unlink(unfinished);
    free(unfinished);
    return status;
}

static int report(const request_t *request)
{
    events_t events;
    char *output = NULL, why[EVENTS_WHY_MAX];
    int status = events_read(request->trace, &events, why);
    if (status != TOOL_OK)
        tool_complain("%s", why);
    if (status == TOOL_OK) {
        const char *name = strcmp(request->trace, "-") == 0 ? "report" : request->trace;
        if (asprintf(&output, "%s%s", request->output != NULL ? request->output : name,
                     request->output != NULL ? "" : endings[request->form]) < 0)
            return tool_complain("no memory");
        status = request->form == FORM_SVG ? write_svg(&events, output)
                                           : write_file(request, &events, output);
        if (status == TOOL_OK && strcmp(output, "-") != 0)
            printf("%s\n", output);
    }
    free(output);
    events_free(&events);
    return status;
}

int main(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse_option,
        "TRACE",
        "Turns a trace of XMPI into one self-contained HTML page, TRACE.html, that shows what the "
        "program did and why.",
        NULL,
        NULL,
        NULL};
    request_t request = {NULL, NULL, FORM_PAGE};
    tool_parse(&argp, argc, argv, 0, &request);
    return report(&request);
}
