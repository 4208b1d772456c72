/* SPDX-License-Identifier: BSD-3-Clause
 * Makes one source of those of a program, and links the program with what has become of it. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/base/file.h"
#include "driver/base/message.h"
#include "driver/linking/examine.h"
#include "driver/linking/join.h"
#include "driver/linking/object.h"
#include "driver/linking/sources.h"
#include "driver/rewriting/assemble.h"
#include "driver/rewriting/language.h"
#include "driver/rewriting/rewrite.h"
#include "driver/rewriting/rewrite_command.h"
#include "driver/rewriting/verbose.h"

typedef struct {
    driver_t *driver;
    sources_t sources;
    size_t *numbers;     /* the sources of the list that the rewriter was given */
    bool *together;      /* of each source: it is in the joined text */
    const char *text;    /* what has become of that; NULL: nothing has */
    const char *said;    /* by the rewriter */
    const char *object;  /* compiled */
    const char *program; /* and linked, beside that of the user */
    bool settled;        /* the program is made of it */
    bool looked;         /* what the rewriter has said is of more than the loop's file */
    bool told;           /* why it is not */
} join_t;

static const char *output_of(const driver_t *driver)
{
    return driver->invocation.output != NULL ? driver->invocation.output : "a.out";
}

static const record_t *main_of(const join_t *join)
{
    return &join->sources.all.items[join->sources.main];
}

/* One line on why the program stays as it is. */
static void tell(join_t *join, const char *format, const char *what)
{
    const record_t *main = main_of(join);
    if (join->told)
        return;
    join->told = true;
    fprintf(stderr, "%s: remark: other files are not looked into with it: ", main->source);
    fprintf(stderr, format, what); // NOLINT(clang-diagnostic-format-nonliteral)
    fprintf(stderr, " [xmpi-other-file]\n");
}

/* The line of a compiler's or linker's messages that says what is wrong. */
static const char *reason_in(memory_t *memory, const char *messages)
{
    static const char *const words[] = {"multiple definition", "undefined reference", "error"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words && found == NULL; i++)
        found = strstr(messages, words[i]);
    while (found != NULL && found > messages && found[-1] != '\n')
        found--;
    const char *line = found != NULL ? found : messages;
    return memory_copy(memory, line, strcspn(line, "\n"));
}

/* Lines "joined N" and "apart N why" of the rewriter's, N a number in its list. */
static void read_answer(join_t *join, const char *answer)
{
    int length = 0;
    size_t number;
    for (const char *line = answer; *line != '\0'; line += strcspn(line, "\n") + 1) {
        if (sscanf(line, "joined %zu", &number) == 1)
            join->together[join->numbers[number]] = true;
        else if (sscanf(line, "apart %zu %n", &number, &length) == 1)
            join->sources.apart[join->numbers[number]] = memory_format(
                join->driver->memory, "%.*s", (int)strcspn(line + length, "\n"), line + length);
        if (line[strcspn(line, "\n")] == '\0')
            break;
    }
}

static words_t join_command(const join_t *join, const char *list)
{
    const driver_t *driver = join->driver;
    words_t command = words_new(driver->memory);
    words_add(&command, driver->install.rewriter);
    words_format(&command, "--join=%s", list);
    words_format(&command, "--output=%s", join->text);
    if (driver->settings.report)
        words_add(&command, "--report");
    if (*main_of(join)->keep != '\0')
        words_add(&command, "--readable");
    if (driver->settings.divisible || main_of(join)->pending[0] == '!')
        words_add(&command, "--divisible");
    return command;
}

/* Has the sources joined and rewritten; false: that is not possible. */
static bool rewrite_joined(join_t *join)
{
    driver_t *driver = join->driver;
    const char *answer;
    const char *list = workspace_file(&driver->workspace, driver->memory,
                                      driver->invocation.input_count, "sources");
    join->text = workspace_file(&driver->workspace, driver->memory, driver->invocation.input_count,
                                path_base(main_of(join)->source));
    if (sources_list(driver, &join->sources, list, join->numbers) != 0)
        return false;
    words_t command = join_command(join, list);
    show_verbose(driver, &command);
    int status =
        run_listening(&driver->runner, &command, main_of(join)->folder, &answer, &join->said);
    read_answer(join, answer);
    join->looked = *join->said != '\0' && strstr(answer, "joined ") != NULL;
    return status == 0 && driver->runner.caught == 0;
}

/* What loops have become: 0 movable, 1 resizable, 2 divisible. */
static int rung(const char *text, size_t length)
{
    return source_may_divide(text, length) ? 2 : source_may_resize(text, length) ? 1 : 0;
}

/* The same of the program as it is; -1: its loop keeps its processes. */
static int rung_now(const join_t *join)
{
    int now = -1;
    for (size_t i = 0; i < join->sources.all.count; i++) {
        const record_t *record = &join->sources.all.items[i];
        if (strcmp(record->loop, "open") == 0 && atoi(record->rung) > now)
            now = atoi(record->rung);
    }
    return now;
}

/* Lines "#line 12 "file.c"" of a text to be read become comments that say whose text follows. */
static int keep_readable(const join_t *join, const driver_t *as)
{
    size_t length;
    char *text = file_read(as->memory, join->text, &length), *end = text;
    for (const char *line = text; text != NULL && *line != '\0';) {
        size_t size = strcspn(line, "\n") + 1;
        char *name = strncmp(line, "#line 1 ", 8) == 0 ? strchr(line, '"') : NULL;
        if (name != NULL)
            end += sprintf(end, "/* %.*s */\n", (int)(size - (size_t)(name - line) - 3), name + 1);
        else if (strncmp(line, "#line ", 6) != 0)
            end = memmove(end, line, size), end += size;
        line += size;
    }
    if (text == NULL || file_replace(as->memory, join->text, text, (size_t)(end - text)) != 0)
        return 1;
    return rewrite_keep(as, 0, join->text);
}

/* As the file of the loop was, without a word: warnings have been told. */
static bool compile_joined(join_t *join)
{
    driver_t *driver = join->driver, as;
    const record_t *main = main_of(join);
    const char *messages, *texts[] = {join->text, NULL};
    words_t more = words_new(driver->memory);
    join->object = workspace_file(&driver->workspace, driver->memory,
                                  driver->invocation.input_count, "joined.o");
    words_add(&more, "-w");
    words_add(&more, "-c");
    words_add(&more, "-o");
    words_add(&more, join->object);
    if (sources_driver(driver, main, &more, &as) != 0)
        return false;
    as.workspace.texts = texts;
    if (as.settings.keep != NULL) {
        as.settings.keep = sources_path(driver->memory, main, main, as.settings.keep);
        if (chdir(main->folder) != 0 || keep_readable(join, &as) != 0)
            return false;
    }
    commands_t commands = assemble_rewritten(&as);
    show_verbose(driver, &commands.items[0]);
    int status = run_listening(&driver->runner, &commands.items[0], main->folder, NULL, &messages);
    if (status != 0)
        tell(join, "they cannot be compiled as one: %s", reason_in(driver->memory, messages));
    return status == 0;
}

/* Whether the object PATH is made of joined sources alone. */
static bool is_replaced(const join_t *join, const char *path)
{
    size_t length, found = 0;
    const char *text = object_read(join->driver->memory, path, &length);
    records_t own =
        text != NULL ? records_read(join->driver->memory, text, length) : (records_t){0};
    for (size_t i = 0; i < own.count; i++)
        for (size_t k = 0; k < join->sources.all.count; k++)
            found += join->together[k] &&
                     strcmp(own.items[i].source, join->sources.all.items[k].source) == 0 &&
                     strcmp(own.items[i].folder, join->sources.all.items[k].folder) == 0;
    return own.count > 0 && found == own.count;
}

static bool *replaced_inputs(const join_t *join)
{
    const invocation_t *invocation = &join->driver->invocation;
    bool *replaced = memory_get(join->driver->memory, invocation->input_count + 1);
    for (size_t i = 0; i < invocation->input_count; i++)
        replaced[i] = invocation->inputs[i].language == LANGUAGE_NONE &&
                      is_replaced(join, invocation->inputs[i].path);
    for (size_t k = 0; k < join->sources.all.count; k++)
        if (join->together[k] && join->sources.all.items[k].input != RECORD_OF_OBJECT)
            replaced[join->sources.all.items[k].input] = true;
    return replaced;
}

/* The command with what has become of the joined sources in their place. */
static driver_t driver_of_joined(const join_t *join, const bool *replaced)
{
    driver_t as = *join->driver;
    invocation_t *invocation = &as.invocation;
    size_t length;
    const char *text = file_read(as.memory, join->text, &length);
    invocation->inputs =
        memory_get(as.memory, (invocation->input_count + 1) * sizeof *invocation->inputs);
    for (size_t i = 0; i < invocation->input_count; i++) {
        invocation->inputs[i] = join->driver->invocation.inputs[i];
        if (replaced[i])
            invocation->inputs[i].moves = invocation->inputs[i].divides =
                invocation->inputs[i].relies = false;
    }
    /* All loops of libraries that may be others are in the text. */
    if (invocation->library_open)
        invocation->library_moves = invocation->library_divides = invocation->library_relies =
            false;
    invocation->library_moves |= text != NULL && source_may_move(text, length);
    invocation->library_divides |= text != NULL && source_may_divide(text, length);
    invocation->library_relies |= text != NULL && source_may_rely(text, length);
    return as;
}

/* Links beside the program, which stays where that fails or nothing is won. */
static bool link_joined(join_t *join)
{
    const char *messages, *complaint;
    const bool *replaced = replaced_inputs(join);
    driver_t as = driver_of_joined(join, replaced);
    const char *output = output_of(&as);
    join->program = memory_format(as.memory, "%s.xmpi-%ld", output, (long)getpid());
    words_t command = assemble_joined(&as, replaced, join->object, join->program);
    show_verbose(&as, &command);
    int status = run_listening(&join->driver->runner, &command, NULL, NULL, &messages);
    if (status != 0)
        tell(join, "they cannot be linked as one: %s", reason_in(as.memory, messages));
    if (status == 0)
        status = examine_program(&as, join->program, &complaint);
    if (status == 0 && *complaint != '\0') {
        join->said = complaint;
        status = 1;
    }
    if (status == 0 && rename(join->program, output) == 0)
        return true;
    unlink(join->program);
    return false;
}

/* A file that is to be divisible and is not, is an error, which the rewriter tells of that file
 * alone. */
static int refuse(driver_t *driver, const record_t *record)
{
    driver_t as;
    int status = sources_driver(driver, record, NULL, &as);
    words_t flags = words_new(driver->memory);
    if (status == 0)
        status = language_flags(&as, &flags);
    if (status != 0)
        return status;
    as.settings.divisible = true;
    const char *text =
        workspace_file(&driver->workspace, driver->memory, driver->invocation.input_count, "alone");
    words_t command = rewrite_command(&as, 0, text, &flags);
    status =
        run(&driver->runner, &command, (streams_t){.out = -1, .err = -1, .folder = record->folder});
    return status != 0;
}

/* The last line of SAID, which counts errors and warnings, with warnings alone. */
static const char *count_as_warnings(memory_t *memory, const char *said)
{
    static const char end[] = " generated.\n";
    const size_t length = strlen(said);
    size_t begin = length > 0 ? length - 1 : 0;
    while (begin > 0 && said[begin - 1] != '\n')
        begin--;
    unsigned warnings = 0, errors = 0;
    const char *line = said + begin;
    if (strstr(line, end) == NULL ||
        (sscanf(line, "%u error", &errors) != 1 &&
         sscanf(line, "%u warning%*[s] and %u error", &warnings, &errors) != 2 &&
         sscanf(line, "%u warning and %u error", &warnings, &errors) != 2))
        return said;
    return memory_format(memory, "%.*s%u warning%s%s", (int)begin, said, warnings + errors,
                         warnings + errors > 1 ? "s" : "", end);
}

/* What the rewriter has said of a loop that stays what it is: no error keeps the program from being
 * made, and what its loop is then is said behind it. */
static const char *as_warnings(const join_t *join)
{
    static const char error[] = ": error: ";
    memory_t *memory = join->driver->memory;
    const char *result = "", *rest = join->said;
    for (const char *at; (at = strstr(rest, error)) != NULL; rest = at + strlen(error))
        result = memory_format(memory, "%s%.*s: warning: ", result, (int)(at - rest), rest);
    if (*result == '\0')
        return join->said;
    return memory_format(memory,
                         "%s%s: remark: so its loop stays %s, as its file alone makes it "
                         "[xmpi-other-file]\n",
                         count_as_warnings(memory, memory_format(memory, "%s%s", result, rest)),
                         main_of(join)->source, rung_now(join) > 0 ? "resizable" : "movable");
}

/* What was put off until now of loops that have not become anything else. */
static int tell_pending(const join_t *join)
{
    int status = 0;
    for (size_t i = 0; i < join->sources.all.count; i++) {
        const record_t *record = &join->sources.all.items[i];
        if (strcmp(record->loop, "open") != 0)
            continue;
        const bool refused = record->pending[0] == '!', looked = join->looked && join->together[i];
        if (refused)
            status = looked ? 1 : refuse(join->driver, record);
        else if (!looked)
            fputs(record->pending, stderr);
    }
    if (join->looked)
        fputs(status != 0 ? join->said : as_warnings(join), stderr);
    if (status != 0) /* as where a file that is compiled is refused */
        unlink(output_of(join->driver));
    return status;
}

/* The same has been said of the same file, which is in the program several times. */
static bool is_said(const sources_t *sources, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (sources->apart[i] != NULL && strcmp(sources->apart[i], sources->apart[at]) == 0 &&
            strcmp(sources->all.items[i].source, sources->all.items[at].source) == 0)
            return true;
    return false;
}

static void tell_apart(join_t *join)
{
    const sources_t *sources = &join->sources;
    const char *all = "";
    for (size_t i = 0; i < sources->all.count; i++)
        if (sources->apart[i] != NULL && *sources->apart[i] != '\0' && !is_said(sources, i))
            all =
                memory_format(join->driver->memory, "%s%s%s, as %s", all, *all != '\0' ? "; " : "",
                              sources->all.items[i].source, sources->apart[i]);
    if (*all != '\0')
        tell(join, "%s", all);
}

static bool try_to_join(join_t *join)
{
    const int now = rung_now(join);
    size_t length;
    if (join->sources.all.count < 2 || !rewrite_joined(join))
        return false;
    const char *text = file_read(join->driver->memory, join->text, &length);
    join->looked = join->looked && text != NULL && rung(text, length) >= now;
    if (text == NULL || rung(text, length) <= now)
        return false;
    join->looked = false; /* what is said holds of the program that is made of it */
    return compile_joined(join) && link_joined(join);
}

/* A word by which calls between files go elsewhere, as they would not in one file; NULL: there is
 * none. */
static const char *redirects(const invocation_t *invocation)
{
    static const char *const names[] = {"-wrap", "-defsym"};
    for (size_t i = 0; i < invocation->word_count; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (invocation->words[i].text[0] == '-' &&
                strstr(invocation->words[i].text, names[k]) != NULL &&
                strcmp(invocation->words[i].text, "-wrapper") != 0)
                return invocation->words[i].text;
    return NULL;
}

/* Whether PROGRAM has a name that --wrap makes, and movable programs do not have anyway. */
static bool is_wrapped(const driver_t *driver, const char *program, size_t length)
{
    static const char begin[] = "\0__wrap_";
    size_t size;
    const char *own = file_read(
        driver->memory,
        memory_format(driver->memory, "%s/lib/xmpi/image.wraps", driver->install.prefix), &size);
    const char *end = program + length;
    for (const char *at = program;
         (at = memmem(at, (size_t)(end - at), begin, sizeof begin - 1)) != NULL;) {
        at += sizeof begin - 1;
        const int rest = (int)strnlen(at, (size_t)(end - at));
        if (own == NULL ||
            strstr(own, memory_format(driver->memory, "--wrap=%.*s\n", rest, at)) == NULL)
            return true;
    }
    return false;
}

/* The same of the linked program, by whatever way the linker was told, or names of objects were
 * changed, which the look into it has said in COMPLAINT. */
static const char *redirected(const driver_t *driver, const char *complaint)
{
    size_t length;
    const char *program = file_read(driver->memory, output_of(driver), &length);
    const bool wraps = program != NULL && is_wrapped(driver, program, length);
    return wraps || strstr(complaint, "is not the one that is called here") != NULL
               ? "its code calls others"
               : NULL;
}

int join_linked(driver_t *driver, const char **complaint)
{
    join_t join = {.driver = driver, .said = ""};
    int status = 0;
    join.sources = sources_find(driver, **complaint != '\0');
    const char *word = redirects(&driver->invocation);
    if (join.sources.main == SOURCES_NONE)
        return 0;
    if (word == NULL)
        word = redirected(driver, *complaint);
    join.numbers = memory_get(driver->memory, (join.sources.all.count + 1) * sizeof *join.numbers);
    join.together = memory_get(driver->memory, join.sources.all.count + 1);
    if (!driver->workspace.real)
        status = workspace_make(&driver->workspace, driver->memory,
                                driver->invocation.input_count + 1, true);
    if (status != 0)
        return status;
    if (word != NULL)
        tell(&join, "the linker is told to call others in their place (%s)", word);
    if (driver->joins && word == NULL && try_to_join(&join)) {
        fputs(join.said, stderr);
        *complaint = "";
        return 0;
    }
    status = tell_pending(&join);
    tell_apart(&join);
    return status;
}
