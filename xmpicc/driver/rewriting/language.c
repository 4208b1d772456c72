/* SPDX-License-Identifier: BSD-3-Clause
 * The part of a command line that says how a source is to be read. */
#define _GNU_SOURCE
#include <string.h>

#include "driver/rewriting/language.h"
#include "driver/base/message.h"

static int is_language(const option_t *option)
{
    return option != NULL && (option->properties & OPTION_LANGUAGE) != 0;
}

/* Adds what WORDS, read as options, say on the language. */
static void add_language(const words_t *words, words_t *flags)
{
    for (size_t i = 0; i < words->count; i++) {
        const option_t *option = option_find(words->items[i]);
        int separate = option_takes_next(option, words->items[i]) && i + 1 < words->count;
        if (is_language(option)) {
            words_add(flags, words->items[i]);
            if (separate)
                words_add(flags, words->items[i + 1]);
        }
        i += (size_t)separate;
    }
}

void language_of_list(const char *list, words_t *flags)
{
    words_t words = words_new(flags->memory);
    while (*list != '\0') {
        size_t length = strcspn(list, ",");
        words_add(&words, memory_copy(flags->memory, list, length));
        list += length + (list[length] == ',');
    }
    add_language(&words, flags);
}

static void add_users(const invocation_t *invocation, words_t *flags)
{
    for (size_t i = 0; i < invocation->word_count; i++) {
        const word_t *word = &invocation->words[i];
        if (word->option == NULL)
            continue;
        if (is_language(word->option))
            words_add(flags, word->text);
        else if (word->option->role == ROLE_PREPROCESSOR_LIST)
            language_of_list(word->value, flags);
        else if (word->option->role == ROLE_PREPROCESSOR_WORD && word->kind == WORD_VALUE &&
                 is_language(option_find(word->text)))
            words_add(flags, word->text);
    }
}

char *language_ask_mpicc(driver_t *driver, const words_t *words)
{
    words_t command = words_new(driver->memory);
    words_add(&command, driver->install.mpicc);
    words_add(&command, "-show");
    const invocation_t *invocation = &driver->invocation;
    for (size_t i = 0; i < invocation->word_count; i++)
        if (invocation->words[i].option != NULL &&
            (invocation->words[i].option->properties & OPTION_MPICC) != 0)
            words_add(&command, invocation->words[i].text);
    words_append(&command, words);
    return run_capture(&driver->runner, &command);
}

int language_flags(driver_t *driver, words_t *flags)
{
    words_t only_compile = words_new(driver->memory);
    words_add(&only_compile, "-c");
    if (driver->shown == NULL)
        driver->shown = language_ask_mpicc(driver, &only_compile);
    if (driver->shown == NULL)
        return complain("%s -show does not work: xmpicc needs MPICH's mpicc or one like it",
                        driver->install.mpicc);
    add_users(&driver->invocation, flags);
    install_add_include(&driver->install, "-isystem", flags);
    words_t mpicc = words_split(driver->memory, driver->shown);
    add_language(&mpicc, flags);
    return 0;
}
