/* SPDX-License-Identifier: BSD-3-Clause
 * What the generated wrappers say of themselves. */
#ifndef XMPI_OBSERVE_WRAPPED_H
#define XMPI_OBSERVE_WRAPPED_H

/* The calls of MPI that this library wraps, by their names; NULL at the end. */
extern const char *const xmpi_wrapped_calls[];

#endif
