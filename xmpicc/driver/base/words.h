/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of words (argument vectors), and how words are split and quoted. */
#ifndef XMPICC_WORDS_H
#define XMPICC_WORDS_H

#include <stddef.h>

#include "driver/base/memory.h"

typedef struct {
    memory_t *memory;
    char **items; /* ends with NULL, as exec wants it */
    size_t count;
    size_t capacity;
} words_t;

words_t words_new(memory_t *memory);
words_t words_copy(const words_t *words);

/* Adds a word without copying it. */
void words_add(words_t *words, const char *word);
void words_format(words_t *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
void words_append(words_t *words, const words_t *more);
void words_insert(words_t *words, size_t at, const words_t *more);
int words_contain(const words_t *words, const char *word);

/* Splits TEXT as gcc splits a response file: at blanks, with '…', "…" and \ to quote. */
words_t words_split(memory_t *memory, const char *text);

/* One line that a shell reads back as the same words. */
char *words_quote(const words_t *words);
char *word_quote(memory_t *memory, const char *word);

#endif
