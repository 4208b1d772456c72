/* SPDX-License-Identifier: BSD-3-Clause
 * Question: a word to the owner of a door, and its answer, in steps. */
#include "act/doors/question.h"

#include <string.h>

/* For the rest of what has begun to come. */
enum { REST_SECONDS = 1 };

bool xmpi_question_begin(xmpi_question_t *question, const xmpi_door_t *door, xmpi_word_t word)
{
    xmpi_error_t ignored;
    *question = (xmpi_question_t){.line = -1, .word = word};
    if (xmpi_doorbell_touch(door, &question->line, &ignored) != XMPI_OK)
        return false;
    xmpi_line_limit(question->line, REST_SECONDS);
    return true;
}

/* The word goes with the proof: the other has to hear it soon after that. It tells nothing to one
 * who should not know it. */
static bool reply(xmpi_question_t *question, const xmpi_door_t *door)
{
    question->replied = xmpi_doorbell_reply(door, question->line, &question->wanted) &&
                        xmpi_line_say(question->line, question->word, NULL);
    return question->replied;
}

static bool trust(xmpi_question_t *question)
{
    question->trusted = xmpi_doorbell_is_owner(question->line, &question->wanted);
    return question->trusted;
}

xmpi_question_state_t xmpi_question_proceed(xmpi_question_t *question, const xmpi_door_t *door,
                                            xmpi_pack_t *answer)
{
    xmpi_word_t word;
    memset(answer, 0, sizeof *answer);
    if (!question->trusted) {
        bool well = question->replied ? trust(question) : reply(question, door);
        if (!well)
            xmpi_question_end(question);
        return well ? XMPI_QUESTION_OPEN : XMPI_QUESTION_FAILED;
    }
    bool heard = xmpi_line_hear(question->line, &word, answer) && word == question->word;
    xmpi_question_end(question);
    return heard ? XMPI_QUESTION_ANSWERED : XMPI_QUESTION_FAILED;
}

void xmpi_question_end(xmpi_question_t *question)
{
    xmpi_line_close(&question->line);
}
