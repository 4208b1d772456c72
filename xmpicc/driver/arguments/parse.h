/* SPDX-License-Identifier: BSD-3-Clause
 * The command line, read once into a structure that all else works on. */
#ifndef XMPICC_PARSE_H
#define XMPICC_PARSE_H

#include <stdbool.h>

#include "driver/arguments/options.h"
#include "driver/arguments/settings.h"
#include "driver/arguments/source.h"
#include "driver/base/words.h"

typedef enum { WORD_OPTION, WORD_VALUE, WORD_INPUT } word_kind_t;

typedef struct {
    const char *text;
    word_kind_t kind;
    const option_t *option; /* NULL: none that the driver knows */
    const char *value;      /* of an option that has one, joined or separate */
    size_t input;           /* which input it is */
} word_t;

typedef struct {
    const char *path; /* as typed; "-" is standard input */
    language_t language;
    bool mentions_xmpi;
    bool has_pragma;
    bool moves;   /* it has a movable loop, in its text or compiled */
    bool divides; /* the same of a divisible one */
    bool relies;  /* the same of one that calls functions of other files */
    bool resizes; /* the same of one that starts over */
    bool open;    /* it is an object or archive whose loop may be another one in the program */
    const char *pending; /* a source: what is to be said then; NULL: it is not open */
} input_t;

/* How far the compiler is to go. */
typedef enum { GOAL_LINK, GOAL_COMPILE, GOAL_SYNTAX, GOAL_PREPROCESS, GOAL_INFORM } goal_t;

typedef struct {
    words_t given; /* as typed, without the driver's own options */
    word_t *words; /* the same with response files expanded */
    size_t word_count;
    input_t *inputs;
    size_t input_count;
    size_t tail; /* the word before which options can still be added: "--" or the end */
    goal_t goal;
    const char *output;          /* -o; NULL when there is none */
    const option_t *information; /* -compile_info or -link_info; NULL when not asked for */
    bool show;                   /* mpicc's -show */
    bool incomplete;             /* the last option lacks its value */
    bool library_moves;          /* a library that -l names has a movable loop */
    bool library_divides;        /* the same of a divisible one */
    bool library_relies;         /* the same of one that calls functions of other files */
    bool library_open;           /* the same of one that may be another one in the program */
    words_t archives;            /* the archives that -l names, as far as they are the user's */
    bool no_program;             /* -shared, -r: what is linked is not a program */
    bool static_libraries;
    bool static_mpi;
} invocation_t;

/* Reads ARGV; the driver's own options go to SETTINGS. 0, or the exit status after a message. */
int parse(invocation_t *invocation, settings_t *settings, memory_t *memory, int argc,
          char *const *argv);

/* The next value of an option with this role at or after word *AT, which moves behind it; NULL when
 * there is none. */
const char *parse_next_value(const invocation_t *invocation, option_role_t role, size_t *at);

/* Whether some word is an option with this role. */
bool parse_has_role(const invocation_t *invocation, option_role_t role);

/* Whether the command links: all may be in libraries. */
bool parse_links(const invocation_t *invocation);

#endif
