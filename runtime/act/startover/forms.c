/* SPDX-License-Identifier: BSD-3-Clause
 * What elements of the state are made of. */
#include "act/startover/forms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Structs that are larger, or not of whole words, are bytes. */
static bool has_words(xmpi_state_form_t form)
{
    return form.kind == 's' && form.bytes % 4 == 0 && form.bytes <= 4 * XMPI_FORM_WORDS;
}

static bool is_usual(double value, double least)
{
    return value == 0 || !isfinite(value) || (fabs(value) > least && fabs(value) < 1 / least);
}

void xmpi_form_look(xmpi_state_form_t form, const char *data, int64_t n, xmpi_words_t *words)
{
    static const double least_double = 1e-100, least_float = 1e-20;
    if (!has_words(form))
        return;
    for (int64_t i = 0; i < n; i++, data += form.bytes)
        for (int64_t at = 0; at < form.bytes; at += 4) {
            float narrow;
            double wide;
            memcpy(&narrow, data + at, sizeof narrow);
            words->no_float[at / 4] |= !is_usual((double)narrow, least_float);
            if (at % 8 != 0 || at + 8 > form.bytes)
                continue;
            memcpy(&wide, data + at, sizeof wide);
            words->no_double[at / 8] |= !is_usual(wide, least_double);
        }
}

xmpi_status_t xmpi_form_elements(xmpi_state_form_t form, const xmpi_words_t *words,
                                 xmpi_elements_t *elements)
{
    char text[4 * XMPI_FORM_WORDS] = "";
    size_t length = 0;
    if (form.kind == 'f')
        snprintf(text, sizeof text, "f%d", (int)form.bytes);
    else if (form.kind == 'c')
        snprintf(text, sizeof text, "2f%d", (int)form.bytes / 2);
    else if (form.kind == 'b' && form.bytes <= 8)
        snprintf(text, sizeof text, "i%d", (int)form.bytes);
    for (int64_t at = 0; has_words(form) && at < form.bytes;) {
        bool whole = at % 8 == 0 && form.bytes % 8 == 0 && !words->no_double[at / 8];
        const char *word = whole ? "f8 " : words->no_float[at / 4] ? "i4 " : "f4 ";
        length += (size_t)snprintf(text + length, sizeof text - length, "%s", word);
        at += whole ? 8 : 4;
    }
    return xmpi_elements_read(text[0] != '\0' ? text : NULL, form.bytes, elements);
}
