/* SPDX-License-Identifier: BSD-3-Clause
 * The one way in which the runtime ends the user's job: a proven misuse. */
#ifndef XMPI_MISUSE_H
#define XMPI_MISUSE_H

/* Says which process and why, in one line, and aborts the job with exit status 2. */
_Noreturn void xmpi_misuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
