/* SPDX-License-Identifier: BSD-3-Clause
 * Response files: @FILE stands for the words in FILE. */
#ifndef XMPICC_RESPONSE_H
#define XMPICC_RESPONSE_H

#include <stdbool.h>

#include "driver/base/words.h"

typedef struct {
    words_t words;
    bool *from_file;  /* for each word: whether it stood in a response file */
    size_t *argument; /* for each word: the argument it comes from */
} expansion_t;

/* Expands ARGV as gcc does; an @FILE that cannot be read stays as it is. */
expansion_t response_expand(memory_t *memory, int argc, char *const *argv);

#endif
