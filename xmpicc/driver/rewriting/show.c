/* SPDX-License-Identifier: BSD-3-Clause
 * Printing commands. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "driver/rewriting/assemble.h"
#include "driver/base/file.h"
#include "driver/rewriting/language.h"
#include "driver/base/message.h"
#include "driver/rewriting/rewrite_command.h"
#include "driver/rewriting/show.h"

/* mpicc prints words without quotes: a word that needs them travels under another name. */
static words_t disguise(const words_t *command)
{
    words_t disguised = words_new(command->memory);
    for (size_t i = 1; i < command->count; i++) {
        const char *word = command->items[i];
        const option_t *option = option_find(word);
        if ((option != NULL && (option->properties & OPTION_MPICC) != 0))
            continue; /* language_ask_mpicc gives these */
        if (strcmp(word_quote(command->memory, word), word) == 0)
            words_add(&disguised, word);
        else
            words_format(&disguised, "@xmpi-word-%zu@", i);
    }
    return disguised;
}

static char *undisguise(const words_t *command, const char *line)
{
    char *result = memory_format(command->memory, "%.*s", (int)strcspn(line, "\n"), line);
    for (size_t i = 1; i < command->count; i++) {
        const char *name = memory_format(command->memory, "@xmpi-word-%zu@", i);
        char *at = strstr(result, name);
        if (at != NULL)
            result =
                memory_format(command->memory, "%.*s%s%s", (int)(at - result), result,
                              word_quote(command->memory, command->items[i]), at + strlen(name));
    }
    return result;
}

/* Prints a command of mpicc's as the compiler's command that it stands for. */
static int show_compiler(driver_t *driver, const words_t *command)
{
    words_t words = disguise(command);
    const char *line = language_ask_mpicc(driver, &words);
    if (line == NULL)
        return complain("%s -show does not work", driver->install.mpicc);
    puts(undisguise(command, line));
    return 0;
}

int show_commands(driver_t *driver)
{
    const invocation_t *invocation = &driver->invocation;
    words_t flags = words_new(driver->memory);
    int status = language_flags(driver, &flags);
    for (size_t i = 0; i < invocation->input_count && status == 0; i++) {
        if (!invocation->inputs[i].has_pragma)
            continue;
        driver->workspace.texts[i] = workspace_file(&driver->workspace, driver->memory, i,
                                                    path_base(invocation->inputs[i].path));
        words_t command = rewrite_command(driver, i, driver->workspace.texts[i], &flags);
        puts(words_quote(&command));
    }
    commands_t commands = status == 0 ? assemble_rewritten(driver) : (commands_t){0};
    for (size_t i = 0; i < commands.count && status == 0; i++)
        status = show_compiler(driver, &commands.items[i]);
    return status;
}
