/* SPDX-License-Identifier: BSD-3-Clause
 * What the driver itself says: one line on standard error. */
#include <stdarg.h>
#include <stdio.h>

#include "driver/base/message.h"

static const char *own_name = "xmpicc";

void message_name(const char *name)
{
    own_name = name;
}

static void say(const char *level, const char *format, va_list arguments)
{
    fprintf(stderr, "%s: %s: ", own_name, level);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

int complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("error", format, arguments);
    va_end(arguments);
    return 1;
}

void warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("warning", format, arguments);
    va_end(arguments);
}
