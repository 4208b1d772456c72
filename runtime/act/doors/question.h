/* SPDX-License-Identifier: BSD-3-Clause
 * Question: a word to the owner of a door, and its answer, in steps between which who asks does
 * something else. */
#ifndef XMPI_ACT_DOORS_QUESTION_H
#define XMPI_ACT_DOORS_QUESTION_H

#include "act/doors/doorbell.h"
#include "act/doors/line.h"

typedef enum {
    XMPI_QUESTION_OPEN, /* to proceed when the line can be read */
    XMPI_QUESTION_ANSWERED,
    XMPI_QUESTION_FAILED, /* the other is gone, or not who it should be */
} xmpi_question_state_t;

typedef struct {
    int line; /* -1: nothing is asked */
    xmpi_word_t word;
    bool replied, trusted; /* what has been done: this side has proved itself, and the other */
    xmpi_token_t wanted;
} xmpi_question_t;

/* Asks WORD at DOOR; false when nobody is there. Does not wait for its owner. */
bool xmpi_question_begin(xmpi_question_t *question, const xmpi_door_t *door, xmpi_word_t word);

/* The next step, when the line can be read. What was answered is in ANSWER, to be freed in any
 * case. Over, the question is ended. */
xmpi_question_state_t xmpi_question_proceed(xmpi_question_t *question, const xmpi_door_t *door,
                                            xmpi_pack_t *answer);

/* Asks no more; also where nothing is asked. */
void xmpi_question_end(xmpi_question_t *question);

#endif
