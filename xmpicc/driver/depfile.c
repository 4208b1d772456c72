/* SPDX-License-Identifier: BSD-3-Clause
 * Depfiles name the user's source, not its rewritten text. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "depfile.h"
#include "driver/base/file.h"
#include "driver/base/message.h"

/* Where FILE ends that stands at TEXT with or without make's escapes; NULL when another does. */
static const char *match(const char *text, const char *file)
{
    for (; *file != '\0'; file++) {
        if (*text == '\\' && *file != '\\' && strchr(" \t#:", *file) != NULL)
            text++;
        else if (text[0] == '$' && text[1] == '$' && *file == '$')
            text++;
        if (*text++ != *file)
            return NULL;
    }
    return text;
}

/* Writes NAME at END with make's escapes, as gcc does: a backslash counts only before a blank. */
static char *put_escaped(char *end, const char *name)
{
    size_t backslashes = 0;
    for (; *name != '\0'; name++) {
        if (*name == ' ' || *name == '\t') {
            for (size_t i = 0; i < backslashes; i++)
                *end++ = '\\';
            *end++ = '\\';
        } else if (*name == '#') {
            *end++ = '\\';
        } else if (*name == '$') {
            *end++ = '$';
        }
        backslashes = *name == '\\' ? backslashes + 1 : 0;
        *end++ = *name;
    }
    return end;
}

/* The compilers drop a leading "./". */
static const char *without_here(const char *name)
{
    while (name[0] == '.' && name[1] == '/' && name[2] != '\0')
        for (name += 2; *name == '/';)
            name++;
    return name;
}

char *depfile_rename(memory_t *memory, const char *content, const char *file, const char *name)
{
    /* What replaces a file may be longer; nothing else grows. */
    size_t room = strlen(content) * (3 * strlen(name) + 1) / strlen(file);
    char *result = memory_get(memory, strlen(content) + room + 1);
    char *end = result;
    int found = 0;
    while (*content != '\0') {
        const char *after = match(content, file);
        if (after == NULL) {
            *end++ = *content++;
            continue;
        }
        end = put_escaped(end, without_here(name));
        content = after;
        found = 1;
    }
    return found ? result : NULL;
}

/* The values of an option's comma list that follow -MD, -MMD or -MF. */
static void add_of_list(const char *list, words_t *names)
{
    int file_follows = 0;
    while (*list != '\0') {
        size_t length = strcspn(list, ",");
        char *word = memory_copy(names->memory, list, length);
        list += length + (list[length] == ',');
        if (file_follows)
            words_add(names, word);
        file_follows =
            strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0 || strcmp(word, "-MF") == 0;
    }
}

/* FILE TARGET in these variables asks gcc to add to a depfile. */
static void add_of_environment(words_t *names)
{
    static const char *const variables[] = {"DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES"};
    for (size_t i = 0; i < 2; i++) {
        const char *value = getenv(variables[i]);
        if (value != NULL && *value != '\0')
            words_add(names, memory_copy(names->memory, value, strcspn(value, " ")));
    }
}

/* Where compilers of all ages put the depfile of a source when no -MF says it. */
static void add_implied(const invocation_t *invocation, const char *stem, words_t *names)
{
    const char *output = invocation->output;
    size_t at = 0;
    const char *dump = parse_next_value(invocation, ROLE_DUMP_DIRECTORY, &at);
    words_format(names, "%s.d", stem);
    words_format(names, "a-%s.d", stem);
    if (dump != NULL)
        words_format(names, "%s%s.d", dump, stem);
    if (output == NULL)
        return;
    words_format(names, "%s.d", path_without_ending(names->memory, output));
    words_format(names, "%s.d", output);
    words_format(names, "%s-%s.d", output, stem);
    words_format(names, "%s/%s.d", path_folder(names->memory, output), stem);
}

/* Every file that may be a depfile of this command; which ones are shows their content. */
static words_t candidates(const driver_t *driver)
{
    const invocation_t *invocation = &driver->invocation;
    words_t names = words_new(driver->memory);
    const char *value;
    for (size_t at = 0; (value = parse_next_value(invocation, ROLE_DEPFILE_NAME, &at)) != NULL;)
        words_add(&names, value);
    for (size_t at = 0;
         (value = parse_next_value(invocation, ROLE_PREPROCESSOR_LIST, &at)) != NULL;)
        add_of_list(value, &names);
    add_of_environment(&names);
    for (size_t i = 0; i < invocation->input_count && parse_has_role(invocation, ROLE_DEPFILE); i++)
        add_implied(invocation, path_stem(driver->memory, invocation->inputs[i].path), &names);
    return names;
}

static int correct(const driver_t *driver, const char *path)
{
    size_t length;
    char *content = file_read(driver->memory, path, &length);
    char *changed = NULL;
    for (size_t i = 0; i < driver->invocation.input_count && content != NULL; i++) {
        if (driver->workspace.texts[i] == NULL)
            continue;
        char *next = depfile_rename(driver->memory, content, driver->workspace.texts[i],
                                    driver->invocation.inputs[i].path);
        if (next != NULL)
            changed = content = next;
    }
    if (changed != NULL && file_replace(driver->memory, path, changed, strlen(changed)) != 0)
        return complain("cannot correct the depfile %s: %s", path, strerror(errno));
    return 0;
}

int depfile_correct_all(const driver_t *driver)
{
    words_t names = candidates(driver);
    int status = 0;
    for (size_t i = 0; i < names.count && status == 0; i++)
        status = correct(driver, names.items[i]);
    return status;
}
