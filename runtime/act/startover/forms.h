/* SPDX-License-Identifier: BSD-3-Clause
 * What elements of the state are made of, as far as their compiler told (xmpi_gen_state_form), for
 * comparing them. Of structs only the size is known: 8 bytes of them that are a usual number of
 * double precision wherever they are looked at, or 4 of single, are taken for that, and all others
 * for integers. */
#ifndef XMPI_ACT_STARTOVER_FORMS_H
#define XMPI_ACT_STARTOVER_FORMS_H

#include <stdbool.h>
#include <stdint.h>

#include "act/data/elements.h"
#include "act/startover/state.h"

enum { XMPI_FORM_WORDS = 512 };

/* Of structs: which words of 8 bytes, and which of 4, are no such numbers. Plain data. */
typedef struct {
    unsigned char no_double[XMPI_FORM_WORDS / 2], no_float[XMPI_FORM_WORDS];
} xmpi_words_t;

/* Looks at N elements of FORM. */
void xmpi_form_look(xmpi_state_form_t form, const char *data, int64_t n, xmpi_words_t *words);

/* To be freed with xmpi_elements_free. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_form_elements(xmpi_state_form_t form, const xmpi_words_t *words,
                                 xmpi_elements_t *elements);

#endif
