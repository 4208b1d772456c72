/* SPDX-License-Identifier: BSD-3-Clause
 * Random one-dimensional SPMD programs in C, as people write them: each draws its styles from a
 * seed.
 *
 * A *right* program prints the same for every number of processes and for every division of its
 * rows. One with a *wrong turn* also takes something for a value of a row that belongs to one
 * process or one layout only.
 *
 * Every decision is drawn under a name of its own, as in pick("halo.width", 2), from the seed and
 * the name, so that another seed or a forced answer changes that decision and nothing else. The
 * first answer of each is the plainest: a program that misbehaves becomes smaller by forcing
 * answers to 0, one after another. */
#ifndef XMPI_TESTS_FUZZ_GENERATE_PROGRAM_H
#define XMPI_TESTS_FUZZ_GENERATE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { MAX_CHOICES = 512, MAX_VARIABLES = 64, MAX_ARRAYS = 8, NAME = 48, EXPRESSION = 256 };

/* Where a text stands in the program: before and after the loop, in it, in the loops around it, at
 * the end of main, and in another file. */
typedef enum {
    HEAD,
    FUNCTIONS,
    START,
    SETUP,
    AROUND, /* the heads of the loops around */
    BEFORE, /* in them, before the adaptive loop */
    LOOP_HEAD,
    LOOP,
    BETWEEN, /* two adaptive loops */
    SECOND,
    BEHIND, /* in the loops around, behind the adaptive ones */
    AROUND_END,
    FINALLY, /* behind all of them */
    AFTER,
    END,
    ELSEWHERE,
    SECTIONS
} section_t;

/* The loops around the adaptive one. */
typedef enum {
    NOTHING,
    COUNTED,
    BY_CONDITION,
    UNTIL_SMALL,
    AROUND_CALL, /* the adaptive loop is in a function that is called in a loop */
    TWO_LOOPS,
    SURROUNDINGS
} around_t;

/* Where the program keeps its variables. */
typedef enum { IN_MAIN, IN_FILE, IN_STRUCT, IN_HEAP_STRUCT, IN_NESTED_STRUCTS } place_t;

/* How an array is stored: the process's rows alone, those between ghost rows, or all rows. */
typedef enum { OWN_ROWS, WITH_GHOSTS, ALL_ROWS } storage_t;

/* How its elements are reached. */
typedef enum {
    FLAT,
    BY_MACRO,
    BY_FUNCTION,
    POINTER_TO_ROWS,
    ROW_POINTERS,
    FIXED_SIZE,
    ACCESSES
} access_t;

typedef enum { DOUBLE, FLOAT, INT, LONG, CELL, ELEMENTS } element_t;

typedef struct {
    char name[NAME];  /* of the decision */
    unsigned options; /* it was drawn from 0 to options - 1 */
    unsigned answer;
    bool forced;
} choice_t;

typedef struct {
    char name[NAME];
    char declarator[NAME]; /* "double *%s" */
    char part;             /* 'p': of the layout, 'd': data */
} variable_t;

typedef struct {
    char name[NAME];
    storage_t storage;
    access_t access;
    element_t element;
    int ghosts, columns; /* columns: 1 for a vector */
    bool swapped;        /* its pointer is exchanged: nothing may keep it */
    bool shared;         /* several kinds of work change it */
} array_t;

typedef struct {
    uint64_t seed;
    choice_t choice[MAX_CHOICES];
    size_t choices;
    variable_t variable[MAX_VARIABLES];
    size_t variables;
    array_t array[MAX_ARRAYS];
    size_t arrays;
    place_t place;
    bool loop_in_function, swaps;
    bool movable;      /* the program says that its processes are to stay as many */
    char clause[2000]; /* what it says of its state, or "" */
    int ring;          /* 0: the first row has no row before it */
    int rows, columns;
    char count[EXPRESSION], first[EXPRESSION]; /* of the own rows, with $ before names */
    char wrong[EXPRESSION];                    /* the wrong turn in words, "" for a right program */
    around_t around;
    bool second;    /* two adaptive loops are in the loop around */
    section_t body; /* where work is put */
    section_t out;  /* where the stage at hand is written */
    int stages, helpers, owners;
    unsigned beside; /* a bit for each kind of work that defines something */
    char *text[SECTIONS];
    size_t length[SECTIONS];
    FILE *stream[SECTIONS];
} program_t;

/* A program for SEED with the answers in FORCE ("name=answer,name=answer", may be NULL); right ones
 * only, those with a wrong turn only, or, with WRONG negative, as the seed has it. Free with
 * program_free. */
program_t *program_make(uint64_t seed, const char *force, int wrong);
void program_free(program_t *program);

/* The program as C, with the text of its other file, if it has one, where OTHER_FILE is defined;
 * malloc. */
char *program_text(program_t *program);

/* -- for the parts of the generator */

/* A number from 0 to OPTIONS - 1, and a decision that is taken PERCENT times of a hundred. */
unsigned pick(program_t *p, unsigned options, const char *name, ...)
    __attribute__((format(printf, 3, 4)));
bool chance(program_t *p, unsigned percent, const char *name, ...)
    __attribute__((format(printf, 3, 4)));

/* Gives the answer to a decision that is to come, unless it is forced. */
void settle(program_t *p, unsigned answer, const char *name, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds text to a section. $name stands for a variable, wherever it is kept; $COUNT, $FIRST, $COMM,
 * and $PARAMETERS and $ARGUMENTS of a function that works on all variables. */
void say(program_t *p, section_t section, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void declare(program_t *p, char part, const char *name, const char *declarator);

/* The type of an element of A in C, and as MPI knows it. */
const char *element_type(const array_t *a);
const char *element_mpi(const array_t *a);
bool is_integer(const array_t *a);

/* The element of A in the row at hand plus OFFSET, inside row_loop_begin and _end; the global
 * number of that row; its place among the process's own rows. The texts stay valid for some further
 * calls. */
const char *at(program_t *p, const array_t *a, int offset);
const char *global_row(void);
const char *local_row(void);
/* The element in row ROW of its storage and in column COLUMN. */
const char *element_at(const array_t *a, const char *row, const char *column);
/* The address of row ROW (an expression) of its storage; of the first of the process's own rows. */
const char *row_address(program_t *p, const array_t *a, const char *row);
const char *own_rows(program_t *p, const array_t *a);
/* The element in the process's own row LOCAL (an expression), in column 0. */
const char *own_element(const array_t *a, const char *local);
void row_loop_begin(program_t *p, const array_t *a, const char *name);
void row_loop_end(program_t *p);

/* Text that is made with printf, in one of several buffers that take turns. */
const char *with(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A stage of the iteration, or of what BODY says: in place, or in a function of its own when it is
 * PURE (sets nothing but elements). */
void stage_begin(program_t *p, bool pure);
void stage_end(program_t *p);

/* The parts. */
void make_range(program_t *p);
void make_neighbours(program_t *p);
extern const char *const array_names[MAX_ARRAYS];
/* A new array, filled; of the elements and columns of LIKE, where that is not NULL. */
array_t *make_array(program_t *p, storage_t storage, int ghosts, const array_t *like);
void exchange_ghosts(program_t *p, array_t *a);
void tables_of_counts(program_t *p);
void make_work(program_t *p);
void make_further_work(program_t *p, int kernel);
/* Any work for which there is room, in BODY. */
void make_any_work(program_t *p, int kernel);
/* A = a contraction of A, and TERM, a small number. */
void damp(program_t *p, const array_t *a, const char *name, const char *term);
/* A number that all agree on: the sum, the norm or the largest of the own rows. Its name. */
const char *reduced(program_t *p, const array_t *a, const char *name);
/* Inside a loop over rows: TO from A and the rows beside it. */
void set_from_neighbours(program_t *p, const array_t *to, const array_t *a, const char *name);
void make_output(program_t *p);
/* "~" before numbers that come from floats. */
const char *loosely(const array_t *a);
/* Prints a number that all rows of A make, in SECTION. */
void print_array(program_t *p, section_t section, const array_t *a);
void take_wrong_turn(program_t *p);
/* The loops around the adaptive one: their frame, and what is in them and behind them. */
void choose_around(program_t *p);
void make_around(program_t *p);
/* A turn there, or one of the loop, in it or there. */
void take_turn_around(program_t *p);
/* What stands for the number of the iteration in SECTION; NULL: k itself. */
const char *counter_in(const program_t *p, section_t section);
/* The program names its state, where all of it has a name: then it starts over. */
void name_state(program_t *p);
void take_block_turn(program_t *p, const array_t *a);
/* Work, and wrong turns, that rest on what is not in the rows. */
void make_work_beside(program_t *p, int kernel);
void take_turn_beside(program_t *p, const array_t *a);
/* A value that belongs to one process or layout; BEFORE: the statements that it needs. */
const char *value_from_beside(program_t *p, const char **before);

#endif
