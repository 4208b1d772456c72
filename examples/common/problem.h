/* SPDX-License-Identifier: BSD-3-Clause
 * Why something cannot be done, in one line. */
#ifndef PROBLEM_H
#define PROBLEM_H

struct problem {
    char text[1024];
};

/* Always returns -1. */
int problem_set(struct problem *problem, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
