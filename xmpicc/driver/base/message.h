/* SPDX-License-Identifier: BSD-3-Clause
 * What the driver itself says: one line on standard error. */
#ifndef XMPICC_MESSAGE_H
#define XMPICC_MESSAGE_H

/* What the command is called, in place of "xmpicc"; kept, not copied. */
void message_name(const char *name);

/* Says "xmpicc: error: …" and returns 1, the exit status. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says "xmpicc: warning: …". */
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
