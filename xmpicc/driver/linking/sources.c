/* SPDX-License-Identifier: BSD-3-Clause
 * The sources of a program that has been linked. */
#define _GNU_SOURCE
#include <string.h>

#include "driver/arguments/options.h"
#include "driver/base/file.h"
#include "driver/base/message.h"
#include "driver/linking/object.h"
#include "driver/linking/parts.h"
#include "driver/linking/sources.h"
#include "driver/rewriting/language.h"

static void add(memory_t *memory, records_t *records, const record_t *record)
{
    record_t *more = memory_get(memory, (records->count + 1) * sizeof *more);
    if (records->count > 0)
        memcpy(more, records->items, records->count * sizeof *more);
    records->items = more;
    records->items[records->count++] = *record;
}

/* What the program itself tells, and the sources of the command. */
static records_t all_records(const driver_t *driver)
{
    const invocation_t *invocation = &driver->invocation;
    const char *program = invocation->output != NULL ? invocation->output : "a.out";
    size_t length;
    record_t record;
    const char *text = object_read(driver->memory, program, &length);
    records_t records = text != NULL ? records_read(driver->memory, text, length) : (records_t){0};
    for (size_t i = 0; i < invocation->input_count; i++)
        if (record_of_input(driver, i, &record))
            add(driver->memory, &records, &record);
    return records;
}

static bool is_include(const option_t *option)
{
    return option != NULL &&
           (option->role == ROLE_INCLUDE || strcmp(option->name, "-isystem") == 0 ||
            strcmp(option->name, "-idirafter") == 0);
}

static bool is_warning(const char *word)
{
    return (strncmp(word, "-W", 2) == 0 && strchr(word, ',') == NULL) || strcmp(word, "-w") == 0 ||
           strncmp(word, "-pedantic", 9) == 0;
}

/* What is told to debuggers beside the code, which is the same. */
static bool is_debugging(const char *word)
{
    return strcmp(word, "-g") == 0 ||
           (strncmp(word, "-g", 2) == 0 && word[2] >= '0' && word[2] <= '3' && word[3] == '\0') ||
           strncmp(word, "-ggdb", 5) == 0 || strncmp(word, "-gdwarf", 7) == 0;
}

/* Of the levels of optimization the last one counts; NULL: there is none. */
static const char *level_of(const words_t *words)
{
    const char *level = NULL;
    for (size_t i = 0; i < words->count; i++)
        if (strncmp(words->items[i], "-O", 2) == 0)
            level = words->items[i];
    return level;
}

/* How much a level lets the compiler suppose of a program: nothing; that it overflows nowhere; that
 * it reaches nothing by pointers of another type. -1: more than the language says. */
static int suppositions(const char *level)
{
    static const char *const some[] = {"-O", "-O1", "-Og"}, *const all[] = {"-O2", "-O3", "-Os"};
    if (level == NULL || strcmp(level, "-O0") == 0)
        return 0;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        if (strcmp(level, some[i]) == 0)
            return 1;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(level, all[i]) == 0)
            return 2;
    return -1;
}

/* A source with LEVEL may be compiled with that of MAIN: it supposes no more, and is one. */
static bool may_have(const char *level, const char *main)
{
    return suppositions(main) > 0 && suppositions(level) >= suppositions(main);
}

/* What decides about what is made of a source, with its LEVEL or NULL: neither warnings nor what is
 * for debuggers, nor folders, as what is found there is compared. */
static words_t decisive(const words_t *words, const char *level)
{
    words_t result = words_new(words->memory);
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i];
        const option_t *option = option_find(word);
        if (is_include(option))
            i += (size_t)option_takes_next(option, word);
        else if (strncmp(word, "-O", 2) != 0 && !is_warning(word) && !is_debugging(word))
            words_add(&result, word);
    }
    if (level != NULL)
        words_add(&result, level);
    return result;
}

/* The words of ONE that OTHER has not, or has in less places. */
static words_t without(const words_t *one, const words_t *other)
{
    words_t left = words_copy(other), result = words_new(one->memory);
    for (size_t i = 0; i < one->count; i++) {
        size_t at = 0;
        while (at < left.count && strcmp(left.items[at], one->items[i]) != 0)
            at++;
        if (at < left.count)
            left.items[at] = "";
        else
            words_add(&result, one->items[i]);
    }
    return result;
}

static bool are_equal(const words_t *one, const words_t *other)
{
    bool equal = one->count == other->count;
    for (size_t i = 0; i < one->count && equal; i++)
        equal = strcmp(one->items[i], other->items[i]) == 0;
    return equal;
}

static const char *difference(const record_t *record, const record_t *main)
{
    const char *level = level_of(&record->words), *wanted = level_of(&main->words);
    const bool either = may_have(level, wanted);
    const words_t one = decisive(&record->words, either ? NULL : level),
                  other = decisive(&main->words, either ? NULL : wanted);
    const words_t has = without(&one, &other), wants = without(&other, &one);
    if (are_equal(&one, &other))
        return NULL;
    if (has.count == 0 && wants.count == 0)
        return memory_format(one.memory, "its options are in another order than those of %s",
                             main->source);
    if (has.count == 0)
        return memory_format(one.memory, "it is compiled without '%s', and %s with it",
                             words_quote(&wants), main->source);
    return memory_format(
        one.memory, "it is compiled with '%s', and %s %s", words_quote(&has), main->source,
        wants.count == 0 ? "without" : memory_format(one.memory, "with '%s'", words_quote(&wants)));
}

const char *sources_path(memory_t *memory, const record_t *record, const record_t *main,
                         const char *path)
{
    if (path[0] == '/' || strcmp(record->folder, main->folder) == 0)
        return path;
    return memory_format(memory, "%s/%s", record->folder, path);
}

/* OBJECT is what is to be said of its object, or NULL. */
static const char *why_apart(const driver_t *driver, const sources_t *sources, size_t at,
                             const char *object)
{
    const record_t *record = &sources->all.items[at], *main = &sources->all.items[sources->main];
    size_t length;
    const char *path = record->source[0] == '/'
                           ? record->source
                           : memory_format(driver->memory, "%s/%s", record->folder, record->source);
    const char *text = file_read(driver->memory, path, &length);
    if (text == NULL)
        return "it is not there";
    if (strcmp(record_digest(driver->memory, text, length), record->digest) != 0)
        return "it has been changed since it was compiled";
    for (size_t i = 0; i < sources->all.count; i++)
        if (i != at && strcmp(sources->all.items[i].source, record->source) == 0 &&
            strcmp(sources->all.items[i].folder, record->folder) == 0)
            return "it is compiled twice";
    if (object != NULL)
        return object;
    return at == sources->main ? NULL : difference(record, main);
}

static bool is_open(const record_t *record, bool complained)
{
    return strcmp(record->loop, "open") == 0 ||
           (complained && strcmp(record->loop, "closed") == 0 && strcmp(record->rung, "0") != 0);
}

sources_t sources_find(driver_t *driver, bool complained)
{
    sources_t sources = {.all = all_records(driver), .main = SOURCES_NONE};
    sources.apart = memory_get(driver->memory, (sources.all.count + 1) * sizeof *sources.apart);
    const char **objects = memory_get(driver->memory, (sources.all.count + 1) * sizeof *objects);
    parts_compare(driver, &sources.all, objects);
    for (size_t i = 0; i < sources.all.count; i++)
        if (is_open(&sources.all.items[i], complained))
            sources.main = i;
    for (size_t i = 0; i < sources.all.count && sources.main != SOURCES_NONE; i++) {
        const record_t *record = &sources.all.items[i];
        sources.apart[i] = why_apart(driver, &sources, i, objects[i]);
        if (*record->loop != '\0' && !is_open(record, complained))
            sources.apart[i] = ""; /* its loop is what it is */
    }
    return sources;
}

int sources_driver(const driver_t *driver, const record_t *record, const words_t *more,
                   driver_t *as)
{
    words_t line = words_new(driver->memory);
    words_add(&line, driver->settings.flavor->command);
    words_append(&line, &record->words);
    if (more != NULL)
        words_append(&line, more);
    words_format(&line, "%s%s", record->source[0] == '-' ? "./" : "", record->source);
    *as = *driver;
    as->invocation = (invocation_t){0};
    as->settings.keep = *record->keep != '\0' ? record->keep : NULL;
    as->joins = false;
    as->alone = NULL;
    return parse(&as->invocation, &as->settings, driver->memory, (int)line.count, line.items);
}

/* FLAGS of a source, for who is in the folder of MAIN. */
static words_t flags_from(const words_t *flags, const record_t *record, const record_t *main)
{
    words_t result = words_new(flags->memory);
    for (size_t i = 0; i < flags->count; i++) {
        const char *word = flags->items[i];
        const option_t *option = option_find(word);
        const bool include = is_include(option);
        if (include && option_takes_next(option, word) && i + 1 < flags->count) {
            words_add(&result, word);
            words_add(&result, sources_path(flags->memory, record, main, flags->items[++i]));
        } else if (include) {
            words_format(&result, "%s%s", option->name,
                         sources_path(flags->memory, record, main, word + strlen(option->name)));
        } else {
            words_add(&result, word);
        }
    }
    return result;
}

static int add_to_list(driver_t *driver, const record_t *record, const record_t *main,
                       const char *apart, words_t *fields)
{
    driver_t as;
    words_t flags = words_new(driver->memory);
    int status = sources_driver(driver, record, NULL, &as);
    if (status == 0)
        status = language_flags(&as, &flags);
    driver->shown = as.shown;
    words_add(fields, record->source);
    words_add(fields, sources_path(driver->memory, record, main, record->source));
    words_format(fields, "%lld", record->made);
    words_add(fields, *record->loop != '\0' ? "loop" : "");
    words_add(fields, apart != NULL ? apart : "");
    flags = flags_from(&flags, record, main);
    words_format(fields, "%zu", flags.count);
    words_append(fields, &flags);
    return status;
}

static int write_fields(memory_t *memory, const char *path, const words_t *fields)
{
    size_t length = 0;
    for (size_t i = 0; i < fields->count; i++)
        length += strlen(fields->items[i]) + 1;
    char *text = memory_get(memory, length + 1), *end = text;
    for (size_t i = 0; i < fields->count; i++)
        end = stpcpy(end, fields->items[i]) + 1;
    return file_replace(memory, path, text, length) == 0 ? 0 : complain("cannot write %s", path);
}

int sources_list(driver_t *driver, const sources_t *sources, const char *path, size_t *numbers)
{
    words_t fields = words_new(driver->memory);
    size_t count = 0;
    int status = 0;
    for (size_t i = 0; i < sources->all.count && status == 0; i++) {
        const char *apart = sources->apart[i];
        if (apart != NULL && *apart == '\0')
            continue;
        numbers[count++] = i;
        status = add_to_list(driver, &sources->all.items[i], &sources->all.items[sources->main],
                             apart, &fields);
        sources->apart[i] = NULL; /* whether it is needed, the rewriter says */
    }
    return status != 0 ? status : write_fields(driver->memory, path, &fields);
}
