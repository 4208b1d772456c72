/* SPDX-License-Identifier: BSD-3-Clause
 * The command line, read once into a structure that all else works on. */
#include <ctype.h>
#include <string.h>

#include "driver/base/message.h"
#include "driver/arguments/parse.h"
#include "driver/arguments/response.h"

typedef struct {
    invocation_t *invocation;
    settings_t *settings;
    memory_t *memory;
    const expansion_t *expansion;
    size_t at;           /* the word that is read */
    language_t language; /* what -x says of the inputs that follow */
    bool only_inputs;    /* after "--" */
    bool *own;           /* for each word: the driver's own, not for mpicc */
    bool own_in_file;
} reader_t;

static word_t *add_word(reader_t *reader, word_kind_t kind)
{
    word_t *word = &reader->invocation->words[reader->invocation->word_count++];
    word->text = reader->expansion->words.items[reader->at];
    word->kind = kind;
    return word;
}

static void add_input(reader_t *reader)
{
    invocation_t *invocation = reader->invocation;
    word_t *word = add_word(reader, WORD_INPUT);
    word->input = invocation->input_count++;
    input_t *input = &invocation->inputs[word->input];
    input->path = word->text;
    input->language =
        reader->language != LANGUAGE_BY_NAME ? reader->language : language_of_file(word->text);
    if (reader->language == LANGUAGE_BY_NAME && flavor_is_cxx(reader->settings->flavor) &&
        (input->language == LANGUAGE_C || input->language == LANGUAGE_PREPROCESSED))
        input->language = LANGUAGE_CXX;
}

static void reach(invocation_t *invocation, goal_t goal)
{
    if (goal > invocation->goal)
        invocation->goal = goal;
}

/* What an option means for the command as a whole. */
static void note_role(reader_t *reader, const word_t *word)
{
    invocation_t *invocation = reader->invocation;
    switch (word->option->role) {
    case ROLE_OUTPUT:
        invocation->output = word->value;
        break;
    case ROLE_INPUT_LANGUAGE:
        reader->language = language_named(word->value);
        break;
    case ROLE_COMPILE:
        reach(invocation, GOAL_COMPILE);
        break;
    case ROLE_SYNTAX:
        reach(invocation, GOAL_SYNTAX);
        break;
    case ROLE_PREPROCESS:
        reach(invocation, GOAL_PREPROCESS);
        break;
    case ROLE_INFORM:
        reach(invocation, GOAL_INFORM);
        break;
    case ROLE_STATIC:
        invocation->static_libraries = true;
        break;
    case ROLE_STATIC_MPI:
        invocation->static_mpi = true;
        break;
    case ROLE_SHOW:
        invocation->show = true;
        break;
    case ROLE_COMPILE_INFORMATION:
    case ROLE_LINK_INFORMATION:
        invocation->information = word->option;
        break;
    default:
        break;
    }
    if (word->option->properties & OPTION_NO_RUNTIME)
        invocation->no_program = true;
}

/* gcc's -xc has a language; icc's -xHost is another option. */
static bool is_other_x(const option_t *option, const char *text)
{
    return option->role == ROLE_INPUT_LANGUAGE && text[2] != '\0' && text[1] == 'x' &&
           !islower((unsigned char)text[2]);
}

static void add_option(reader_t *reader)
{
    const words_t *words = &reader->expansion->words;
    word_t *word = add_word(reader, WORD_OPTION);
    word->option = option_find(word->text);
    if (word->option == NULL || is_other_x(word->option, word->text)) {
        word->option = NULL;
        return;
    }
    if (option_takes_next(word->option, word->text)) {
        if (reader->at + 1 == words->count) {
            reader->invocation->incomplete = true;
            word->option = NULL;
            return;
        }
        reader->at++;
        word->value = words->items[reader->at];
        add_word(reader, WORD_VALUE)->option = word->option;
    } else if (word->option->properties & OPTION_JOINED) {
        word->value = word->text + strlen(word->option->name);
    }
    note_role(reader, word);
}

static void mark_own(reader_t *reader)
{
    reader->own[reader->at] = true;
    reader->own_in_file |= reader->expansion->from_file[reader->at];
}

static int skip_word(reader_t *reader)
{
    mark_own(reader);
    if (reader->at + 1 == reader->expansion->words.count)
        return complain("--xmpi-skip lacks the word to skip: write --xmpi-skip WORD");
    reader->at++;
    add_word(reader, WORD_OPTION);
    return 0;
}

static int read_word(reader_t *reader)
{
    const char *text = reader->expansion->words.items[reader->at];
    if (reader->only_inputs || text[0] != '-' || text[1] == '\0') {
        add_input(reader);
        return 0;
    }
    if (strcmp(text, "--xmpi-skip") == 0)
        return skip_word(reader);
    int taken = settings_take(reader->settings, text);
    if (taken != 0) {
        mark_own(reader);
        return taken < 0 ? 1 : 0;
    }
    if (strcmp(text, "--") == 0) {
        reader->only_inputs = true;
        reader->invocation->tail = reader->invocation->word_count;
    }
    add_option(reader);
    return 0;
}

/* What mpicc gets when nothing is rewritten: the user's own words, @FILE and all, unless a
 * response file has options of the driver in it. */
static words_t given_words(const reader_t *reader, int argc, char *const *argv)
{
    const expansion_t *expansion = reader->expansion;
    words_t given = words_new(reader->memory);
    size_t word = 0;
    for (size_t i = 1; i < (size_t)argc; i++) {
        size_t first = word;
        while (word < expansion->words.count && expansion->argument[word] == i)
            word++;
        if (!reader->own_in_file && (word == first || expansion->from_file[first])) {
            words_add(&given, argv[i]);
            continue;
        }
        for (size_t j = first; j < word; j++)
            if (!reader->own[j])
                words_add(&given, expansion->words.items[j]);
    }
    return given;
}

int parse(invocation_t *invocation, settings_t *settings, memory_t *memory, int argc,
          char *const *argv)
{
    expansion_t expansion = response_expand(memory, argc, argv);
    size_t count = expansion.words.count;
    reader_t reader = {.invocation = invocation,
                       .settings = settings,
                       .memory = memory,
                       .expansion = &expansion,
                       .own = memory_get(memory, count + 1)};
    invocation->words = memory_get(memory, (count + 1) * sizeof *invocation->words);
    invocation->inputs = memory_get(memory, (count + 1) * sizeof *invocation->inputs);
    for (; reader.at < count; reader.at++) {
        int status = read_word(&reader);
        if (status != 0)
            return status;
    }
    if (!reader.only_inputs)
        invocation->tail = invocation->word_count;
    invocation->given = given_words(&reader, argc, argv);
    return 0;
}

const char *parse_next_value(const invocation_t *invocation, option_role_t role, size_t *at)
{
    while (*at < invocation->word_count) {
        const word_t *word = &invocation->words[(*at)++];
        if (word->kind == WORD_OPTION && word->option != NULL && word->option->role == role)
            return word->value;
    }
    return NULL;
}

bool parse_has_role(const invocation_t *invocation, option_role_t role)
{
    for (size_t i = 0; i < invocation->word_count; i++)
        if (invocation->words[i].option != NULL && invocation->words[i].option->role == role)
            return true;
    return false;
}

/* Whether what WORD hands to the linker is a library or a file. */
static bool hands_part(const word_t *word)
{
    const bool handed =
        word->kind == WORD_VALUE && (strcmp(word->option->name, "-Xlinker") == 0 ||
                                     strcmp(word->option->name, "--for-linker") == 0);
    if (strncmp(word->text, "-Wl,", 4) != 0)
        return handed && (word->text[0] != '-' || strncmp(word->text, "-l", 2) == 0);
    for (const char *at = word->text + 3; at != NULL; at = strchr(at + 1, ','))
        if (at[1] != '-' || strncmp(at + 1, "-l", 2) == 0)
            return true;
    return false;
}

bool parse_links(const invocation_t *invocation)
{
    bool parts = invocation->input_count > 0 || parse_has_role(invocation, ROLE_LIBRARY);
    for (size_t i = 0; i < invocation->word_count; i++)
        parts = parts || hands_part(&invocation->words[i]);
    return invocation->goal == GOAL_LINK && parts;
}
