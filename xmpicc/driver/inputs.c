/* SPDX-License-Identifier: BSD-3-Clause
 * Looking for XMPI in what is to be compiled. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver/base/file.h"
#include "includes.h"
#include "inputs.h"
#include "driver/base/message.h"

/* Reads standard input to its end and puts a copy in its place. */
static char *read_standard_input(memory_t *memory, size_t *length)
{
    char *text = file_read_all(memory, STDIN_FILENO, length);
    int fd = memfd_create("stdin", 0);
    if (text == NULL || fd < 0)
        return NULL;
    for (size_t done = 0; done < *length;) {
        ssize_t put = write(fd, text + done, *length - done);
        if (put < 0 && errno != EINTR)
            return NULL;
        done += put > 0 ? (size_t)put : 0;
    }
    lseek(fd, 0, SEEK_SET);
    dup2(fd, STDIN_FILENO);
    close(fd);
    return text;
}

static bool is_read(const driver_t *driver, const input_t *input)
{
    if (input->language != LANGUAGE_C && input->language != LANGUAGE_CXX &&
        input->language != LANGUAGE_PREPROCESSED)
        return false;
    return strcmp(input->path, "-") != 0 || driver->invocation.goal < GOAL_PREPROCESS;
}

static int refuse(const input_t *input)
{
    const char *kind = "preprocessed text", *remedy = "compile the C file itself";
    if (strcmp(input->path, "-") == 0) {
        kind = "a source on standard input";
    } else if (input->language == LANGUAGE_CXX) {
        kind = "C++";
        remedy = "move the loop to a C file";
    }
    return complain("%s: #pragma xmpi in %s is not supported: %s, or use --xmpi-link-only",
                    strcmp(input->path, "-") == 0 ? "<stdin>" : input->path, kind, remedy);
}

/* What is linked. */
static void look_into_object(const driver_t *driver, input_t *input)
{
    size_t length;
    if (driver->invocation.goal != GOAL_LINK || input->language != LANGUAGE_NONE)
        return;
    const char *content = file_read(driver->memory, input->path, &length);
    input->moves = content != NULL && source_may_move(content, length);
}

static int look_into(driver_t *driver, input_t *input)
{
    size_t length;
    if (!is_read(driver, input)) {
        look_into_object(driver, input);
        return 0;
    }
    bool standard = strcmp(input->path, "-") == 0;
    const char *text = standard ? read_standard_input(driver->memory, &length)
                                : file_read(driver->memory, input->path, &length);
    if (text == NULL)
        return standard ? complain("cannot read standard input: %s", strerror(errno)) : 0;
    input->mentions_xmpi = source_mentions_xmpi(text, length);
    input->moves = source_may_move(text, length);
    if (driver->settings.link_only || driver->invocation.goal >= GOAL_PREPROCESS)
        return 0;
    if (input->language != LANGUAGE_C || standard)
        return source_has_pragma_line(text) ? refuse(input) : 0;
    input->has_pragma =
        source_may_have_pragma(text, length) || includes_have_pragma(driver, input, text);
    return 0;
}

/* Who asks for a report and hears nothing does not know why. */
static void report_plain(const driver_t *driver)
{
    const invocation_t *invocation = &driver->invocation;
    for (size_t i = 0; i < invocation->input_count && driver->settings.report; i++)
        if (invocation->inputs[i].language == LANGUAGE_C && !invocation->inputs[i].has_pragma)
            fprintf(stderr, "%s: remark: no #pragma xmpi: compiled as it is\n",
                    invocation->inputs[i].path);
}

int inputs_look_into(driver_t *driver, size_t *rewritten)
{
    *rewritten = 0;
    for (size_t i = 0; i < driver->invocation.input_count; i++) {
        int status = look_into(driver, &driver->invocation.inputs[i]);
        if (status != 0)
            return status;
        *rewritten += driver->invocation.inputs[i].has_pragma;
    }
    report_plain(driver);
    if (*rewritten > 1 && driver->settings.report_file != NULL)
        return complain("--xmpi-report=%s is for one source, but the command compiles %zu with "
                        "#pragma xmpi: compile them one by one",
                        driver->settings.report_file, *rewritten);
    return 0;
}
