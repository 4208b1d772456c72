/* SPDX-License-Identifier: BSD-3-Clause
 * The commands for mpicc, made from the user's: the same words in the same places, with what stands
 * for a rewritten source and what makes the result look as if made from the user's file. */
#ifndef XMPICC_ASSEMBLE_H
#define XMPICC_ASSEMBLE_H

#include "driver/command/driver.h"

typedef struct {
    words_t *items;
    size_t count;
    bool links; /* the last one links what the others have compiled */
} commands_t;

/* The command when nothing is rewritten: the user's words and, where a program is linked, the
 * runtime. */
words_t assemble_untouched(const driver_t *driver);

/* The commands that compile (and link) with the rewritten texts in the workspace. */
commands_t assemble_rewritten(const driver_t *driver);

/* The command that links PROGRAM in place of the user's, with OBJECT in place of the inputs that
 * are REPLACED. */
words_t assemble_joined(const driver_t *driver, const bool *replaced, const char *object,
                        const char *program);

/* The command that only checks the original of input number INPUT. */
words_t assemble_syntax_check(const driver_t *driver, size_t input);

/* Whether what is linked has a loop that calls functions of other files, which are to be looked
 * into (examine.h). */
bool assemble_links_reliance(const driver_t *driver);

/* Whether a program (or what the user wants treated so) is linked. */
bool assemble_links_runtime(const driver_t *driver);

#endif
