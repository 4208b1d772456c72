/* SPDX-License-Identifier: BSD-3-Clause
 * What a place of the program's memory is called in its source, as far as its symbols tell. */
#ifndef XMPI_ACT_CHECK_NAMES_H
#define XMPI_ACT_CHECK_NAMES_H

/* TEXT, of SIZE, says which static variable of the main program AT is of. */
void xmpi_name_static(const char *at, char *text, int size);

/* AT is a place of the calling thread's stack, in the frame of a function that has not returned:
 * TEXT, of SIZE, says of which ("the stack of main()"), or that it is the stack. */
void xmpi_name_stack(const char *at, char *text, int size);

#endif
