/* SPDX-License-Identifier: BSD-3-Clause
 * The part of a command line that says how a source is to be read. */
#ifndef XMPICC_LANGUAGE_H
#define XMPICC_LANGUAGE_H

#include "driver/command/driver.h"

/* Adds the user's options of this kind, those that mpicc adds and our own include folder. 0, or the
 * exit status after a message. */
int language_flags(driver_t *driver, words_t *flags);

/* Adds those that stand in LIST, the rest of a -Wp, option. */
void language_of_list(const char *list, words_t *flags);

/* What mpicc says with -show and further WORDS; NULL when it cannot say it. */
char *language_ask_mpicc(driver_t *driver, const words_t *words);

#endif
