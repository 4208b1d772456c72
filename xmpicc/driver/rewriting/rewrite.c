/* SPDX-License-Identifier: BSD-3-Clause
 * Having sources rewritten, and what is said when one cannot be. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/rewriting/assemble.h"
#include "driver/base/file.h"
#include "driver/rewriting/language.h"
#include "driver/base/message.h"
#include "driver/rewriting/rewrite.h"
#include "driver/rewriting/rewrite_command.h"
#include "driver/rewriting/verbose.h"

/* __TIMESTAMP__ is that of the user's file. */
static void copy_time(const char *from, const char *to)
{
    struct stat info;
    if (stat(from, &info) == 0)
        utimensat(AT_FDCWD, to, (struct timespec[]){info.st_atim, info.st_mtim}, 0);
}

/* Two sources of the same name would be kept as one file. */
static bool is_kept_twice(const driver_t *driver, size_t input, const char *kept)
{
    for (size_t i = 0; i < input; i++)
        if (driver->workspace.texts[i] != NULL && strcmp(rewrite_kept_name(driver, i), kept) == 0)
            return true;
    return false;
}

static const char *in_quotes(memory_t *memory, const char *text)
{
    char *result = memory_get(memory, 2 * strlen(text) + 1), *to = result;
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            *to++ = '\\';
        *to++ = *text;
    }
    *to = '\0';
    return result;
}

int rewrite_keep(const driver_t *driver, size_t input, const char *text)
{
    size_t length;
    const char *content = file_read(driver->memory, text, &length);
    const char *kept = rewrite_kept_name(driver, input);
    if (is_kept_twice(driver, input, kept))
        return complain("two sources would be kept as %s: compile them one by one, with a "
                        "--xmpi-keep=FOLDER for each",
                        kept);
    if (content == NULL || file_replace(driver->memory, kept, content, length) != 0)
        return complain("cannot keep %s: %s", kept, strerror(errno));
    const char *line =
        memory_format(driver->memory, "#line 1 \"%s\"\n", in_quotes(driver->memory, kept));
    size_t before = strlen(line);
    char *named = memory_get(driver->memory, before + length);
    memcpy(named, line, before);
    memcpy(named + before, content, length);
    if (file_replace(driver->memory, text, named, before + length) != 0)
        return complain("cannot write %s: %s", text, strerror(errno));
    return 0;
}

/* Has the compiler parse the original; its exit status. */
static int parse_quietly(driver_t *driver, const words_t *check)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int status = run(&driver->runner, check, (streams_t){.out = nowhere, .err = nowhere});
    close(nowhere);
    return status;
}

/* What the compiler itself says of the original: 0 when it has no objection, else the exit status
 * after its messages. */
static int ask_compiler(driver_t *driver, size_t input)
{
    words_t check = assemble_syntax_check(driver, input);
    int status = parse_quietly(driver, &check);
    return status == 0 ? 0 : run(&driver->runner, &check, (streams_t){.out = -1, .err = -1});
}

/* Who lists what is compiled by watching processes (bear, intercept-build: they preload a library)
 * knows compilers by their names, and leaves out files that are gone afterwards, as the rewritten
 * text is. So the compiler is shown the original as well, where something is preloaded; it makes
 * nothing of it. */
static void show_to_watchers(driver_t *driver, size_t input)
{
    const char *preloaded = getenv("LD_PRELOAD");
    if (preloaded == NULL || *preloaded == '\0')
        return;
    words_t check = assemble_syntax_check(driver, input);
    parse_quietly(driver, &check);
}

static void say_failure(const driver_t *driver, const char *path, int status)
{
    if (driver->runner.killed_by != 0)
        complain("%s was ended by signal %d (%s) on %s: a defect of XMPI; --xmpi-fallback compiles "
                 "the file as it is",
                 driver->install.rewriter, driver->runner.killed_by,
                 strsignal(driver->runner.killed_by), path);
    else if (status != 1)
        complain("%s failed on %s with exit status %d: does it belong to this xmpicc?",
                 driver->install.rewriter, path, status);
}

static int fail(driver_t *driver, size_t input, int status, const char *messages)
{
    const char *path = driver->invocation.inputs[input].path;
    int killed_by = driver->runner.killed_by;
    int refused = ask_compiler(driver, input);
    if (refused != 0 || driver->runner.caught != 0)
        return refused;
    driver->runner.killed_by = killed_by;
    fputs(messages, stderr);
    say_failure(driver, path, status);
    if (!driver->settings.fallback)
        return 1;
    warn("%s is compiled as it is and will not adapt (--xmpi-fallback)", path);
    driver->workspace.fell_back = true;
    return 0;
}

/* Whether loops have become divisible or movable is seen in what was made of them. */
static void note_loops(driver_t *driver, size_t input, const char *text)
{
    size_t length;
    const char *content = file_read(driver->memory, text, &length);
    input_t *of = &driver->invocation.inputs[input];
    of->moves = content != NULL && source_may_move(content, length);
    of->divides = content != NULL && source_may_divide(content, length);
    of->relies = content != NULL && source_may_rely(content, length);
    of->resizes = content != NULL && source_may_resize(content, length);
    of->pending =
        driver->joins ? file_read(driver->memory, rewrite_later(driver, text), &length) : NULL;
}

/* Runs the rewriter. What its parser does not take the compiler may: then it is told so, and need
 * not understand the source. */
static int run_rewriter(driver_t *driver, size_t input, const char *text, const words_t *flags,
                        const char **messages)
{
    enum { UNPARSED = 4 };
    words_t command = rewrite_command(driver, input, text, flags);
    show_verbose(driver, &command);
    int status = run_listening(&driver->runner, &command, NULL, NULL, messages);
    if (status != UNPARSED || driver->runner.caught != 0)
        return status;
    words_t check = assemble_syntax_check(driver, input);
    if (parse_quietly(driver, &check) != 0 || driver->runner.caught != 0)
        return 1;
    words_t again = words_new(driver->memory);
    words_add(&again, command.items[0]);
    words_add(&again, "--accepted");
    for (size_t i = 1; i < command.count; i++)
        words_add(&again, command.items[i]);
    show_verbose(driver, &again);
    return run_listening(&driver->runner, &again, NULL, NULL, messages) == 0 ? 0 : 1;
}

/* What would wait for the other files of the program is said now, in MESSAGES, as they are not
 * looked into, and why. */
static int settle_alone(driver_t *driver, size_t input, const char *text, const words_t *flags,
                        const char **messages)
{
    size_t length;
    int status = 0;
    const char *alone = driver->alone;
    const char *pending =
        alone != NULL ? file_read(driver->memory, rewrite_later(driver, text), &length) : NULL;
    if (pending == NULL)
        return 0;
    driver->alone = NULL;
    if (*pending == '!')
        status = run_rewriter(driver, input, text, flags, &pending);
    driver->alone = alone;
    *messages = memory_format(driver->memory,
                              "%s%s: remark: other files are not looked into with it: it is "
                              "compiled with '%s' [xmpi-other-file]\n",
                              pending, driver->invocation.inputs[input].path, alone);
    return status;
}

static int rewrite_one(driver_t *driver, size_t input, const words_t *flags)
{
    const char *path = driver->invocation.inputs[input].path;
    const char *messages = "";
    const char *base = path_base(path);
    const char *text = workspace_file(&driver->workspace, driver->memory, input, base);
    int status = run_rewriter(driver, input, text, flags, &messages);
    if (status == 0)
        status = settle_alone(driver, input, text, flags, &messages);
    if (driver->runner.caught != 0)
        return status;
    if (status == RUN_NOT_STARTED)
        return complain("cannot run %s: %s: build or install XMPI completely",
                        driver->install.rewriter, strerror(errno));
    if (status != 0)
        return fail(driver, input, status, messages);
    fputs(messages, stderr);
    if (!file_is_regular(text))
        return complain("%s has not written %s", driver->install.rewriter, text);
    if (driver->settings.keep != NULL && (status = rewrite_keep(driver, input, text)) != 0)
        return status;
    copy_time(path, text);
    note_loops(driver, input, text);
    driver->workspace.texts[input] = text;
    return 0;
}

int rewrite_all(driver_t *driver)
{
    const invocation_t *invocation = &driver->invocation;
    words_t flags = words_new(driver->memory);
    int status = language_flags(driver, &flags);
    if (status != 0)
        return status;
    for (size_t i = 0; i < invocation->input_count && driver->runner.caught == 0; i++) {
        if (!invocation->inputs[i].has_pragma)
            continue;
        show_to_watchers(driver, i);
        int one = rewrite_one(driver, i, &flags);
        status = status != 0 ? status : one;
    }
    return status;
}
