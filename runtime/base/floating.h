/* SPDX-License-Identifier: BSD-3-Clause
 * The floating-point environment. What the runtime computes is the program's business as little as
 * how the program computes is the runtime's: wherever a call of the program leads to arithmetic,
 * the runtime has an environment of its own, without traps and rounding to nearest, and the
 * program's flags, traps and rounding are what they were when the call returns. */
#ifndef XMPI_BASE_FLOATING_H
#define XMPI_BASE_FLOATING_H

#include <fenv.h>

static inline void xmpi_floating_return(const fenv_t *programs)
{
    fesetenv(programs);
}

/* From here to the end of the block. A declaration, so it stands in front. */
#define XMPI_OWN_FLOATING                                                                          \
    __attribute__((cleanup(xmpi_floating_return))) fenv_t programs_floating;                       \
    fegetenv(&programs_floating);                                                                  \
    fesetenv(FE_DFL_ENV)

#endif
