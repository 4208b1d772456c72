/* SPDX-License-Identifier: BSD-3-Clause
 * A set of settings, by their places in the table. Plain data, all zero when it is empty. */
#ifndef XMPI_SETTINGS_MARKS_H
#define XMPI_SETTINGS_MARKS_H

#include <stdbool.h>
#include <stdint.h>

/* (More words where the table gets longer: nothing else knows of them.) */
enum { XMPI_MARKS_WORDS = 4, XMPI_MARKS_MAX = 64 * XMPI_MARKS_WORDS };

typedef struct {
    uint64_t word[XMPI_MARKS_WORDS];
} xmpi_marks_t;

static inline void xmpi_mark(xmpi_marks_t *marks, int place)
{
    marks->word[place / 64] |= (uint64_t)1 << place % 64;
}

static inline bool xmpi_is_marked(const xmpi_marks_t *marks, int place)
{
    return (marks->word[place / 64] >> place % 64 & 1) != 0;
}

#endif
