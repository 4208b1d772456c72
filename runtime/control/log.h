/* SPDX-License-Identifier: BSD-3-Clause
 * What a job has done, and what came of requests: the last lines, for who asks from anywhere. */
#ifndef XMPI_CONTROL_LOG_H
#define XMPI_CONTROL_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum { XMPI_LOG_LINES = 64, XMPI_LOG_TEXT = 192 };

typedef struct {
    double seconds;    /* since the program began */
    int64_t iteration; /* completed then */
    int64_t request;   /* what came of this one; 0: of none */
    bool refused;      /* it could not be followed */
    char text[XMPI_LOG_TEXT];
} xmpi_log_line_t;

/* Plain data: who leads next takes it over. Zeros: nothing has been said. */
typedef struct {
    int64_t lines; /* that have been said; line n (from 1) is line[(n - 1) % XMPI_LOG_LINES] */
    xmpi_log_line_t line[XMPI_LOG_LINES];
} xmpi_log_t;

/* Adds a line, in the place of the oldest one. */
void xmpi_log_say(xmpi_log_t *log, const xmpi_log_line_t *line);

/* The answer to who knows the first KNOWN lines, one line of JSON with a newline, malloc: the lines
 * behind them that are still here. NULL when there is no memory. */
char *xmpi_log_answer(const xmpi_log_t *log, int64_t known);

#endif
