/* SPDX-License-Identifier: BSD-3-Clause
 * Signals: what the program has said is to become of them goes where it goes; what the process had
 * before the program, and what libraries have put, stays. */
#ifndef XMPI_IMAGE_SIGNALS_H
#define XMPI_IMAGE_SIGNALS_H

/* Before main: what the process has. */
void xmpi_signals_begin(void);

/* Notes what libraries have put since, MPI among them, before the program can put its own there. */
void xmpi_signals_note(void);

void xmpi_signals_pack(void);
void xmpi_signals_unpack(void);

/* The program has left: the process has what it had without it. */
void xmpi_signals_left(void);

/* Of the stack for handlers alone: it does not lie in the program's memory any more; it does again,
 * as when it was packed. */
void xmpi_signals_leave_stack(void);
void xmpi_signals_take_stack(void);

#endif
