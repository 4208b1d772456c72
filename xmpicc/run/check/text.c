/* SPDX-License-Identifier: BSD-3-Clause
 * Comparing what programs write: text up to rounding. */
#define _GNU_SOURCE
#include "run/check/text.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/tool.h"

/* --- words and numbers -------------------------------------------------------------------------
 */

/* A number, or what stands between two of them without a blank. */
typedef struct {
    const char *begin;
    size_t length;
    bool number, fraction; /* it has a point or an exponent */
    double value;
    double unit; /* of its last digit */
} piece_t;

static size_t digits(const char *at)
{
    size_t n = 0;
    while (isdigit((unsigned char)at[n]))
        n++;
    return n;
}

static double last_digit(size_t after_point, long exponent)
{
    return pow(10, (double)exponent - (double)after_point);
}

/* A number at AT, with LINE its line: digits with what may stand before and behind them. */
static bool read_number(const char *line, const char *at, piece_t *piece)
{
    const char *end = at + (*at == '-' || *at == '+');
    bool inside = at > line && (isalnum((unsigned char)at[-1]) || strchr("_.", at[-1]) != NULL);
    size_t whole = digits(end), after = 0;
    long exponent = 0;
    *piece = (piece_t){.begin = at, .number = true};
    end += whole;
    if (*end == '.' && whole + (after = digits(end + 1)) > 0) {
        piece->fraction = true;
        end += 1 + after;
    }
    if (inside || whole + after == 0)
        return false;
    const char *sign = end + 1;
    if ((*end == 'e' || *end == 'E') && digits(sign + (*sign == '-' || *sign == '+')) > 0) {
        piece->fraction = true;
        exponent = strtol(sign, NULL, 10);
        end = sign + (*sign == '-' || *sign == '+');
        end += digits(end);
    }
    piece->length = (size_t)(end - at);
    piece->value = strtod(at, NULL);
    piece->unit = last_digit(after, exponent);
    return true;
}

/* The next piece of LINE from *AT on; false: there is none. */
static bool next_piece(const char *line, const char **at, piece_t *piece)
{
    const char *begin = *at + strspn(*at, " \t\r");
    piece_t ahead;
    *piece = (piece_t){.begin = begin};
    if (*begin == '\0')
        return false;
    if (!read_number(line, begin, piece)) {
        const char *end = begin + 1;
        while (*end != '\0' && strchr(" \t\r", *end) == NULL && !read_number(line, end, &ahead))
            end++;
        *piece = (piece_t){.begin = begin, .length = (size_t)(end - begin)};
    }
    *at = begin + piece->length;
    return true;
}

/* --- lines -------------------------------------------------------------------------------------
 */

static void *memory(void *pointer)
{
    if (pointer == NULL)
        tool_misuse("no memory to compare");
    return pointer;
}

/* LINE with its fractions left out, whose lines sort alike though they are rounded in another way.
 */
static char *key_of(const char *line)
{
    char *key = memory(calloc(2 * strlen(line) + 2, 1)), *end = key;
    const char *at = line;
    piece_t piece;
    while (next_piece(line, &at, &piece)) {
        if (!piece.fraction)
            end = mempcpy(end, piece.begin, piece.length);
        *end++ = ' ';
    }
    return key;
}

/* LINE without its numbers. */
static char *words_of(const char *line)
{
    char *words = memory(calloc(2 * strlen(line) + 2, 1)), *end = words;
    const char *at = line;
    piece_t piece;
    while (next_piece(line, &at, &piece)) {
        if (!piece.number)
            end = mempcpy(end, piece.begin, piece.length);
        *end++ = piece.number ? '#' : ' ';
    }
    return words;
}

static double scale_of(const char *line)
{
    const char *at = line;
    double scale = 0;
    piece_t piece;
    while (next_piece(line, &at, &piece))
        if (piece.fraction && fabs(piece.value) > scale && fabs(piece.value) < 1e30)
            scale = fabs(piece.value);
    return scale;
}

static void add_line(text_t *text, const char *begin, size_t length)
{
    line_t line = {.text = memory(strndup(begin, length)), .number = text->lines + 1};
    line.key = key_of(line.text);
    text->scale = fmax(text->scale, scale_of(line.text));
    if ((text->lines & (text->lines - 1)) == 0)
        text->line = memory(realloc(text->line, (size_t)(2 * text->lines + 1) * sizeof line));
    text->line[text->lines++] = line;
}

text_t text_read(const char *text)
{
    text_t result = {0};
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        add_line(&result, text, length);
        text += length + (text[length] == '\n');
    }
    return result;
}

void text_free(text_t *text)
{
    for (int i = 0; i < text->lines; i++) {
        free(text->line[i].text);
        free(text->line[i].key);
        free(text->line[i].words);
        free(text->line[i].spread);
    }
    free(text->line);
    *text = (text_t){0};
}

static int by_key(const void *a, const void *b)
{
    const line_t *x = a, *y = b;
    int order = strcmp(x->key, y->key);
    return order != 0 ? order : strcmp(x->text, y->text);
}

static int by_words(const void *a, const void *b)
{
    return strcmp(((const line_t *)a)->words, ((const line_t *)b)->words);
}

static int by_number(const void *a, const void *b)
{
    const line_t *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static void sort(text_t *text, int (*order)(const void *, const void *))
{
    if (text->lines > 0)
        qsort(text->line, (size_t)text->lines, sizeof *text->line, order);
}

/* Has SHARE do something to the N lines of each group that differ in numbers alone. */
static void for_groups(text_t *text, void (*share)(line_t *lines, int n))
{
    for (int i = 0; i < text->lines; i++)
        if (text->line[i].words == NULL)
            text->line[i].words = words_of(text->line[i].text);
    sort(text, by_words);
    for (int first = 0, end; first < text->lines; first = end) {
        for (end = first + 1;
             end < text->lines && by_words(&text->line[first], &text->line[end]) == 0; end++)
            ;
        share(&text->line[first], end - first);
    }
    sort(text, by_number);
}

/* --- comparing ---------------------------------------------------------------------------------
 */

typedef struct {
    double tolerance, scale;
    sameness_t sameness;
    double largest;
    uint64_t varying; /* numbers that are different */
    bool words;       /* something else is */
    double *apart;    /* of each number, up to NUMBERS_MAX; NULL: nobody asks */
} pair_t;

enum { NUMBERS_MAX = 64 };

/* Number I of a line. A last digit may be another one only where it is near the tolerance: with
 * fewer digits that would be a rare accident, and a wrong result more likely. */
static void compare_numbers(const piece_t *a, const piece_t *b, int i, double spread, pair_t *pair)
{
    static const double roundings = 64, near = 100;
    double larger = fmax(fabs(a->value), fabs(b->value)), apart = fabs(a->value - b->value);
    double close = pair->tolerance * larger, unit = 1.001 * fmax(a->unit, b->unit);
    double allowed = close + fmin(unit, near * close) + roundings * DBL_EPSILON * pair->scale;
    if (pair->apart != NULL && i < NUMBERS_MAX)
        pair->apart[i] = apart;
    if (apart == 0)
        return;
    if (((a->fraction || b->fraction) && apart <= allowed) || apart <= spread) {
        pair->sameness = pair->sameness > ROUNDED ? pair->sameness : ROUNDED;
        pair->largest = fmax(pair->largest, apart / larger);
        return;
    }
    pair->sameness = DIFFERENT;
    pair->words = pair->words || i >= NUMBERS_MAX;
    pair->varying |= i < NUMBERS_MAX ? (uint64_t)1 << i : 0;
}

/* Compares LINE with B; numbers of it that vary are not looked at. */
static void compare_lines(const line_t *line, const char *b, pair_t *pair)
{
    const char *a = line->text, *at_a = a, *at_b = b;
    int number = 0;
    piece_t x, y;
    pair->sameness = SAME;
    pair->varying = 0;
    pair->words = false;
    if (strcmp(a, b) == 0)
        return;
    for (;;) {
        bool more = next_piece(a, &at_a, &x), more_of_b = next_piece(b, &at_b, &y);
        if (!more && !more_of_b)
            return;
        if (!more || !more_of_b || x.number != y.number ||
            (!x.number && (x.length != y.length || memcmp(x.begin, y.begin, x.length) != 0)))
            break;
        bool known = x.number && number < NUMBERS_MAX;
        double spread = known && line->spread != NULL ? line->spread[number] : 0;
        if (x.number && (!known || (line->varying >> number & 1) == 0))
            compare_numbers(&x, &y, number, spread, pair);
        number += x.number;
    }
    pair->sameness = DIFFERENT;
    pair->words = true;
}

static void describe(const line_t *line, const char *got, int more, comparison_t *result)
{
    char others[48] = "";
    if (more > 0)
        snprintf(others, sizeof others, " (and %d line%s more)", more, more == 1 ? "" : "s");
    snprintf(result->text, sizeof result->text, "line %d is \"%.120s\", should be \"%.120s\"%s",
             line->number, got, line->text, others);
}

/* As they stand; both may have been sorted. */
static comparison_t compare_in_order(const text_t *reference, const text_t *text, double tolerance)
{
    comparison_t result = {SAME, false, 0, ""};
    pair_t pair = {.tolerance = tolerance, .scale = fmax(reference->scale, text->scale)};
    int first = -1, differing = 0;
    for (int i = 0; i < reference->lines && i < text->lines; i++) {
        const line_t *line = &reference->line[i];
        if (line->ignored)
            continue;
        compare_lines(line, text->line[i].text, &pair);
        if (pair.sameness > result.sameness)
            result.sameness = pair.sameness;
        if (pair.sameness == DIFFERENT && differing++ == 0)
            first = i;
    }
    result.largest = pair.largest;
    if (first >= 0)
        describe(&reference->line[first], text->line[first].text, differing - 1, &result);
    if (text->lines == reference->lines)
        return result;
    result.sameness = DIFFERENT;
    if (first < 0)
        snprintf(result.text, sizeof result.text, "%d lines, should be %d", text->lines,
                 reference->lines);
    return result;
}

comparison_t text_compare(const text_t *reference, const char *text, double tolerance)
{
    text_t read = text_read(text), sorted = *reference;
    comparison_t result = compare_in_order(reference, &read, tolerance);
    if (result.sameness == DIFFERENT && read.lines == reference->lines) {
        sort(&sorted, by_key); /* its lines are those of the reference, which is put back */
        sort(&read, by_key);
        comparison_t other = compare_in_order(&sorted, &read, tolerance);
        sort(&sorted, by_number);
        other.reordered = true;
        if (other.sameness != DIFFERENT)
            result = other;
    }
    text_free(&read);
    return result;
}

/* --- what is the same from run to run ----------------------------------------------------------
 */

/* Marks what differs; how much that is. */
static int mark_in_order(text_t *reference, const text_t *again, double tolerance, bool apply)
{
    pair_t pair = {.tolerance = tolerance, .scale = fmax(reference->scale, again->scale)};
    int marks = 0;
    for (int i = 0; i < reference->lines; i++) {
        line_t *line = &reference->line[i];
        compare_lines(line, again->line[i].text, &pair);
        if (pair.sameness != DIFFERENT)
            continue;
        marks += pair.words ? 100 : 1;
        if (apply) {
            line->ignored = line->ignored || pair.words;
            line->varying |= pair.varying;
        }
    }
    return marks;
}

static bool has_word(const char *words)
{
    while (*words != '\0' && !isalpha((unsigned char)*words) && (unsigned char)*words < 0x80)
        words++;
    return *words != '\0';
}

/* What is a time in one of N such lines is one in all, also where it is the same by chance. Of
 * numbers without a word beside them nobody knows whether they mean the same: there most have to
 * vary. */
static void share_varying(line_t *lines, int n)
{
    const bool told = has_word(lines[0].words);
    uint64_t shared = 0;
    for (int number = 0; number < NUMBERS_MAX; number++) {
        int vary = 0;
        for (int i = 0; i < n; i++)
            vary += (lines[i].varying >> number & 1) != 0;
        if (told ? vary > 0 : 2 * vary > n)
            shared |= (uint64_t)1 << number;
    }
    for (int i = 0; i < n; i++)
        lines[i].varying |= shared;
}

bool text_steady(text_t *reference, const char *again, double tolerance)
{
    text_t read = text_read(again);
    int left = 0;
    if (read.lines != reference->lines) {
        text_free(&read);
        return false;
    }
    int in_order = mark_in_order(reference, &read, tolerance, false);
    if (in_order > 0) {
        sort(reference, by_key);
        sort(&read, by_key);
        if (mark_in_order(reference, &read, tolerance, false) >= in_order) {
            sort(reference, by_number);
            sort(&read, by_number);
        }
        mark_in_order(reference, &read, tolerance, true);
        for_groups(reference, share_varying);
    }
    for (int i = 0; i < reference->lines; i++)
        left += !reference->line[i].ignored;
    text_free(&read);
    return left > 0 || reference->lines == 0;
}

void text_take_varying(text_t *reference, const text_t *other)
{
    for (int i = 0; i < reference->lines && reference->lines == other->lines; i++) {
        reference->line[i].ignored |= other->line[i].ignored;
        reference->line[i].varying |= other->line[i].varying;
    }
}

/* --- what another number of processes comes to -------------------------------------------------
 */

/* What is true of a number is true of all in the same place of such lines. */
static void share_spreads(line_t *lines, int n)
{
    double most[NUMBERS_MAX] = {0};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < NUMBERS_MAX; k++)
            most[k] = fmax(most[k], lines[i].spread[k]);
    for (int i = 0; i < n; i++)
        memcpy(lines[i].spread, most, sizeof most);
}

void text_spread(text_t *reference, const char *other)
{
    static const double room = 10;
    text_t read = text_read(other);
    double apart[NUMBERS_MAX];
    pair_t pair = {.tolerance = 0, .apart = apart};
    bool alike = read.lines == reference->lines;
    for (int i = 0; i < reference->lines && alike; i++) {
        line_t *line = &reference->line[i];
        memset(apart, 0, sizeof apart);
        compare_lines(line, read.line[i].text, &pair);
        if (line->spread == NULL)
            line->spread = memory(calloc(NUMBERS_MAX, sizeof *line->spread));
        for (int k = 0; k < NUMBERS_MAX && !pair.words; k++)
            line->spread[k] = fmax(line->spread[k], room * apart[k]);
    }
    if (alike)
        for_groups(reference, share_spreads);
    text_free(&read);
}

int text_ignored(const text_t *reference, const char **example)
{
    int n = 0;
    for (int i = 0; i < reference->lines; i++) {
        const line_t *line = &reference->line[i];
        if ((line->ignored || line->varying != 0) && n++ == 0)
            *example = line->text;
    }
    return n;
}
