/* SPDX-License-Identifier: BSD-3-Clause
 * Words that lead into libraries. A library that is linked into the program statically (those of
 * C++ and Fortran) has variables that its constructors make lead to tables of the C library, which
 * are elsewhere in each process. Every process of the program has started so, and knows what they
 * are in itself. */
#define _GNU_SOURCE
#include "image/library_words.h"

#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "act/image/image.h"
#include "image/memory/arena.h"
#include "image/memory/memory.h"
#include "image/memory/native.h"
#include "image/variables.h"

enum { SPANS = 256, SEGMENTS = 512 };

void *__real_malloc(size_t size);

typedef struct {
    uintptr_t *place;
    uintptr_t value;
} word_t;

static word_t
    *words; /* of the process that the program is in, by their places; it goes with the program */
static size_t count;
XMPI_NATIVE static word_t *own; /* of this process */
XMPI_NATIVE static size_t own_count;

/* Of libraries, what is in memory of them. */
XMPI_NATIVE static struct {
    xmpi_span_t span[SEGMENTS];
    size_t n;
} segments;

static int note_segments(struct dl_phdr_info *info, size_t size, void *first)
{
    (void)size;
    bool program = *(bool *)first;
    *(bool *)first = false;
    for (int i = 0; i < info->dlpi_phnum && !program && segments.n < SEGMENTS; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD)
            segments.span[segments.n++] = (xmpi_span_t){from, from + part->p_memsz};
    }
    return 0;
}

static bool leads_into_library(uintptr_t value)
{
    for (size_t i = 0; i < segments.n; i++)
        if (value >= segments.span[i].from && value < segments.span[i].to)
            return true;
    return false;
}

/* How many there are; they go to LIST where there is one. */
static size_t find(word_t *list)
{
    xmpi_span_t span[SPANS];
    size_t spans = xmpi_variables_spans(span, SPANS), n = 0;
    for (size_t i = 0; i < spans; i++) {
        uintptr_t at = (span[i].from + sizeof at - 1) & ~(sizeof at - 1);
        for (; at + sizeof at <= span[i].to; at += sizeof at) {
            uintptr_t value = *(const uintptr_t *)at;
            if (!leads_into_library(value))
                continue;
            if (list != NULL)
                list[n] = (word_t){(uintptr_t *)at, value};
            n++;
        }
    }
    return n;
}

void xmpi_library_words_begin(void)
{
    bool first = true;
    dl_iterate_phdr(note_segments, &first);
    size_t room = find(NULL) + 1;
    own = __real_malloc(room * sizeof *own);
    words = __wrap_malloc(room * sizeof *words);
    if (own == NULL || words == NULL)
        xmpi_arena_fail(XMPI_ARENA_NO_MEMORY);
    own_count = count = find(words);
    memcpy(own, words, count * sizeof *own);
}

void xmpi_library_words_mend(void)
{
    for (size_t i = 0, j = 0; i < count; i++) {
        while (j < own_count && own[j].place < words[i].place)
            j++;
        if (j == own_count || own[j].place != words[i].place || *words[i].place != words[i].value)
            continue;
        *words[i].place = own[j].value;
        words[i].value = own[j].value;
    }
}
