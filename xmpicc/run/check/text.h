/* SPDX-License-Identifier: BSD-3-Clause
 * Comparing what programs write: text up to rounding, bytes, and only what is the same from run to
 * run of the program as it is. */
#ifndef XMPIRUN_CHECK_TEXT_H
#define XMPIRUN_CHECK_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From good to bad. */
typedef enum { SAME, ROUNDED, UNCOMPARED, DIFFERENT } sameness_t;

enum { DIFFERENCE_MAX = 400 };

/* What came of a comparison. */
typedef struct {
    sameness_t sameness;
    bool reordered;            /* the same lines in another order */
    double largest;            /* relative difference of numbers that counts as rounding */
    char text[DIFFERENCE_MAX]; /* of the first difference, for people; empty: none */
} comparison_t;

/* A line, and what of it is compared. */
typedef struct {
    char *text; /* malloc */
    char *key;  /* the same without its fractions, for sorting: malloc */
    int number; /* in the text, from 1 on */
    bool ignored;
    uint64_t varying; /* bit i: number i of the line differs from run to run */
    char *words;      /* of the line, without its numbers; malloc; NULL: not asked for yet */
    double *spread;   /* how far apart each number may be; malloc; NULL: nothing is known of that */
} line_t;

typedef struct {
    int lines;
    line_t *line; /* malloc */
    double scale; /* the largest of its fractions */
} text_t;

/* TEXT in lines. Ends the program when there is no memory, as all here. */
text_t text_read(const char *text);
void text_free(text_t *text);

/* Takes out of what is compared of REFERENCE whatever is another one in AGAIN, which came of the
 * same program in the same way. Whether anything is left. */
bool text_steady(text_t *reference, const char *again, double tolerance);

/* Of REFERENCE nothing is compared any more that is not of OTHER, whose lines stand for its own. */
void text_take_varying(text_t *reference, const text_t *other);

/* Takes for rounding what the program as it is comes to as well where it rounds in another
 * direction: up to ten times the difference between REFERENCE and OTHER, of the same number in
 * lines with the same words. */
void text_spread(text_t *reference, const char *other);

/* Lines, and numbers in others, that are not compared; the first such line in *EXAMPLE. */
int text_ignored(const text_t *reference, const char **example);

/* Compares TEXT with what it should be. Fractions may differ by TOLERANCE, relative to themselves,
 * by what is rounding of the largest of all, and by one unit of a last digit that is near that. */
comparison_t text_compare(const text_t *reference, const char *text, double tolerance);

/* The same of bytes that are no text: differing words may be floating values, and those of double
 * precision may be apart by SPREAD. */
comparison_t bytes_compare(const char *reference, size_t length, const char *bytes, size_t got,
                           double tolerance, double spread);

/* The SPREAD that another run shows. */
double bytes_spread(const char *reference, size_t length, const char *bytes, size_t got);

/* Whether there are bytes in it that no text has. */
bool bytes_are_text(const char *bytes, size_t length);

#endif
