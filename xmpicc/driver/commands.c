/* SPDX-License-Identifier: BSD-3-Clause
 * Adding to a compile_commands.json, so that editors see the user's sources with mpicc's flags. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "commands.h"
#include "driver/base/file.h"
#include "driver/rewriting/language.h"
#include "driver/base/message.h"

static char *json_string(memory_t *memory, const char *text)
{
    char *result = memory_get(memory, 6 * strlen(text) + 3);
    char *end = stpcpy(result, "\"");
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            *end++ = '\\';
        if ((unsigned char)*text < 0x20)
            end = stpcpy(end, memory_format(memory, "\\u%04x", (unsigned char)*text));
        else
            *end++ = *text;
    }
    *end = '"';
    return result;
}

/* The compiler's command for one input: SHOWN is what mpicc -show -c says. */
static words_t compiler_command(const driver_t *driver, size_t input, const words_t *shown)
{
    const invocation_t *invocation = &driver->invocation;
    words_t command = words_new(driver->memory);
    size_t at = 0;
    while (at < shown->count && shown->items[at][0] != '-')
        words_add(&command, shown->items[at++]);
    for (size_t i = 0; i < invocation->word_count; i++) {
        const word_t *word = &invocation->words[i];
        bool mpiccs = word->option != NULL && (word->option->properties & OPTION_MPICC) != 0;
        if (!mpiccs && (word->kind != WORD_INPUT || word->input == input))
            words_add(&command, word->text);
    }
    for (; at < shown->count; at++)
        if (strcmp(shown->items[at], "-c") != 0)
            words_add(&command, shown->items[at]);
    install_add_include(&driver->install, "-isystem", &command);
    return command;
}

/* How an entry for this file begins. */
static char *entry_key(const driver_t *driver, const char *folder, const char *path)
{
    return memory_format(driver->memory, "{\"directory\": %s, \"file\": %s, ",
                         json_string(driver->memory, folder), json_string(driver->memory, path));
}

static char *entry_rest(const driver_t *driver, const words_t *command)
{
    char *list = "";
    for (size_t i = 0; i < command->count; i++)
        list = memory_format(driver->memory, "%s%s%s", list, i > 0 ? ", " : "",
                             json_string(driver->memory, command->items[i]));
    return memory_format(driver->memory, "\"arguments\": [%s]}", list);
}

/* CONTENT without its last bracket, without the comma before that and without lines that begin with
 * KEY; NULL when it is not a list. */
static char *open_list(memory_t *memory, const char *content, const char *key)
{
    while (isspace((unsigned char)*content))
        content++;
    const char *close = strrchr(content, ']');
    if (*content == '\0')
        return memory_copy(memory, "[", 1);
    if (*content != '[' || close == NULL)
        return NULL;
    char *result = memory_get(memory, (size_t)(close - content) + 1);
    char *end = result;
    while (content < close) {
        size_t length = strcspn(content, "\n") + 1;
        if (length > (size_t)(close - content))
            length = (size_t)(close - content);
        if (strncmp(content, key, strlen(key)) != 0)
            end = mempcpy(end, content, length);
        content += length;
    }
    while (end > result && (isspace((unsigned char)end[-1]) || end[-1] == ','))
        *--end = '\0';
    return result;
}

static int write_entry(const driver_t *driver, int fd, const char *key, const char *rest)
{
    size_t length;
    char *content = file_read_all(driver->memory, fd, &length);
    char *list = content == NULL ? NULL : open_list(driver->memory, content, key);
    if (list == NULL)
        return complain("%s is not a compile_commands.json: it is left alone",
                        driver->settings.commands);
    char *text = memory_format(driver->memory, "%s%s\n%s%s\n]\n", list,
                               strcmp(list, "[") == 0 ? "" : ",", key, rest);
    if (pwrite(fd, text, strlen(text), 0) != (ssize_t)strlen(text) ||
        ftruncate(fd, (off_t)strlen(text)) != 0)
        return complain("cannot write %s: %s", driver->settings.commands, strerror(errno));
    return 0;
}

static int add_entry(const driver_t *driver, size_t input, const words_t *shown)
{
    const char *name = driver->settings.commands;
    char *folder = getcwd(NULL, 0);
    int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || folder == NULL || flock(fd, LOCK_EX) != 0) {
        free(folder);
        return complain("cannot write %s: %s", name, strerror(errno));
    }
    words_t command = compiler_command(driver, input, shown);
    const char *key = entry_key(driver, folder, driver->invocation.inputs[input].path);
    int status = write_entry(driver, fd, key, entry_rest(driver, &command));
    free(folder);
    close(fd);
    return status;
}

int commands_record(driver_t *driver)
{
    const invocation_t *invocation = &driver->invocation;
    words_t only_compile = words_new(driver->memory);
    words_add(&only_compile, "-c");
    const char *line = language_ask_mpicc(driver, &only_compile);
    if (line == NULL)
        return complain("%s -show does not work", driver->install.mpicc);
    words_t shown = words_split(driver->memory, line);
    int status = 0;
    for (size_t i = 0; i < invocation->input_count && status == 0; i++)
        if (invocation->inputs[i].language == LANGUAGE_C ||
            invocation->inputs[i].language == LANGUAGE_CXX)
            status = add_entry(driver, i, &shown);
    return status;
}
