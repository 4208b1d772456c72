/* SPDX-License-Identifier: BSD-3-Clause
 * Response files: @FILE stands for the words in FILE. */
#define _GNU_SOURCE
#include <string.h>

#include "driver/base/file.h"
#include "driver/arguments/response.h"

enum { MOST_NESTED = 200 }; /* deeper is a file that names itself: left for gcc to refuse */

static void expand(words_t *words, const char *word, int depth)
{
    size_t length;
    char *text = NULL;
    if (word[0] == '@' && depth < MOST_NESTED)
        text = file_read(words->memory, word + 1, &length);
    if (text == NULL) {
        words_add(words, word);
        return;
    }
    words_t inner = words_split(words->memory, text);
    for (size_t i = 0; i < inner.count; i++)
        expand(words, inner.items[i], depth + 1);
}

expansion_t response_expand(memory_t *memory, int argc, char *const *argv)
{
    expansion_t expansion = {.words = words_new(memory)};
    size_t *counts = memory_get(memory, sizeof *counts * (size_t)(argc + 1));
    for (int i = 1; i < argc; i++) {
        expand(&expansion.words, argv[i], 0);
        counts[i] = expansion.words.count;
    }
    expansion.from_file = memory_get(memory, expansion.words.count + 1);
    expansion.argument = memory_get(memory, sizeof(size_t) * (expansion.words.count + 1));
    for (size_t i = 1, word = 0; i < (size_t)argc; i++)
        for (size_t first = word; word < counts[i]; word++) {
            expansion.argument[word] = i;
            expansion.from_file[word] =
                counts[i] - first != 1 || expansion.words.items[word] != argv[i];
        }
    return expansion;
}
