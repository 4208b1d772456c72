/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of words (argument vectors), and how words are split and quoted. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "driver/base/words.h"

words_t words_new(memory_t *memory)
{
    words_t words = {.memory = memory, .capacity = 16};
    words.items = memory_get(memory, words.capacity * sizeof *words.items);
    return words;
}

words_t words_copy(const words_t *words)
{
    words_t copy = words_new(words->memory);
    words_append(&copy, words);
    return copy;
}

void words_add(words_t *words, const char *word)
{
    if (words->count + 1 == words->capacity) {
        char **more = memory_get(words->memory, 2 * words->capacity * sizeof *more);
        memcpy(more, words->items, words->count * sizeof *more);
        words->items = more;
        words->capacity *= 2;
    }
    words->items[words->count++] = (char *)(uintptr_t)word;
    words->items[words->count] = NULL;
}

void words_format(words_t *words, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    words_add(words, memory_vformat(words->memory, format, arguments));
    va_end(arguments);
}

void words_append(words_t *words, const words_t *more)
{
    for (size_t i = 0; i < more->count; i++)
        words_add(words, more->items[i]);
}

void words_insert(words_t *words, size_t at, const words_t *more)
{
    words_t result = words_new(words->memory);
    for (size_t i = 0; i < at; i++)
        words_add(&result, words->items[i]);
    words_append(&result, more);
    for (size_t i = at; i < words->count; i++)
        words_add(&result, words->items[i]);
    *words = result;
}

int words_contain(const words_t *words, const char *word)
{
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->items[i], word) == 0)
            return 1;
    return 0;
}

/* Copies the word that starts at TEXT into WORD, unquoted; where it ends. */
static const char *unquote(const char *text, char *word)
{
    char quote = 0;
    for (; *text != '\0' && (quote != 0 || !isspace((unsigned char)*text)); text++) {
        if (*text == '\\' && text[1] != '\0')
            *word++ = *++text;
        else if (quote != 0 ? *text == quote : *text == '\'' || *text == '"')
            quote = quote != 0 ? 0 : *text;
        else
            *word++ = *text;
    }
    *word = '\0';
    return text;
}

words_t words_split(memory_t *memory, const char *text)
{
    words_t words = words_new(memory);
    for (;;) {
        while (isspace((unsigned char)*text))
            text++;
        if (*text == '\0')
            return words;
        char *word = memory_get(memory, strlen(text) + 1);
        text = unquote(text, word);
        words_add(&words, word);
    }
}

static int is_plain(const char *word)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_-+=/.,:@%^";
    return *word != '\0' && word[strspn(word, safe)] == '\0';
}

char *word_quote(memory_t *memory, const char *word)
{
    if (is_plain(word))
        return memory_copy(memory, word, strlen(word));
    char *text = memory_get(memory, 4 * strlen(word) + 3);
    char *end = text;
    *end++ = '\'';
    for (; *word != '\0'; word++)
        end = *word == '\'' ? stpcpy(end, "'\\''") : (*end = *word, end + 1);
    *end = '\'';
    return text;
}

char *words_quote(const words_t *words)
{
    size_t size = 1;
    for (size_t i = 0; i < words->count; i++)
        size += 4 * strlen(words->items[i]) + 4;
    char *line = memory_get(words->memory, size);
    char *end = line;
    for (size_t i = 0; i < words->count; i++)
        end += sprintf(end, "%s%s", i > 0 ? " " : "", word_quote(words->memory, words->items[i]));
    return line;
}
