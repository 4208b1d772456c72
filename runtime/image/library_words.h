/* SPDX-License-Identifier: BSD-3-Clause
 * Variables of the program that its start made lead into libraries' data. */
#ifndef XMPI_IMAGE_LIBRARY_WORDS_H
#define XMPI_IMAGE_LIBRARY_WORDS_H

/* Before main, when constructors have run: notes which words of the program's variables are
 * addresses in libraries. */
void xmpi_library_words_begin(void);

/* In the process that the program has come to: those that are still what the start made them in the
 * one before get what the start has made them here. */
void xmpi_library_words_mend(void);

#endif
