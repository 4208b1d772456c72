/* SPDX-License-Identifier: BSD-3-Clause
 * What kind of file an input is, and whether its text asks for XMPI. */
#ifndef XMPICC_SOURCE_H
#define XMPICC_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    LANGUAGE_BY_NAME, /* no -x: the ending of the file's name says it */
    LANGUAGE_C,
    LANGUAGE_CXX,
    LANGUAGE_PREPROCESSED, /* C after the preprocessor */
    LANGUAGE_FORTRAN,
    LANGUAGE_OTHER_SOURCE, /* assembler and the rest that is compiled, not only linked */
    LANGUAGE_NONE          /* objects and libraries: linked */
} language_t;

/* From the value of -x; from the name of a file. */
language_t language_named(const char *name);
language_t language_of_file(const char *path);

/* Whether "xmpi" stands anywhere in the text. */
bool source_mentions_xmpi(const char *text, size_t length);

/* Whether it has a movable loop: XMPI_Point or what xmpicc makes of the pragma, also in what is
 * compiled. */
bool source_may_move(const char *text, size_t length);

/* Whether it has a divisible loop: what xmpicc makes of one, or data registered by hand; also in
 * what is compiled. */
bool source_may_divide(const char *text, size_t length);

/* Whether it has a loop that starts over; also in what is compiled. */
bool source_may_resize(const char *text, size_t length);

/* Whether a loop of it relies on functions of other files; also in what is compiled. */
bool source_may_rely(const char *text, size_t length);

/* Whether the text may have a #pragma xmpi or _Pragma("xmpi …"), or one misspelt, such as
 * #pragma XMPI. Generous: a comment that looks like one counts, the rewriter finds out. */
bool source_may_have_pragma(const char *text, size_t length);

/* A pragma that compilers do not know, and that means one of xmpi: `#pragma xmp loop`. */
typedef struct {
    int line;
    const char *word; /* behind "pragma", LENGTH bytes */
    size_t length;
    const char *directive; /* of xmpi's */
} misspelt_t;

/* The first such line of the text; without a word: there is none. Strict: of words that may be
 * those of others, as `#pragma xmp loop on t(i)` is of XcalableMP, only what is xmpi's as a whole.
 */
misspelt_t source_misspelt_pragma(const char *text, size_t length);

/* Whether a line of the text is a #pragma xmpi. Strict: where the rewriter is not asked. */
bool source_has_pragma_line(const char *text);

/* The name in the next line `#include "name"` or `#include <name>` of *TEXT, LENGTH bytes long,
 * with the quote or bracket before it; *TEXT goes behind it. NULL: no more. */
const char *source_next_include(const char **text, size_t *length);

#endif
