/* SPDX-License-Identifier: BSD-3-Clause
 * Describing an error once, where it is found. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

xmpi_status_t xmpi_error_set(xmpi_error_t *error, xmpi_status_t status, const char *format, ...)
{
    va_list arguments;
    if (error == NULL)
        return status;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return status;
}
