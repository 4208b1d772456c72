/* SPDX-License-Identifier: BSD-3-Clause
 * Depfiles name the user's source, not its rewritten text. */
#ifndef XMPICC_DEPFILE_H
#define XMPICC_DEPFILE_H

#include "driver/command/driver.h"

/* Corrects every depfile that the command may have written; 0, or the exit status after a
 * message. */
int depfile_correct_all(const driver_t *driver);

/* A depfile's CONTENT with NAME wherever it names FILE; NULL when it does not. */
char *depfile_rename(memory_t *memory, const char *content, const char *file, const char *name);

#endif
