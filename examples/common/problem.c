/* SPDX-License-Identifier: BSD-3-Clause
 * Why something cannot be done, in one line. */
#include <stdarg.h>
#include <stdio.h>

#include "problem.h"

int problem_set(struct problem *problem, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
    return -1;
}
