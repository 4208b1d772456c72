/* SPDX-License-Identifier: BSD-3-Clause
 * The one way in which the runtime ends the user's job: a proven misuse. */
#include "misuse.h"

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "context.h"

void xmpi_misuse(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "xmpi: %s %d: %s\n",
            xmpi_context.state == XMPI_STATE_JOINING ? "joining rank" : "rank",
            xmpi_context.world.rank, text);
    fflush(stderr);
    PMPI_Abort(MPI_COMM_WORLD, 2);
    exit(2);
}
