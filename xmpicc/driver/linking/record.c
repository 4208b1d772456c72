/* SPDX-License-Identifier: BSD-3-Clause
 * What an object tells of the source that it was made of. */
#define _GNU_SOURCE
#define XXH_INLINE_ALL
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "driver/base/file.h"
#include "driver/linking/object.h"
#include "driver/linking/record.h"
#include "driver/rewriting/language.h"
#include "driver/rewriting/rewrite_command.h"

/* A record: this, and the fields, each with a 0 behind it. */
static const char mark[] = "xmpi-source 2";

const char *record_digest(memory_t *memory, const char *text, size_t length)
{
    return memory_format(memory, "%016llx", (unsigned long long)XXH3_64bits(text, length));
}

/* An assembler that writes a listing (-a…) or a depfile (-MD, --MD). */
static bool asks_assembler_for_files(const word_t *word)
{
    static const char *const names[] = {"-a", "-MD", "--MD"};
    const option_t *option = word->option;
    const char *list = strncmp(word->text, "-Wa", 3) == 0 ? word->text + 3 : NULL;
    const bool handed =
        option != NULL && word->kind == WORD_VALUE &&
        (strcmp(option->name, "-Xassembler") == 0 || strcmp(option->name, "--for-assembler") == 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t length = strlen(names[i]);
        for (const char *at = list; at != NULL && *at == ','; at += 1 + strcspn(at + 1, ","))
            if (strncmp(at + 1, names[i], length) == 0)
                return true;
        if (handed && strncmp(word->text, names[i], length) == 0)
            return true;
    }
    return false;
}

/* The word by which what is compiled cannot be compiled with others: the linker gets to see none of
 * it, further files are named by it, or its folder is not to be told. NULL: there is none. */
static const char *word_apart(const invocation_t *invocation)
{
    static const char *const names[] = {"-flto",        "-emit-llvm",
                                        "-S",           "--assemble",
                                        "-aux-info",    "-d",
                                        "-fopt-info",   "-fsave-optimization-record",
                                        "-ftime-trace", "-foptimization",
                                        "-save-stats",  "-fplugin"};
    for (size_t i = 0; i < invocation->word_count; i++) {
        const word_t *word = &invocation->words[i];
        const option_t *option = word->option;
        for (size_t k = 0; k < sizeof names / sizeof *names && word->kind == WORD_OPTION; k++)
            if (strncmp(word->text, names[k], strlen(names[k])) == 0)
                return word->text;
        if (asks_assembler_for_files(word) ||
            (option != NULL &&
             ((option->properties & OPTION_BESIDE) != 0 || option->role == ROLE_MAP_FILE ||
              option->role == ROLE_MAP_DEBUG || option->role == ROLE_MAP_MACRO)))
            return word->text;
    }
    return NULL;
}

/* But for how it is compiled. */
static bool may_join(const driver_t *driver)
{
    const invocation_t *invocation = &driver->invocation;
    const settings_t *settings = &driver->settings;
    const bool program = invocation->goal == GOAL_LINK && !invocation->no_program;
    return (program || invocation->goal == GOAL_COMPILE) && settings->flavor == flavor_c() &&
           !settings->apart && !settings->link_only && !settings->off && !settings->dry_run &&
           !invocation->show;
}

bool record_wanted(const driver_t *driver)
{
    return may_join(driver) && word_apart(&driver->invocation) == NULL;
}

const char *record_prevented(const driver_t *driver)
{
    return may_join(driver) ? word_apart(&driver->invocation) : NULL;
}

/* The user's words without inputs and outputs. */
static words_t words_that_matter(const driver_t *driver)
{
    const invocation_t *invocation = &driver->invocation;
    words_t words = words_new(driver->memory);
    for (size_t i = 0; i < invocation->word_count; i++) {
        const word_t *word = &invocation->words[i];
        const option_role_t role = word->option != NULL ? word->option->role : ROLE_NONE;
        if (word->kind == WORD_INPUT || role == ROLE_INPUT_LANGUAGE || role == ROLE_LIBRARY ||
            role == ROLE_LIBRARY_FOLDER ||
            (word->option != NULL && (word->option->properties & OPTION_OUTPUT) != 0))
            continue;
        if (role == ROLE_PREPROCESSOR_LIST)
            language_of_list(word->value, &words); /* it may ask for a depfile */
        else if (strncmp(word->text, "-Wl,", 4) != 0)
            words_add(&words, word->text);
    }
    return words;
}

static const char *loop_of(const input_t *input)
{
    return !input->has_pragma ? "" : input->pending != NULL ? "open" : "closed";
}

bool record_of_input(const driver_t *driver, size_t input, record_t *record)
{
    const input_t *of = &driver->invocation.inputs[input];
    size_t length;
    char *folder = getcwd(NULL, 0);
    const char *text = of->language == LANGUAGE_C && strcmp(of->path, "-") != 0
                           ? file_read(driver->memory, of->path, &length)
                           : NULL;
    if (text == NULL || folder == NULL) {
        free(folder);
        return false;
    }
    const char *keep = driver->settings.keep;
    *record = (record_t){.folder = memory_copy(driver->memory, folder, strlen(folder)),
                         .source = of->path,
                         .digest = record_digest(driver->memory, text, length),
                         .loop = loop_of(of),
                         .rung = of->divides   ? "2"
                                 : of->resizes ? "1"
                                               : "0",
                         .pending = of->pending != NULL ? of->pending : "",
                         .keep = keep != NULL ? keep : "",
                         .object = "",
                         .words = words_that_matter(driver),
                         .input = input};
    free(folder);
    return true;
}

static char *put(char *end, const char *field)
{
    return stpcpy(end, field) + 1;
}

static char *encode(memory_t *memory, const record_t *record, size_t *length)
{
    const char *const fields[] = {mark,          record->folder, record->source,  record->digest,
                                  record->loop,  record->rung,   record->pending, record->keep,
                                  record->object};
    const char *count = memory_format(memory, "%zu", record->words.count);
    *length = strlen(count) + 1;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        *length += strlen(fields[i]) + 1;
    for (size_t i = 0; i < record->words.count; i++)
        *length += strlen(record->words.items[i]) + 1;
    char *text = memory_get(memory, *length), *end = text;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        end = put(end, fields[i]);
    end = put(end, count);
    for (size_t i = 0; i < record->words.count; i++)
        end = put(end, record->words.items[i]);
    return text;
}

static const char *object_of(const driver_t *driver, size_t input)
{
    const invocation_t *invocation = &driver->invocation;
    return invocation->output != NULL
               ? invocation->output
               : memory_format(driver->memory, "%s.o",
                               path_stem(driver->memory, invocation->inputs[input].path));
}

static bool add_record(const driver_t *driver, size_t input)
{
    record_t record;
    size_t length;
    const char *path = object_of(driver, input);
    if (!record_wanted(driver) || !record_of_input(driver, input, &record))
        return false;
    const char *content = file_read(driver->memory, path, &length);
    record.object = content != NULL ? object_digest(driver->memory, content, length) : NULL;
    if (record.object == NULL)
        return false;
    const char *text = encode(driver->memory, &record, &length);
    return object_add(driver->memory, path, text, length);
}

void record_objects(const driver_t *driver)
{
    const invocation_t *invocation = &driver->invocation;
    if (invocation->goal != GOAL_COMPILE)
        return;
    for (size_t i = 0; i < invocation->input_count; i++) {
        const char *pending = invocation->inputs[i].pending;
        if (!add_record(driver, i) && pending != NULL)
            fputs(pending, stderr);
    }
}

/* The next field of the text that ends at END; *AT goes behind it, or becomes NULL. */
static const char *take(const char **at, const char *end)
{
    const char *field = *at;
    const char *close = field == NULL ? NULL : memchr(field, '\0', (size_t)(end - field));
    *at = close == NULL ? NULL : close + 1;
    return field;
}

/* Between the records of objects there may be bytes of the linker's. */
static bool decode(memory_t *memory, const char **at, const char *end, record_t *record)
{
    const char *begin = *at = memmem(*at, (size_t)(end - *at), mark, sizeof mark);
    const char **fields[] = {&record->folder, &record->source,  &record->digest, &record->loop,
                             &record->rung,   &record->pending, &record->keep,   &record->object};
    take(at, end);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        *fields[i] = take(at, end);
    const char *count = take(at, end);
    record->words = words_new(memory);
    for (size_t left = *at != NULL ? strtoul(count, NULL, 10) : 0; left > 0 && *at != NULL; left--)
        words_add(&record->words, take(at, end));
    record->input = RECORD_OF_OBJECT;
    record->bytes = begin;
    record->length = *at != NULL ? (size_t)(*at - begin) : 0;
    return *at != NULL;
}

records_t records_read(memory_t *memory, const char *text, size_t length)
{
    records_t records = {0};
    const char *end = text + length;
    record_t one;
    for (const char *at = text; at != NULL && at < end && decode(memory, &at, end, &one);) {
        record_t *more = memory_get(memory, (records.count + 1) * sizeof *more);
        if (records.count > 0)
            memcpy(more, records.items, records.count * sizeof *more);
        records.items = more;
        records.items[records.count++] = one;
    }
    return records;
}

bool record_is_in(const char *content, size_t length)
{
    return memmem(content, length, mark, sizeof mark) != NULL;
}

bool record_is_open(const char *content, size_t length)
{
    const char *end = content + length;
    for (const char *at = content;
         (at = memmem(at, (size_t)(end - at), mark, sizeof mark)) != NULL;) {
        const char *field = at + sizeof mark;
        for (int i = 0; i < 3 && field != NULL; i++)
            take(&field, end);
        if (field != NULL && end - field > 4 && strcmp(field, "open") == 0)
            return true;
        at += sizeof mark;
    }
    return false;
}
