/* SPDX-License-Identifier: BSD-3-Clause
 * What kind of file an input is, and whether its text asks for XMPI. */
#define _GNU_SOURCE
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "driver/arguments/source.h"

typedef struct {
    const char *name;
    language_t language;
} name_t;

static const name_t language_names[] = {
    {"none", LANGUAGE_BY_NAME},
    {"c", LANGUAGE_C},
    {"cpp-output", LANGUAGE_PREPROCESSED},
    {"c++", LANGUAGE_CXX},
    {"c++-cpp-output", LANGUAGE_CXX},
    {"f77", LANGUAGE_FORTRAN},
    {"f77-cpp-input", LANGUAGE_FORTRAN},
    {"f95", LANGUAGE_FORTRAN},
    {"f95-cpp-input", LANGUAGE_FORTRAN},
};

static const name_t endings[] = {
    {".c", LANGUAGE_C},
    {".i", LANGUAGE_PREPROCESSED},
    {".C", LANGUAGE_CXX},
    {".cc", LANGUAGE_CXX},
    {".cp", LANGUAGE_CXX},
    {".cpp", LANGUAGE_CXX},
    {".CPP", LANGUAGE_CXX},
    {".cxx", LANGUAGE_CXX},
    {".c++", LANGUAGE_CXX},
    {".ii", LANGUAGE_CXX},
    {".s", LANGUAGE_OTHER_SOURCE},
    {".S", LANGUAGE_OTHER_SOURCE},
    {".sx", LANGUAGE_OTHER_SOURCE},
    {".h", LANGUAGE_OTHER_SOURCE},
    {".m", LANGUAGE_OTHER_SOURCE},
    {".f", LANGUAGE_FORTRAN},
    {".F", LANGUAGE_FORTRAN},
    {".for", LANGUAGE_FORTRAN},
    {".FOR", LANGUAGE_FORTRAN},
    {".ftn", LANGUAGE_FORTRAN},
    {".f90", LANGUAGE_FORTRAN},
    {".F90", LANGUAGE_FORTRAN},
    {".f95", LANGUAGE_FORTRAN},
    {".F95", LANGUAGE_FORTRAN},
    {".f03", LANGUAGE_FORTRAN},
    {".F03", LANGUAGE_FORTRAN},
    {".f08", LANGUAGE_FORTRAN},
    {".F08", LANGUAGE_FORTRAN},
};

static language_t look_up(const name_t *list, size_t count, const char *name, language_t otherwise)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return list[i].language;
    return otherwise;
}

language_t language_named(const char *name)
{
    return look_up(language_names, sizeof language_names / sizeof *language_names, name,
                   LANGUAGE_OTHER_SOURCE);
}

language_t language_of_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *ending = strrchr(slash == NULL ? path : slash, '.');
    if (ending == NULL)
        return LANGUAGE_NONE;
    return look_up(endings, sizeof endings / sizeof *endings, ending, LANGUAGE_NONE);
}

bool source_mentions_xmpi(const char *text, size_t length)
{
    return memmem(text, length, "xmpi", 4) != NULL;
}

/* "loop movable" of a pragma, or another CLAUSE. */
static bool says_loop(const char *text, size_t length, const char *clause)
{
    const char *begin = text, *end = text + length;
    for (; (text = memmem(text, (size_t)(end - text), clause, strlen(clause))) != NULL; text++) {
        const char *before = text;
        while (before > begin && memchr(" \t\r\n\\", before[-1], 5) != NULL)
            before--;
        if (before - begin >= 4 && before < text && memcmp(before - 4, "loop", 4) == 0)
            return true;
    }
    return false;
}

static bool has(const char *text, size_t length, const char *word)
{
    return memmem(text, length, word, strlen(word)) != NULL;
}

bool source_may_move(const char *text, size_t length)
{
    return has(text, length, "XMPI_Point") || has(text, length, "xmpi_gen_movable") ||
           has(text, length, "xmpi_gen_resized") ||
           (source_mentions_xmpi(text, length) &&
            (says_loop(text, length, "movable") || says_loop(text, length, "state")));
}

bool source_may_divide(const char *text, size_t length)
{
    return has(text, length, "xmpi_gen_loop_begin") || has(text, length, "XMPI_Register_");
}

bool source_may_resize(const char *text, size_t length)
{
    return has(text, length, "xmpi_gen_resized");
}

bool source_may_rely(const char *text, size_t length)
{
    return has(text, length, "xmpi_gen_relies");
}

/* Skips blanks, continued lines and comments. */
static const char *skip_blanks(const char *text, const char *end)
{
    while (text < end) {
        if (end - text >= 2 && text[0] == '/' && text[1] == '*') {
            const char *close = memmem(text + 2, (size_t)(end - text) - 2, "*/", 2);
            text = close == NULL ? end : close + 2;
        } else if (memchr(" \t\v\f\r\\\n", *text, 7) != NULL) {
            text++;
        } else {
            break;
        }
    }
    return text;
}

/* The length of the identifier at TEXT. */
static size_t word_length(const char *text, const char *end)
{
    const char *at = text;
    while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
        at++;
    return (size_t)(at - text);
}

/* WORD is "xmpi" in other letters, or with one letter added, changed or exchanged. */
static bool resembles_xmpi(const char *word, size_t length)
{
    static const char wanted[] = "xmpi";
    size_t same = 0, rest = 0, together = 0;
    if (length < 4 || length > 5)
        return false;
    while (same < 4 && tolower((unsigned char)word[same]) == wanted[same])
        same++;
    while (rest < 4 - same && tolower((unsigned char)word[length - 1 - rest]) == wanted[3 - rest])
        rest++;
    for (size_t i = 0; i < length; i++)
        together += (unsigned char)tolower((unsigned char)word[i]);
    bool exchanged = length == 4 && same + rest == 2 && together == 'x' + 'm' + 'p' + 'i';
    return same + rest >= 4 || (length == 4 && same + rest == 3) || exchanged;
}

bool source_may_have_pragma(const char *text, size_t length)
{
    const char *end = text + length;
    /* A macro may make the string of a _Pragma: no use in looking closer. */
    if (source_mentions_xmpi(text, length) && memmem(text, length, "_Pragma", 7) != NULL)
        return true;
    while ((text = memmem(text, (size_t)(end - text), "pragma", 6)) != NULL) {
        text = skip_blanks(text + 6, end);
        if (end - text >= 4 && memcmp(text, "xmpi", 4) == 0)
            return true;
        if (resembles_xmpi(text, word_length(text, end)))
            return true;
    }
    return false;
}

/* --- pragmas of nobody -------------------------------------------------------------------------
 */

static const char *const directives[] = {"loop", "domain", "data", "initial", "setup"};

static bool is_word(const char *word, size_t length, const char *wanted)
{
    return strlen(wanted) == length && strncasecmp(word, wanted, length) == 0;
}

/* The directive that the word is; NULL: none. */
static const char *directive_of(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        if (is_word(word, length, directives[i]))
            return directives[i];
    return NULL;
}

/* "xmpi_loop" and "xmpiloop" are the name and a directive in one word. */
static const char *directive_within(const char *word, size_t length)
{
    if (length <= 4 || strncasecmp(word, "xmpi", 4) != 0)
        return NULL;
    const size_t used = word[4] == '_' ? 5 : 4;
    return directive_of(word + used, length - used);
}

/* The words xmpi lacks a letter of. */
static bool lacks_a_letter(const char *word, size_t length)
{
    return is_word(word, length, "xmp") || is_word(word, length, "mpi") ||
           is_word(word, length, "xmi") || is_word(word, length, "xpi");
}

static const char *blanks_of_line(const char *text, const char *end)
{
    while (text < end && (*text == ' ' || *text == '\t' || *text == '\r'))
        text++;
    return text;
}

/* At the clauses of a directive: there is none, or the first is one that only xmpi has. */
static bool has_own_clauses(const char *text, const char *end, const char *directive)
{
    static const char *const clauses[] = {
        "movable", "divisible", "state",       "interval",   "iterations", "policy",   "weight",
        "restore", "range",     "distributed", "replicated", "owned",      "outofcore"};
    text = blanks_of_line(text, end);
    if (text == end || *text == '\n' || (end - text >= 2 && text[0] == '/' && text[1] == '/'))
        return strcmp(directive, "domain") != 0 && strcmp(directive, "data") != 0;
    size_t length = word_length(text, end);
    for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++)
        if (is_word(text, length, clauses[i]))
            return true;
    return false;
}

/* The directive that the pragma means whose first WORD is so long; NULL: it is none of xmpi's. */
static const char *meant(const char *word, size_t length, const char *end)
{
    const char *within = directive_within(word, length), *next, *directive;
    if (within != NULL || !lacks_a_letter(word, length))
        return within;
    next = blanks_of_line(word + length, end);
    length = word_length(next, end);
    directive = directive_of(next, length);
    return directive != NULL && has_own_clauses(next + length, end, directive) ? directive : NULL;
}

/* WORD, "pragma", is the first behind a '#' that begins its line. */
static bool begins_line(const char *text, const char *word)
{
    while (word > text && (word[-1] == ' ' || word[-1] == '\t'))
        word--;
    if (word == text || *--word != '#')
        return false;
    while (word > text && (word[-1] == ' ' || word[-1] == '\t'))
        word--;
    return word == text || word[-1] == '\n';
}

/* AT is in a comment of several lines. (Asked only of what is found: it takes its time.) */
static bool is_in_comment(const char *text, const char *at)
{
    while (text < at) {
        if (*text == '"' || *text == '\'') {
            const char quote = *text++;
            while (text < at && *text != quote && *text != '\n')
                text += *text == '\\' ? 2 : 1;
        } else if (text[0] == '/' && text[1] == '/') {
            while (text < at && *text != '\n')
                text++;
        } else if (text[0] == '/' && text[1] == '*') {
            text = memmem(text + 2, (size_t)(at - text), "*/", 2);
            if (text == NULL || text >= at)
                return true;
            text++;
        }
        text++;
    }
    return false;
}

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; (text = memchr(text, '\n', (size_t)(at - text))) != NULL; text++)
        line++;
    return line;
}

misspelt_t source_misspelt_pragma(const char *text, size_t length)
{
    const char *begin = text, *end = text + length, *directive;
    while ((text = memmem(text, (size_t)(end - text), "pragma", 6)) != NULL) {
        const char *word = blanks_of_line(text + 6, end);
        const size_t letters = word_length(word, end);
        if (word > text + 6 && begins_line(begin, text) &&
            (directive = meant(word, letters, end)) != NULL && !is_in_comment(begin, text))
            return (misspelt_t){line_of(begin, text), word, letters, directive};
        text = word;
    }
    return (misspelt_t){0};
}

/* Skips blanks within a line. */
static const char *past_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

static bool is_pragma_line(const char *line)
{
    line = past_blanks(line);
    if (*line != '#')
        return false;
    line = past_blanks(line + 1);
    if (strncmp(line, "pragma", 6) != 0 || past_blanks(line + 6) == line + 6)
        return false;
    line = past_blanks(line + 6);
    return strncmp(line, "xmpi", 4) == 0 && strchr(" \t\r\n", line[4]) != NULL;
}

bool source_has_pragma_line(const char *text)
{
    while (text != NULL && !is_pragma_line(text)) {
        text = strchr(text, '\n');
        text = text == NULL ? NULL : text + 1;
    }
    return text != NULL;
}

const char *source_next_include(const char **text, size_t *length)
{
    for (const char *line = *text; line != NULL;) {
        const char *word = past_blanks(line), *next = strchr(line, '\n');
        if (*word == '#' && strncmp(word = past_blanks(word + 1), "include", 7) == 0 &&
            (*(word = past_blanks(word + 7)) == '"' || *word == '<')) {
            *length = strcspn(word + 1, *word == '"' ? "\"\n" : ">\n");
            *text = word + 1 + *length;
            return word + 1;
        }
        line = next == NULL ? NULL : next + 1;
    }
    return NULL;
}
