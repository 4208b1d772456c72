/* SPDX-License-Identifier: BSD-3-Clause
 * What makes the runtime active in a program that it is linked with: it says, as rewritten text
 * does, that there is an adaptive loop, which is never reached. With a trace the program has none, so
 * that all of its calls are observed. */
#include <stdlib.h>

#include "xmpi_gen.h"

static void __attribute__((constructor)) activate(void)
{
    if (getenv("XMPI_TRACE") == NULL)
        xmpi_gen_program(1);
}
